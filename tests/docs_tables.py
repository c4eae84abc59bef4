"""Tables of the documentation that follow from the package: `python tests/docs_tables.py`.

Each stands after the line of its heading; a test says which ones are not up to date.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def formats():
    """One row a form of a file format."""
    from tb2learn.events.formats import registry

    yield "| `--form` | `--to` | ending | what it is | events of | what it does not hold |"
    yield "|---|---|---|---|---|---|"
    for one in registry.FORMATS:
        endings = ", ".join(f"`{ending}`" if ending else "a folder" for ending in one.endings)
        for name, form in one.forms.items():
            newest = endings if registry.by_ending()[one.endings[0]] == name else ""
            lost = form.loses or "nothing"
            yield f"| `{one.name}` | `{name}` | {newest} | {form.help} | {one.of} | {lost} |"
        if not one.forms:
            yield f"| `{one.name}` | | | {one.title} | {one.of} | |"


TABLES = {"docs/events.md": formats}


def table_of(name):
    """The table of a page as it should stand there."""
    return "\n".join(TABLES[name]()) + "\n"


def main():
    """Write every table into its page, instead of the one with the same heading."""
    for name in TABLES:
        page, table = ROOT / name, table_of(name)
        heading = re.escape(table.split("\n")[0])
        old = re.compile(rf"^{heading}\n(?:\|.*\n)*", re.MULTILINE)
        text = page.read_text("utf-8")
        if not old.search(text):
            sys.exit(f"{name} has no table with this heading")
        page.write_text(old.sub(lambda _, new=table: new, text, count=1), "utf-8")


if __name__ == "__main__":
    main()
