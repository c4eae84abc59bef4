"""Draw halves.svg: whom two equal teams meet in round 1, the upper half against the lower one.

`python docs/pictures/halves.py > docs/pictures/halves.svg`
"""

TEAMS, WIDTH, STEP = 180, 520, 30
ROWS = (1, 20, 60, 90)  # numbers of the upper half; each meets the one half a field below
NOTES = {
    20: "a stronger team",
    60: "a weaker team",
}  # what the opponents of the two equal teams are
INK, UPPER, LOWER, MARK = "#222222", "#4477aa", "#999999", "#cc6677"


def text(x: int, y: int, words: str, anchor: str = "start", colour: str = INK) -> str:
    """A line of words."""
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{colour}">{words}</text>'


def pair(row: int, y: int) -> list[str]:
    """Two teams, the line between them, and their numbers."""
    other, marked = row + TEAMS // 2, row in NOTES
    colour, width = (MARK, 3) if marked else (LOWER, 1)
    note = f": {NOTES[row]}" if marked else ""
    return [
        f'<line x1="180" y1="{y}" x2="290" y2="{y}" stroke="{colour}" stroke-width="{width}"/>',
        f'<circle cx="170" cy="{y}" r="9" fill="{UPPER}"/>',
        f'<circle cx="300" cy="{y}" r="9" fill="{LOWER}"/>',
        text(154, y + 4, f"number {row}", "end", MARK if marked else INK),
        text(316, y + 4, f"number {other}{note}"),
    ]


def picture() -> str:
    """The whole picture."""
    height = 50 + STEP * (len(ROWS) + 1)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        'font-family="sans-serif" font-size="11">',
        "<title>Round 1: the upper half of the list meets the lower half, in order</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
        text(170, 30, "upper half", "middle", UPPER),
        text(300, 30, "lower half", "middle"),
        text(170, 46, "higher seeds", "middle"),
        text(300, 46, "lower seeds", "middle"),
    ]
    for place, row in enumerate(ROWS, 1):
        lines += pair(row, 50 + STEP * place)
    return "\n".join([*lines, "</svg>"]) + "\n"


if __name__ == "__main__":
    print(picture(), end="")
