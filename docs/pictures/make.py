"""The pictures of the README: the top of the wall page of Baku 2016, and the working of a tie."""

import shlex
import tempfile
from pathlib import Path

import pypdfium2
from click.testing import CliRunner
from PIL import Image, ImageChops

from tb2learn.cli.program import program

HERE = Path(__file__).parent
WALL = "rank baku2016 --beside learned"
WORKING = "explain baku2016 Kazakhstan 'Czech Republic' --tiebreak learned"
SHEETS = {"wall": (WALL, 0.5), "working": (WORKING, 0.74)}
"""By name the command, and how much of the first page is shown."""


def picture(sheet: Path, height: float) -> Image.Image:
    """The first page of a PDF down to a share of its height, without the white around it."""
    with pypdfium2.PdfDocument(sheet) as pages:
        page = pages[0].render(scale=1.6).to_pil().convert("L")
    page = page.crop((0, 0, page.width, int(height * page.height)))
    box = ImageChops.invert(page).getbbox()
    assert box is not None
    return page.crop(box)


def main() -> None:
    """Write the pictures beside this file."""
    with tempfile.TemporaryDirectory() as folder:
        for name, (command, height) in SHEETS.items():
            sheet = Path(folder, f"{name}.pdf")
            arguments = [*shlex.split(command), "--out", str(sheet)]
            CliRunner().invoke(program, arguments, catch_exceptions=False)
            picture(sheet, height).save(HERE / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
