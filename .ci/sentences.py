"""Sentences of the documentation: at most 40 words each, and 25 in the mean of a page.

`python .ci/sentences.py FILE...` prints those that are longer, with file and line, and then exits
with status 1. Code, tables, headings and pictures are not sentences; an item of a list ends one.
"""

import re
import sys
from pathlib import Path

MOST, MEAN = 40, 25

_NO_PROSE = re.compile(r"^\s*(\||#|!\[|\{%|>?\s*$|---)")
_ITEM = re.compile(r"^\s*([*+-]|\d+\.)\s+")
_CODE = re.compile(r"`[^`]*`")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_VALUE = re.compile(r"\{\{.*?\}\}|\{%.*?%\}")
# Not of an initial ("M. Naray"), nor within a number.
_END = re.compile(r"(?<=[^\s.][\w)\]\"”*%])[.!?][\"”)*_]*(?=\s|$)")


def paragraphs(text: str) -> list[tuple[int, str]]:
    """Paragraphs and items of lists, each with the number of its first line."""
    found: list[tuple[int, str]] = []
    inside, code = False, False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            inside, code = False, not code
            continue
        if code or _NO_PROSE.match(line):
            inside = False
            continue
        if _ITEM.match(line) or not inside:
            found.append((number, _ITEM.sub("", line)))
        else:
            first, so_far = found[-1]
            found[-1] = first, f"{so_far} {line.strip()}"
        inside = True
    return found


def sentences(paragraph: str) -> list[str]:
    """The sentences of a paragraph; code, a link and a value that is filled in are a word each."""
    plain = _VALUE.sub("1", _CODE.sub("Code", _LINK.sub(r"\1", paragraph)))
    return [one for one in _END.split(plain) if re.search(r"\w", one)]


def main(paths: list[str]) -> int:
    """Print what is too long; the exit status."""
    wrong = 0
    for path in paths:
        lengths = []
        for line, paragraph in paragraphs(Path(path).read_text("utf-8")):
            for sentence in sentences(paragraph):
                words = len(re.findall(r"\S*\w\S*", sentence))
                lengths.append(words)
                if words > MOST:
                    wrong += 1
                    print(f"{path}:{line}: {words} words: {sentence.strip()[:90]} ...")
        mean = sum(lengths) / max(1, len(lengths))
        if mean > MEAN:
            wrong += 1
            print(f"{path}: {mean:.1f} words a sentence in the mean, at most {MEAN}")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
