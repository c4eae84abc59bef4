"""Read an event from FIDE's Tournament Report File (TRF), versions of 2016 and 2026.

A file has players and their opponents but no matches: a match consists of the games between members
of two teams in a round. Lines become records, and these rows (`trf_records`); what is unclear is
assumed with a note (`trf_repairs`); who sat where gives the matches (`trf_boards`), and what rounds
pay stands in `trf_points`. All of it fills a `Draft`, which `draft.event_of` completes as that of
any format. Conventions where the format is ambiguous:

- A board is a game, or a point won or lost by default. Boards are numbered in the order of the
  line-ups: record 300, else the order of the team in 310, else in 013. If the line-ups of both
  teams contradict each other, the one of the team with the lower number counts.
- Two players with the opponent `0000`, not both winners, are paired if each is the next one in the
  line-up of his team.
- Colours that are not recorded follow record 352; without it they alternate, white first.
- A team without an opponent has the bye of record 320 or 240, else the best entry of its players,
  in this order: win by default, F, U, H, Z, loss by default.
- Symbols of record 162 start in columns 6, 15, 24, ... (as in FIDE's table), not 5, 13 (as in its
  text).
- A team without a match in a file that tells of no bye at all had the pairing-allocated bye, if it
  is the only one in its round that did not leave the event. Points in the file say what it paid.
- A record 299 with teams and a round gives their points in that round; otherwise it gives the
  points of all results of its type. Without a type it is a penalty: it changes the totals in the
  standings from the round on that it names, in round 999 (or without a round) those of the whole
  event, and no tie-break.
- Other types of records (national ratings, readable cross-tables) are not read; they are listed in
  `TeamEvent.left_alone`.

Two different results of one game, a team in two matches of a round and points for a result that no
record explains are always refused.
"""

from __future__ import annotations

import re

from tb2learn.events.files import trf_points as points
from tb2learn.events.files import trf_repairs as repairs
from tb2learn.events.files.dates import written_date
from tb2learn.events.files.options import Reading
from tb2learn.events.files.pairings import Draft
from tb2learn.events.files.schedules import decide_system
from tb2learn.events.files.source import DATES, MAX_NAME, Content
from tb2learn.events.files.trf_boards import Forfeit, read_matches
from tb2learn.events.files.trf_records import (
    ABOUT,
    COLUMNS,
    INITIAL,
    NAME,
    ORDER,
    PAIRING,
    UNPLAYED,
    Columns,
    Place,
    Trf,
    TrfRecord,
    read_entrants,
    read_entries,
    read_lines,
    sort_entries,
    tell_kind,
)
from tb2learn.events.model import INITIAL_COLOUR, PAIRING_RULES, SCHEVENINGEN, TIEBREAKS
from tb2learn.events.system import Meeting, System, said_system
from tb2learn.text import tidy
from tb2learn.types import MAX_BOARDS, MAX_ROUNDS, InputError


def read_trf(content: Content, options: Reading) -> Draft:
    """What a Tournament Report File of either version says of an event.

    A file without teams is one of an individual event. Lines end with CR, LF or CRLF. The matches
    of a round are numbered in the order of the lower of their team numbers.

    **Raises:** `InputError`, one line with file, line and columns, for a file that is not a valid
    event.
    """
    trf = read_lines(content, options)
    # Every step needs what those before it have put into `trf`.
    repairs.names_by_bytes(trf)
    repairs.realign_columns(trf)
    tell_kind(trf)
    points.read_payments(trf)
    _read_about(trf)
    entries = read_entries(trf, read_entrants(trf))
    repairs.plain_results(entries)
    sort_entries(trf, entries)
    if trf["299"]:
        points.read_abnormal(trf)
    repairs.stray_rounds(trf)
    repairs.pair(trf)
    trf.say_unfinished()
    forfeits = _read_forfeits(trf)
    trf.colours = _colours(trf)
    repairs.resting(trf)
    trf.rounds = max((key[0] for key in (*trf.entries, *forfeits)), default=0)
    trf.system = _system(trf)
    if trf.individual:
        repairs.blank_half_points(trf)
    matches = read_matches(trf, forfeits)
    points.read_printed(trf)
    points.compare_totals(trf, points.settle_results(trf, matches))
    if not (options.before_first or any(pairing.games for pairing in matches.values())):
        raise InputError(f"{trf.file}: must have at least one game of a finished round")
    # How many players and teams there are follows from the others.
    trf.left_alone = [f"records {kind}" for kind in sorted(trf.others - {"062", "072", "082"})]
    return trf


# ----------------------------------------------------------------------------------- the event


