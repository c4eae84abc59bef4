"""A document as one HTML page, and what all pages share: templates, the content security policy."""

from __future__ import annotations

import base64
import functools
import hashlib
import json
from typing import Any

import jinja2

from tb2learn.export.document import Document, Part, cell_text
from tb2learn.export.words import in_language
from tb2learn.text import plain
from tb2learn.version import __version__


def document_html(document: Document) -> str:
    """A document as one HTML page without a script, to print on A4 in black and white."""
    style = source(environment(), "document.css")
    return (
        environment()
        .get_template("document.html")
        .render(
            document=in_language(document),
            plain=plain,
            shown=cell_text,
            kind=kind,
            style=style,
            policy=policy(style),
            version=__version__,
        )
    )


def kind(part: Part) -> str:
    """Which of its macros a template takes for a part."""
    return type(part).__name__


def policy(style: str, script: str = "", images: bool = False) -> str:
    """The content security policy of a page: its one style, its one script, and no requests at all.

    **Arguments:**

    - `style`, `script`: their texts, which are named by hashes; none for a page without a script.
    - `images`: whether the page holds images (`data:` addresses).
    """
    # Whatever is not named below is forbidden: fonts, frames, connections.
    directives = ["default-src 'none'", f"style-src '{_hash(style)}'"]
    directives += [f"script-src '{_hash(script)}'"] * bool(script) + ["img-src data:"] * images
    return "; ".join([*directives, "base-uri 'none'", "form-action 'none'"])


def embedded(content: Any) -> str:
    """JSON for a `script` element; without `<`, so that it cannot end the element."""
    # NaN is no JSON, and no page has one.
    text = json.dumps(content, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def _hash(source: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(source.encode()).digest()).decode("ascii")


@functools.cache
def environment(package: str = "tb2learn.export") -> jinja2.Environment:
    """The page templates of a package: values are made safe, unknown names are errors."""
    return jinja2.Environment(
        loader=jinja2.PackageLoader(package),
        autoescape=True,
        # Control characters are escaped wherever a text is put in.
        finalize=lambda value: plain(value) if type(value) is str else value,
        # A misspelt name is an error, not an empty text.
        undefined=jinja2.StrictUndefined,
        # Lines with statements alone leave nothing behind.
        trim_blocks=True,
        lstrip_blocks=True,
    )


def source(templates: jinja2.Environment, name: str) -> str:
    """The text of a template, not rendered."""
    assert templates.loader is not None
    return templates.loader.get_source(templates, name)[0]
