"""Draw halves.svg: two equal teams in the halves of their score group, and whom they meet.

`python docs/pictures/halves.py > docs/pictures/halves.svg`
"""

TEAMS, WIDTH, STEP = 8, 470, 30
HIGH, LOW = 2, 7  # places of the two teams in a score group of eight, from 1
NAMES = {HIGH: "number 20", LOW: "number 60"}
NOTES = {HIGH: "meets a weaker team", LOW: "meets a stronger team"}
INK, UPPER, LOWER, MARK = "#222222", "#4477aa", "#999999", "#cc6677"


def text(x: int, y: int, words: str, anchor: str = "start", colour: str = INK) -> str:
    """A line of words."""
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{colour}">{words}</text>'


def group() -> list[str]:
    """One score group: its upper half on the left, its lower half on the right, and the pairs."""
    parts, half = [], TEAMS // 2
    for row in range(1, half + 1):
        y = 50 + STEP * row
        pair = {row, row + half}
        marked = pair & {HIGH, LOW}
        colour, width = (MARK, 3) if marked else (LOWER, 1)
        line = f'<line x1="180" y1="{y}" x2="290" y2="{y}"'
        parts.append(f'{line} stroke="{colour}" stroke-width="{width}"/>')
        for place, x, fill in ((row, 170, UPPER), (row + half, 300, LOWER)):
            parts.append(f'<circle cx="{x}" cy="{y}" r="9" fill="{fill}"/>')
            side = ("end", x - 16) if place <= half else ("start", x + 16)
            if place in NAMES:
                parts.append(text(side[1], y - 2, NAMES[place], side[0], MARK))
                parts.append(text(side[1], y + 11, NOTES[place], side[0]))
    return parts


def picture() -> str:
    """The whole picture."""
    height = 50 + STEP * (TEAMS // 2 + 1)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        'font-family="sans-serif" font-size="11">',
        "<title>The two halves of a score group</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
        text(170, 30, "upper half", "middle", UPPER),
        text(300, 30, "lower half", "middle"),
        text(170, 46, "higher seeds", "middle"),
        text(300, 46, "lower seeds", "middle"),
        *group(),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(picture(), end="")
