"""Files handed to the page as if they were dropped on it."""

import base64

RANK = """const done = arguments[arguments.length - 1];
const made = arguments[0].map(([name, text]) =>
  ({ name, bytes: Uint8Array.from(atob(text), (c) => c.charCodeAt(0)) }));
const eventOf = async ([asked]) =>
  tb2learn.eventOf(made, asked && tb2learn.readingOf(asked));
eventOf(arguments[2]).then(
  (event) => done([event.notes, arguments[1].map((policy) =>
    tb2learn.rankingCsv(tb2learn.rank(event, policy)))]),
  (error) => done(`refused: ${error.message}`)).catch((error) => done(`failed: ${error.stack}`));"""


ASKED = {"strict": False, "trust": False, "matchPoints": "", "byePoints": ""}


def ranked(browser, files, policies=("baku2016",), **asked):
    """Notes and standings by policy, with the options of `ASKED`; or the text of the refusal."""
    sent = [[name, base64.b64encode(content).decode()] for name, content in files.items()]
    options = [{**ASKED, **asked}] if asked else []
    return browser.execute_async_script(RANK, sent, list(policies), options)