def _read_about(trf: Trf) -> None:
    """Name, city, dates and so on; with notes on texts that had to be shortened."""
    about: dict[str, str] = {}
    for record, key in ((NAME, "name"), *ABOUT.items()):
        text = ", ".join(filter(None, (tidy(line.cut(5)) for line in trf[record])))
        # Long lists of arbiters are common, and matter to nobody's place.
        if len(text) > MAX_NAME:
            trf[record][0].note_repair(f"record {record} is cut to {MAX_NAME} characters", "")
            text = text[:MAX_NAME].rstrip()
        if text:
            about[key] = (key in DATES and _date(trf[record][0], text)) or text
    if any(re.search("ROUND.?ROBIN", line.cut(5).upper()) for line in trf[PAIRING]):
        # The pairing system says it where the type of the event is not given.
        about.setdefault("type", "Round Robin")
    if any(SCHEVENINGEN in line.cut(5).casefold() for line in trf[PAIRING]):
        about.setdefault("type", "Scheveningen")
    for line in trf[PAIRING]:
        code = tidy(line.cut(5))
        # Codes of other programs say nothing about the rules.
        if not trf.individual and re.match("FIDE_(?!.*ROUND.?ROBIN)", code.upper()):
            about.setdefault(PAIRING_RULES, code[:MAX_NAME])
    for line in trf[INITIAL]:
        if line.cut(5) in ("W", "B"):
            about.setdefault(INITIAL_COLOUR, line.cut(5))
        else:
            line.note_repair("an initial colour that is none is left out", "")
    # The pairing system names the points that decide first: `FIDE_TEAM_BAKU_GP_MP`.
    scores = [re.findall("_([MG]P)", line.cut(5)) for line in trf[PAIRING]]
    points = "GPTS" if any(codes[:1] == ["GP"] for codes in scores) else "PTS"
    for record, first in ORDER.items():
        # The first type of record that has a list counts.
        listed = first + ",".join(line.cut(5).strip(" ,") for line in trf[record])
        if listed != first:
            about.setdefault(TIEBREAKS, re.sub(r"\bPTS\b", points, listed)[:MAX_NAME])
    trf.name, trf.about = about.pop("name", None) or trf.name, about


def _system(trf: Trf) -> System:
    """What the event is: by the code of its pairing system, else by its type, else its pairs.

    Letters of byes that are asked for or allocated, and records of these, are those of a Swiss.
    """
    coded = " ".join(line.cut(5) for line in trf[PAIRING])
    said = coded if said_system(coded) else trf.about.get("type", "")
    if not said_system(said) and (trf["240"] or trf["320"] or _has_byes(trf)):
        said = "swiss"
    meetings = list[Meeting]()
    for (r, team), opponent in trf.opponent_of_team.items():
        entry = trf.entries.get((r, team)) if trf.individual else None
        # Of teams the lower number stands first, and no table is told by its sides.
        is_first = entry.colour == "w" if entry and entry.colour else team < opponent
        meetings += [Meeting(r, team, opponent)] * is_first
    drawn = [Meeting(trf.unfinished, a, b) for a, b in trf.drawn if b is not None]
    pairs, entrants = {*meetings, *drawn}, len(trf.names)
    return decide_system(pairs, entrants, trf.planned, said, trf.options, trf.notes)


def _has_byes(trf: Trf) -> bool:
    return any({*letters} & {"F", "H", "U"} for letters in trf.letters.values())


def _date(line: TrfRecord, text: str) -> str:
    """A date as `2016-09-02`; empty if it is none, which a note says of the start.

    The form has the year first, and some programs write two digits of it.
    """
    date = written_date(text)
    if not date and re.fullmatch("[0-9]{2}/[0-9]{2}/[0-9]{2}", text, re.ASCII):
        date = written_date(f"{20 if text < '70' else 19}{text}")
        if date:
            about = "a date with a year of two digits has the year first"
            line.note_repair(f"{about}: {text} is {date}", wrong="")
    # The edition of the rules depends on the day of the start alone.
    if not date and ABOUT[line.kind] == "start":
        line.notes.say(f"the date in record {line.kind} is not understood", line)
    return date


def _colours(trf: Trf) -> str:
    """Colours of the first team, board by board; empty without record 352."""
    colours = ""
    for line in trf["352"]:
        letters = line.cut(5).upper()
        if re.fullmatch(f"[WB]{{1,{MAX_BOARDS}}}", letters):
            colours = letters
        else:
            line.note_repair("board colours that are none are left out", "")
    return colours


# ------------------------------------------------------------------------------ forfeits, matches

FORFEITS = {a + b: (UNPLAYED[a], UNPLAYED[b]) for a, b in ("+-", "-+", "--")}
_BOTH = Columns(COLUMNS["330"]["white"][0], COLUMNS["330"]["black"][1], "teams")


def _read_forfeits(trf: Trf) -> dict[Place, Forfeit]:
    """The forfeited matches of records 330 in finished rounds, by round and lower team."""
    forfeits: dict[Place, Forfeit] = {}
    for line in trf["330"]:
        points = FORFEITS.get(line.text("type"))
        if points is None:
            raise line.error("type", f"one of {', '.join(FORFEITS)}")
        round_number = line.integer("round", 1, MAX_ROUNDS)
        white, black = (line.team(field, trf.teams) for field in ("white", "black"))
        if round_number >= trf.unfinished:
            continue
        # A forfeited match also says who met whom, where no entry does.
        if not trf.meet(round_number, white, black):
            raise line.error(_BOTH, "the teams of one match of the round")
        place = round_number, min(white, black)
        # A match that is forfeited is over.
        trf.open.pop(place, None)
        if place in forfeits:
            raise line.error(_BOTH, "each match once")
        forfeits[place] = Forfeit(line, white, dict(zip((white, black), points, strict=True)))
    return forfeits
