"""Draw the README's picture from the committed table: `make reports` runs it."""

from pathlib import Path

from tb2learn import checkpoint, report
from tb2learn.tables import product_table

table = checkpoint.load("olympiad-180x11").rule()
product = product_table(table.event_rounds, table.boards)
path = Path(__file__).parent / "figures" / "surface.png"
path.parent.mkdir(exist_ok=True)
report.surface_figure(table, product, own=18).savefig(path, dpi=110)
print(path)
