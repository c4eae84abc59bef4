"""What tests ask of a page in a browser."""

import contextlib
import json


def heard(browser):
    """What the console said, and every address that was asked for, since the last call."""
    console = [entry["message"] for entry in browser.get_log("browser")]
    events = (json.loads(e["message"])["message"] for e in browser.get_log("performance"))
    asked = [
        event["params"]["request"]["url"]
        for event in events
        if event["method"] == "Network.requestWillBeSent"
    ]
    return console, asked


@contextlib.contextmanager
def shown_on(browser, media="", scheme="light", **screen):
    """A page on paper, in dark colours, or on a screen of another `width` and `height`."""

    def emulate(media, scheme):
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        given = {"media": media, "features": features}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", given)

    emulate(media, scheme)
    if screen:
        given = {"deviceScaleFactor": 1, "mobile": False, **screen}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", given)
    try:
        yield
    finally:
        emulate("", "light")
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
