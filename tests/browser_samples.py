"""What tests ask of a page in a browser."""

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


def media(browser, kind="", scheme="light"):
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": kind, "features": features})
