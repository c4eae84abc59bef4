"""The page's script in a JavaScript engine without a browser."""

import json
from contextlib import contextmanager
from pathlib import Path

from py_mini_racer import MiniRacer

from tb2learn.export.page.page import page_data, script

OFFERED = (
    "Refused, eventIn, readingOf, ranked, rank, rankingCsv, matchPoints, usualPolicy, orderLine, "
    "verdictOn, workingOf, workOut, rescaledTables, writtenDate, plain, folded"
)
"""What the page is asked for."""


class Engine:
    """Pages of rules, each made once; `ask` calls a function of a page."""

    def __init__(self):
        self.context, self.pages = MiniRacer(), set()
        self.context.eval(Path(__file__).with_suffix(".js").read_text("utf-8"))
        code = f"const document = {{ getElementById: () => ({{ textContent }}) }};\n{script(False)}"
        self.context.eval(f"function makePage(textContent) {{\n{code}\nreturn {{ {OFFERED} }}; }}")

    def page(self, rule, language="en"):
        """The name of the page of a rule."""
        name = f"{rule.name}-{rule.event_rounds}-{rule.boards}-{language}"
        if name not in self.pages:
            data = json.dumps(json.dumps(page_data(rule, language)))
            self.context.eval(f"PAGES[{json.dumps(name)}] = makePage({data}); 0")
            self.pages.add(name)
        return name

    def call(self, function, *arguments):
        """What a function gives, which takes and gives JSON."""
        sent = ", ".join(map(json.dumps, arguments))
        return json.loads(self.context.eval(f"JSON.stringify({function}({sent}))"))

    def ask(self, rule, function, *arguments):
        """What a function of the page of a rule gives."""
        return self.call(f"PAGES[{json.dumps(self.page(rule))}].{function}", *arguments)

    def answer(self, rule, files, asked=None, policies=("baku2016",), language="en"):
        """The event of some files, with the standings under some policies; or the refusal."""
        sent = [[name, data.decode("latin-1")] for name, data in files.items()]
        return self.call("answer", self.page(rule, language), sent, asked or {}, list(policies))


@contextmanager
def engine():
    """An engine, which has to be closed."""
    made = Engine()
    try:
        yield made
    finally:
        made.context.close()
