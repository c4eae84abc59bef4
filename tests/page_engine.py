"""The scripts of pages in a JavaScript engine without a browser."""

import json
from pathlib import Path

from py_mini_racer import MiniRacer

from tb2learn.export.html import environment, source


class Taps:
    """The page of an event, whose names are tapped by number."""

    def __init__(self, data):
        self.engine = MiniRacer()
        self.engine.eval(Path(__file__).with_suffix(".js").read_text("utf-8"))
        script = source(environment(), "event_page.js")
        self.engine.eval(f"const open = (document) => {{ {script} }};")
        text = json.dumps(json.dumps(data))
        self.engine.eval(f"const page = makeDocument({text}); open(page); 0")

    def tap(self, team):
        """Tap a name."""
        target = f"{{ closest: () => ({{ dataset: {{ team: '{team}' }} }}) }}"
        self.engine.eval(f"page.fire('click', {{ target: {target} }}); 0")

    def panel(self, *teams):
        """The text of the panel after some names are tapped, which is then closed."""
        for team in teams:
            self.tap(team)
        text = self.engine.eval("page.panel()")
        self.engine.eval("page.fire('keydown', { key: 'Escape' }); 0")
        return text


class Calculator:
    """The calculator of a rule's page."""

    def __init__(self, data):
        self.engine = MiniRacer()
        script = source(environment(), "rule_page.js")
        text = json.dumps(json.dumps(data))
        self.engine.eval(
            f"const document = {{ getElementById: () => ({{ textContent: {text} }}) }};"
        )
        # What the user sees needs a page; what is added up does not.
        arithmetic, calls, _ = script.partition("showTable();\nshowCalculator();\n")
        assert calls
        self.engine.eval(arithmetic)

    def work_out(self, number, own, rounds):
        """Values, sum and the round left out, of a team in a pass."""
        sent = ", ".join(map(json.dumps, (number, own, rounds)))
        return json.loads(self.engine.eval(f"JSON.stringify(workOut({sent}))"))
