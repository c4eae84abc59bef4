"""The command that prints the rounds of a round robin."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from tb2learn.chess import ORDERS
from tb2learn.cli import arguments
from tb2learn.cli.arguments import command
from tb2learn.cli.output import say
from tb2learn.cli.printing import chosen_form, deliver, form_options
from tb2learn.export.forms import PRINTED

if TYPE_CHECKING:
    from tb2learn.chess import Order


@command(
    "tb2learn schedule 14",
    "tb2learn schedule 14 --double",
    "tb2learn schedule 7 --out seven.csv",
    "tb2learn schedule 10 --double --out wall.pdf",
    "tb2learn schedule 14 --order rutch-berger",
)
@click.argument(
    "players",
    type=arguments.count("players", 2, 1000),
    metavar="PLAYERS",
    help="how many players or teams, 2..1000; of an odd number one rests in every round",
)
@click.option(
    "--double",
    is_flag=True,
    show_default=False,
    help="everybody meets everybody twice, with colours turned round",
)
@click.option(
    "--order",
    type=click.Choice(ORDERS),
    default=ORDERS[0],
    help="of the rounds: Berger's, which FIDE prints; or the poorer one of Rutch and Berger",
)
@form_options(PRINTED)
def schedule(players: int, double: bool, order: Order, format: str | None, out: str | None) -> None:
    """The rounds and colours of a round robin (Berger tables).

    Players are numbered by lot; the first of each pair has White. What the colours are like is
    written to standard error. As pdf at most 40,000 games, as xlsx 500,000.
    """
    from tb2learn.chess.berger import round_robin
    from tb2learn.export import berger_table

    form = chosen_form(format, out, PRINTED)
    berger_table.check_size(players, double, form)
    rounds = round_robin(players, 1 + double, order)

    def page(form: str) -> bytes:
        from tb2learn.export.forms import printed

        kind = "Double round robin" if double else "Round robin"
        return printed(berger_table.schedule_document(rounds, f"{kind} of {players}"), form)

    texts = {
        "table": partial(berger_table.schedule_table, rounds),
        "csv": partial(berger_table.schedule_csv, rounds),
        "json": partial(berger_table.schedule_json, rounds),
    }
    deliver(form, out, texts, {name: partial(page, name) for name in PRINTED})
    for line in berger_table.colour_lines(rounds):
        say(line)
