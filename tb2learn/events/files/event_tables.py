"""Read an event from the tables of a folder: matches of teams or games of players, and who plays.

`matches.csv` has one row per match; in an event recorded without rounds (a cross-table) `round` is
empty in every row. Optional tables are `teams.csv` (the teams in start order, with ratings),
`players.csv`, `boards.csv` (one row per game), `event.csv` (other facts, one key and value per row)
and `penalties.csv` (points below 0 by team and round, which change the standings and no tie-break).

In an individual event `matches.csv` has one row per game, with the columns `round`, `white_player`,
`black_player` and `result`. A row without `black_player` is a bye of White: `bye` says which (see
`parts.BYES`), by default the pairing-allocated one, which pays as much as a win. Optional columns:
`match` (the number of the game in its round), `status` (`forfeit` for a game that was not played),
`white_points` and `black_points` (where a game or bye scored otherwise), ratings and FIDE numbers.
`players.csv` may list the players in start order. Players are told apart by name, or by the column
`team` of `players.csv` where two have the same one.

A match or game without a result is open: of a round in which others were played it is kept as such,
other rounds are left out.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import pairwise

from tb2learn.events.files.dates import written_date
from tb2learn.events.files.fields import Entrants, Notes
from tb2learn.events.files.groups import PartMeeting, parts_to_read
from tb2learn.events.files.headings import (
    FILES,
    GAME_COLUMNS,
    NO_OPPONENT,
    NOT_PAIRED,
    REQUIRED,
    SIDES_OF_A_MATCH,
    START,
    columns_of,
    folded,
    heads_matches,
)
from tb2learn.events.files.options import Reading, reading
from tb2learn.events.files.pairings import BOARDS, Draft, Pairing
from tb2learn.events.files.rows import Sheet
from tb2learn.events.files.scores import is_open, player_points
from tb2learn.events.files.source import MAX_FIDE_ID, MAX_NAME
from tb2learn.events.files.table_rows import (
    MOST_TITLES,
    TableColumns,
    TableRow,
    table_rows,
    unread_note,
)
from tb2learn.events.model import INITIAL_COLOUR, PAIRING_RULES, TIEBREAKS
from tb2learn.events.parts import Penalty, Player, bye_half_points
from tb2learn.text import quoted, tidy
from tb2learn.types import MAX_BOARDS, MAX_ROUNDS, InputError

ABOUT = (
    "order", "city", "federation", "start", "end", "type", "arbiter", "deputy", "time",
    PAIRING_RULES, INITIAL_COLOUR, TIEBREAKS,
)  # fmt: skip
"""Keys of `event.csv` besides `name`, `rounds` (planned) and `boards`."""
_DATE = frozenset(("date", "datum", "fecha", "data", "dato", "day", "tag", "дата"))
"""Headings of the days of matches."""
INFERRED, UNSURE = "inferred", "unsure"
"""In the columns that say what a fact rests on: it follows from others, or it may be wrong.

These are `name_by` of `teams.csv` and `result_by` of `matches.csv`.
"""
NOTHING = (
    "a match 0-0 without boards is a draw of nothing: is it not played yet (then leave its points "
    "empty), or lost by both sides (then set match_points_a and match_points_b)?"
)
"""The note on a match in which nobody scored."""
PARTS = ("group", "season")
"""Columns of a table of matches that say of which event a row is."""
_MOST_PENALTY = 99
_Place = tuple[int, int]
"""Round, 0 for none, and number of a match."""


@dataclass
class Tables:
    """The tables of an event, with what the user says about them."""

    sheets: Mapping[str, Sheet]  # by their names in `FILES`
    name: str  # of the event, unless `event.csv` gives one
    file: str  # named in messages about all of it
    options: Reading
    notes: Notes
    parts: Set[str] | None = None  # of the table of matches, those that are read; None for all
    entrants: Set[str] = frozenset()  # who plays in these parts
    seen: list[TableColumns] = field(default_factory=list)  # the columns of what was read

    def rows(self, table: str, *required: str, quiet: bool = False) -> Iterator[TableRow]:
        """The rows of a table; none if it is missing.

        **Arguments:** `required`: columns that it must have, if not those of team events; `quiet`:
        without notes, and with any columns.
        """
        if table not in self.sheets:
            return
        notes = Notes(self.notes.strict) if quiet else self.notes
        columns = () if quiet else required or REQUIRED[table]
        sheet = self.sheets[table]
        if table == FILES[0] and not self.notes.strict:
            sheet, about = with_rounds(sheet)
            if about and not quiet:
                notes.note_assumption(f"{table}: {about}")
        # Sheets of a workbook may each have the matches of a round.
        part = ""
        for of_sheet in (sheet, *sheet.more):
            seen = None if quiet else self.seen
            for row in table_rows(of_sheet, columns, notes, table, seen):
                if table == FILES[0]:
                    part = self._part(row, of_sheet.name, part)
                if self._is_read(row, table, part):
                    yield row

    def _part(self, row: TableRow, sheet: str, above: str) -> str:
        """What the file names the part in which a row stands: group, season, sheet."""
        texts = [tidy(row.text(column)) for column in PARTS if row.has(column)]
        # Joined cells say it in the first of their rows alone.
        if any(texts) or not texts:
            names = [*texts, sheet] if self.sheets[FILES[0]].more else texts
            return " ".join(filter(None, names))
        return above

    def _is_read(self, row: TableRow, table: str, part: str) -> bool:
        """Whether a row is of the parts that are read, or of one who plays in them."""
        if self.parts is None:
            return True
        if table == FILES[0]:
            return part in self.parts
        of = next(filter(row.has, ("team", "white_team", "name")), "")
        return not of or tidy(row.text(of)) in self.entrants

    def choose_parts(self, first: TableRow | None) -> None:
        """Ask whether the table of matches, with this first row, has several events."""
        are_groups = first is not None and any(map(first.has, PARTS))
        if first is None or not (are_groups or self.sheets[FILES[0]].more):
            return
        meetings, part = list[PartMeeting](), ""
        for of_sheet in (self.sheets[FILES[0]], *self.sheets[FILES[0]].more):
            for row in table_rows(of_sheet, (), Notes(self.notes.strict), FILES[0]):
                part = self._part(row, of_sheet.name, part)
                meetings.append(PartMeeting(part, row.text("round"), _sides(row)))
        file, _, _ = self.file.partition(": sheet ")
        self.parts = parts_to_read(meetings, file, self.options.group, are_groups)
        parts = [*dict.fromkeys(meeting.part for meeting in meetings)]
        if self.parts is not None:
            self.entrants = {e for m in meetings if m.part in self.parts for e in m.entrants}
            self.name = ", ".join([self.name, *filter(self.parts.__contains__, parts)])[:MAX_NAME]
        elif are_groups and len(parts) > 1:
            names = ", ".join(map(quoted, parts[:4]))
            about = f"groups whose entrants meet are one event: {names}"
            self.notes.note_assumption(f"{FILES[0]}: {about}")

    def say_unread(self) -> None:
        """Name the columns that nobody has read, of every table."""
        for columns in self.seen:
            # Who plays changes no point.
            aside = "" if columns.table in (START, "players.csv", "event.csv") else None
            if columns.unread:
                about = f"{columns.table}: {unread_note(columns.unread)}"
                self.notes.note_assumption(about, aside=aside)

    def refuse_halves(self) -> None:
        """Refuse a table in which rounds begin again, with matches of the same entrants.

        The caller knows that somebody plays twice in a round.
        """
        last, seen = 0, set[tuple[str, str]]()
        for row in self.rows(FILES[0], quiet=True):
            text = row.text("round")
            number = int(text) if text.isdecimal() and len(text) < 4 else last
            played = {(text, side) for side in _sides(row)}
            if number < last and played <= seen:
                text = (
                    f"{self.file}: line {row.number}: round {number} begins again, with the same "
                    f"{'players' if row.has('white_player') else 'teams'}: two events in one file, "
                    "of which each needs a name in a column Group, or a file of its own"
                )
                raise InputError(text)
            last, seen = number, seen | played


def _sides(row: TableRow) -> tuple[str, ...]:
    """Who meets in a row of a table of matches."""
    sides = (tidy(row.text(side)) for side in SIDES_OF_A_MATCH)
    return tuple(s for s in sides if s and folded(s) not in NO_OPPONENT | NOT_PAIRED)


def read_tables(sheets: Mapping[str, Sheet], name: str, options: Reading) -> Draft:
    """What the tables of a folder say, by their names; `name`: of the event, if none has it."""
    # Before the first match there may be a list of teams alone, or headings without a row.
    if options.before_first and FILES[0] in sheets:
        rows = sum(any(map(str.strip, values)) for _, values in sheets[FILES[0]].rows())
        sheets = {t: sheet for t, sheet in sheets.items() if t != FILES[0] or rows > 1}
    file = (sheets.get(FILES[0]) or next(iter(sheets.values()))).file
    tables = Tables(sheets, name, file, options, Notes(options.strict))
    about = _about(tables)
    first = next(tables.rows(FILES[0], quiet=True), None)
    tables.choose_parts(first)
    individual = first is not None and first.has("white_player") and not first.has("team_a")
    if options.individual and not individual:
        raise InputError(
            "--individual is for TRF and PGN files, whose games are by players: matches.csv has "
            "matches of teams"
        )
    word, list_of = ("player", "players.csv") if individual else ("team", "teams.csv")
    entrants = Entrants(word, list_of if list_of in sheets else "")
    draft = Draft(about.get("name", tables.name), file, options, tables.notes, individual)
    draft.is_part = tables.parts is not None
    (_read_games if individual else _read_matches)(tables, about, entrants, draft)
    draft.names = tuple(entrants.numbers)
    # Without such a list entrants stand as they appear, and start order is not known.
    draft.starts = range(1, 1 + len(draft.names)) if list_of in sheets else ()
    draft.planned = int(about.get("rounds", 0))
    draft.about = {key: about[key] for key in ABOUT if key in about}
    draft.penalties = _penalties(tables, entrants)
    tables.say_unread()
    return draft


def _about(tables: Tables) -> dict[str, str]:
    """Keys and values of `event.csv`; unknown keys are ignored."""
    about: dict[str, str] = {}
    for row in tables.rows("event.csv"):
        key = row.text("key")
        if key in about:
            raise row.error("key", "each key once")
        if key in ("match_points", "bye_points"):
            try:
                reading(**{key: row.text("value")})  # pyright: ignore[reportArgumentType]
            except InputError as error:
                raise row.error("value", f"points: {error}") from error
        if key == INITIAL_COLOUR and row.text("value") not in ("", "W", "B"):
            raise row.error("value", "W or B")
        if key in ("rounds", "boards"):
            limit = MAX_ROUNDS if key == "rounds" else MAX_BOARDS
            about[key] = str(row.integer("value", 1, limit))
        elif key not in ABOUT or row.text("value") or tables.notes.strict:
            about[key] = row.name("value")
    return about


def _penalties(tables: Tables, entrants: Entrants) -> list[Penalty]:
    """Points taken from teams, or given to them."""
    penalties: list[Penalty] = []
    for row in tables.rows("penalties.csv"):
        team = row.known(entrants)
        round_number = row.integer("round", 1, MAX_ROUNDS, default=0)
        points = row.half_points("match_points", _MOST_PENALTY, -_MOST_PENALTY) or 0
        half = row.half_points("game_points", _MOST_PENALTY, -_MOST_PENALTY) or 0
        # Half a match point is none.
        if points % 2:
            raise row.error("match_points", "a whole number")
        for column, value in (("match_points", points), ("game_points", half)):
            # A penalty without its minus would be a gift.
            if value > 0 and not row.text(column).startswith("+"):
                raise row.error(column, "below 0, or with a plus sign")
        penalties.append(Penalty(team, round_number, points // 2, half))
    return penalties


def with_rounds(sheet: Sheet) -> tuple[Sheet, str]:
    """A table of matches that has dates and no rounds, with rounds; and a note on how it was read.

    Dates are rounds, in order, if nobody plays twice on a day; else rounds are not known.
    """
    lines = [line for line in sheet.rows() if any(map(str.strip, line[1]))]
    heads = (k for k, (_, values) in enumerate(lines[:MOST_TITLES]) if heads_matches(values))
    first = next(heads, None)
    if first is None:
        return sheet, ""
    columns = columns_of(lines[first][1])
    dates = [k for k, name in enumerate(lines[first][1]) if folded(name) in _DATE]
    sides = [k for k, name in enumerate(columns) if name in SIDES_OF_A_MATCH]
    if "round" in columns or not dates or len(sides) != 2:
        return sheet, ""
    below = lines[first + 1 :]
    days = [values[dates[0]].strip() if dates[0] < len(values) else "" for _, values in below]
    order = sorted(set(days), key=lambda day: written_date(day) or day)
    busy = Counter(
        (day, values[k].strip())
        for day, (_, values) in zip(days, below, strict=True)
        for k in sides
        if k < len(values)
    )
    known = all(map(written_date, days)) and max(busy.values(), default=1) == 1
    known = known and len(order) <= MAX_ROUNDS
    sides_on: dict[str, set[str]] = defaultdict(set)
    for day, (_, values) in zip(days, below, strict=True):
        sides_on[day] |= {values[k].strip() for k in sides if k < len(values)}
    alone = _alone_on_a_day(order, sides_on) if known else ""
    rounds = {day: str(number) for number, day in enumerate(order, start=1)} if known else {}
    header = (lines[first][0], ["round", *lines[first][1]])
    rows = [(n, [rounds.get(day, ""), *v]) for day, (n, v) in zip(days, below, strict=True)]
    how = (
        f"the dates are taken for rounds: {len(order)}{alone}"
        if known
        else "there are dates and no rounds: rounds are not known"
    )
    return replace(sheet, rows=lambda: [*lines[:first], header, *rows]), how


def _alone_on_a_day(order: Sequence[str], sides: Mapping[str, Set[str]]) -> str:
    """The end of a note that names a day with one match, which the day before or after lacks."""
    most = max(map(len, sides.values()), default=0)
    for day, following in [*pairwise(order), *((b, a) for a, b in pairwise(order))]:
        # Together they are a round like the others, in which nobody plays twice.
        few = len(sides[day]) == 2 < most
        if few and not sides[day] & sides[following] and len(sides[following]) + 2 == most:
            names = " - ".join(name[:40] for name in sorted(sides[day]))
            return f"; {day} has one match alone ({names}), which {following} lacks: is it a slip?"
    return ""


class _Rounds:
    """Takes round and number of row after row: rounds in all rows or in none, numbers once."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._numbers: set[_Place] = set()
        self._busy: set[_Place] = set()
        self._in_rounds = True

    def place(self, row: TableRow) -> _Place:
        """Round, 0 for none, and number of a match."""
        number = row.integer("match", 0, 10**6, default=len(self._numbers) + 1)
        round_number = row.integer("round", 1, MAX_ROUNDS, default=0)
        # The first row says whether rounds are known.
        if not self._numbers:
            self._in_rounds = round_number > 0
        if self._in_rounds != (round_number > 0):
            raise row.error("round", "in all rows or in none")
        key = round_number, number
        row.check_once(
            self._numbers, key, "match", f"used once in round {round_number}", str(number)
        )
        return key

    def plays(self, row: TableRow, field: str, round_number: int, entrant: int, what: str) -> None:
        """Refuse an entrant who plays already in a round."""
        if (round_number, entrant) in self._busy:
            self._tables.refuse_halves()
        if round_number:
            allowed = f"in one {what} of round {round_number}"
            if what == "game":
                allowed += (
                    " (who meet twice in a round are teams of one with matches of two games: "
                    "team_a, team_b, game_points_a, game_points_b)"
                )
            row.check_once(self._busy, (round_number, entrant), field, allowed)


# ----------------------------------------------------------------------------- matches of teams


def _read_matches(tables: Tables, about: Mapping[str, str], teams: Entrants, draft: Draft) -> None:
    """Read the matches of teams; `about`: what `event.csv` says."""
    _read_points(tables, about, draft)
    unsure = _read_teams(tables, teams, draft)
    rounds = _Rounds(tables)
    rows: list[tuple[TableRow, Pairing]] = []
    rests_on: Counter[str] = Counter()  # the words in `result_by`
    for line in tables.rows(FILES[0]):
        row = line.turned(teams)
        rows.append((row, match := _pairing(row, rounds, teams, draft)))
        rests_on[row.text("result_by")] += 1
        if "boards.csv" not in tables.sheets:
            check_nothing(row, match, draft)
    draft.pairings = [pairing for _, pairing in rows]
    end = draft.unfinished
    finished = [(row, match) for row, match in rows if not match.is_open and match.round < end]
    decided_boards = max((match.decided or 0 for _, match in finished), default=0)
    if not decided_boards and not draft.options.before_first:
        raise InputError(f"{tables.file}: must have at least one finished match")
    draft.boards = int(about.get("boards", 0)) or decided_boards or BOARDS
    ids: set[int] = set()
    players = [row.player(row.known(teams), ids) for row in tables.rows("players.csv")]
    draft.players = sorted(players, key=lambda player: player.team)
    boards = list(tables.rows("boards.csv"))
    # A board that both sides lost is not decided, and counts.
    numbers = [row.integer("board", 1, MAX_BOARDS, default=1) for row in boards]
    draft.boards = max([draft.boards, *numbers])
    for row, match in finished:
        if (match.decided or 0) > draft.boards:
            raise row.error("boards_decided", f"at most {draft.boards}", str(match.decided))
    for row, match in finished:
        if match.second is None:
            _read_bye(row, match, draft)
        elif winner := row.text("won_by_default"):  # on all boards, whose number is known only now
            whole = 2 * draft.boards
            match.half_points = (whole, 0) if winner == "1" else (0, whole)
            match.decided = match.forfeited = draft.boards
    # Teams that only the matches name have no ratings of their own.
    draft.ratings = [*draft.ratings, *[()] * (len(teams.numbers) - len(draft.ratings))]
    _read_boards(boards, teams, draft)
    draft.say_later = lambda *_: _say_unsure(unsure, rests_on, tables.notes)


def _say_unsure(names: int, rests_on: Counter[str], notes: Notes) -> None:
    """Note what is no record: so many names of teams, and results by their `result_by`."""
    if names:
        s = "s" * (names > 1)
        text = f"the name{s} of {names} team{s} may be wrong (name_by {UNSURE!r} in teams.csv)"
        notes.say(text, aside="")
    inferred, unsure = rests_on[INFERRED], rests_on[UNSURE]
    if inferred or unsure:
        # No aside: another result could change places.
        notes.say(
            f"{inferred + unsure} results are not recorded, mostly forfeits and byes: {inferred} "
            f"inferred, {unsure} unsure (result_by in matches.csv)"
        )


def _read_points(tables: Tables, about: Mapping[str, str], draft: Draft) -> None:
    """What matches and byes score by `event.csv`, with a note where the user says otherwise."""
    options = tables.options
    listed = reading(match_points=about.get("match_points"), bye_points=about.get("bye_points"))
    for asked, recorded, name in (
        (options.match_points, listed.match_points, "match points"),
        (options.bye_points, listed.bye_points, "points of a bye"),
    ):
        if asked and recorded and asked != recorded:
            tables.notes.say(f"{name} are those that were asked for, not those of event.csv")
    draft.scoring = listed.match_points
    if listed.bye_points and listed.bye_points[0] is not None:
        draft.bye_points = listed.bye_points[0], listed.bye_points[1]


def _read_teams(tables: Tables, teams: Entrants, draft: Draft) -> int:
    """Read the teams that are listed, and their ratings; how many of the names are unsure."""
    unsure = 0
    all_ratings: list[tuple[int, ...]] = []
    for row in tables.rows("teams.csv"):
        teams.of(row, "team", row.name("team"), once=True)
        mean = row.mean_rating("mean_rating_top4")
        columns = (f"rating_{i}" for i in range(1, MAX_BOARDS + 1))
        ratings = [row.rating(column) for column in columns if row.text(column)]
        # Beside ratings of players the mean of a team without any is a floor, and no rating.
        ratings = ratings if row.has("rating_1") else [mean] * (mean > 0)
        ratings = list(filter(None, ratings)) if any(ratings) else ratings
        all_ratings.append(tuple(sorted(ratings, reverse=True)))  # best first
        unsure += row.text("name_by") == UNSURE
    draft.ratings = all_ratings
    return unsure


def _pairing(row: TableRow, rounds: _Rounds, teams: Entrants, draft: Draft) -> Pairing:
    """The match of a row, or the bye, whose points `_read_bye` reads."""
    round_number, number = rounds.place(row)
    bye = row.names_nobody("team_b", teams)
    a = row.entrant(teams, "team_a")
    b = None if bye else row.entrant(teams, "team_b")
    # Nobody plays himself, in whatever spelling.
    if a == b:
        raise row.error("team_b", "another team than team_a")
    for column, team in (("team_a", a), ("team_b", b)):
        if team is not None:
            rounds.plays(row, column, round_number, team, "match")
    match = Pairing(round_number, number, a, b, line=row.number)
    if b is None:
        match.bye = row.bye("team_b")
        match.says_points = any(map(row.text, ("game_points_a", "match_points_a")))
        match.is_unsaid = not (match.says_points or row.text("bye"))
    elif row.text("bye"):
        raise row.error("bye", "empty where there is a team_b")
    elif any(map(row.text, ("game_points_a", "game_points_b", "boards_decided"))):
        half_a, half_b, decided = row.match_score()
        match.half_points, match.decided = (half_a, half_b), decided
        match.says_boards = bool(row.text("boards_decided"))
        match.forfeited = row.forfeited(decided)
    else:
        match.is_open = True
    limit = max(2, draft.used_scoring[0])
    columns = ("match_points_a", "match_points_b")
    points = [row.integer(field, 0, limit) if row.text(field) else None for field in columns]
    match.match_points = points[0], points[1]
    if b is not None:
        row.check_second_result(match.half_points)
        _drop_usual_points(row, match, draft)
    return match


def _drop_usual_points(row: TableRow, match: Pairing, draft: Draft) -> None:
    """Leave out match points of one column for both sides that the game points give anyway."""
    if not row.has("match_points") or match.half_points is None:
        return
    a, b = match.half_points
    won, drawn, lost = draft.used_scoring
    usual = ((lost, won), (drawn, drawn), (won, lost))[1 + (a > b) - (a < b)]
    said = zip(match.match_points, usual, strict=True)
    # Nobody scored: both sides may have lost.
    if (a or b) and all(points in (None, as_usual) for points, as_usual in said):
        match.match_points = None, None


def check_nothing(row: TableRow, match: Pairing, draft: Draft) -> None:
    """Take a match without any points for a draw, with a note: whoever wrote it may mean another.

    Where the row says more than 0-0, nothing is assumed.
    """
    columns = ("boards_decided", "match_points_a", "match_points_b")
    if match.half_points == (0, 0) and not any(map(row.text, columns)):
        row.note_assumption(NOTHING, "game_points_a", "above 0 for a side, or with boards_decided")
        match.match_points = draft.used_scoring[1], draft.used_scoring[1]


def _read_bye(row: TableRow, bye: Pairing, draft: Draft) -> None:
    """Read the points of a bye, where the row has any."""
    match_points, _ = bye.match_points
    pays = draft.bye_pays
    # What the user or `event.csv` says of all byes counts where the row says nothing of its own.
    if bye.bye == "pairing" and pays and match_points is None and not row.text("game_points_a"):
        return
    usual = bye_half_points(bye.bye, draft.boards)
    half = row.half_points("game_points_a", MAX_BOARDS)
    if half is not None and half != usual:
        if match_points is None:  # other points need match points too
            allowed = f"{usual / 2:g} or empty for a bye without match_points_a"
            raise row.error("game_points_a", allowed)
        # A bye cannot be worth more than all boards won.
        if half > 2 * draft.boards:
            raise row.error("game_points_a", f"0..{draft.boards}")
    if row.half_points("game_points_b", MAX_BOARDS):
        raise row.error("game_points_b", "0 or empty for a bye")
    for column in ("boards_decided", "boards_forfeited", "match_points_b"):
        if row.text(column):
            row.integer(column, 0, 0)
    bye.half_points = (usual if half is None else half), 0
    bye.match_points = match_points, None


def _read_boards(rows: Sequence[TableRow], teams: Entrants, draft: Draft) -> None:
    """Read the games of the rows of boards.csv; they must add up to the matches."""
    find, end = _finder(draft.players), draft.unfinished
    matches = {(p.round, p.number): p for p in draft.pairings if p.second is not None}
    boards, used = Counter[_Place](), set[tuple[int, int, int]]()
    last: dict[_Place, TableRow] = {}
    sums: dict[_Place, list[int]] = {}
    for row in rows:
        place = (row.integer("round", 1, MAX_ROUNDS, default=0), row.integer("match", 0, 10**6))
        # Boards of open matches and of later rounds wait for the result.
        match = matches.get(place)
        if place[0] >= end or (match and match.is_open):
            continue
        if match is None:
            raise row.error("match", f"a match of round {place[0]} in matches.csv")
        boards[place] += 1
        board = row.integer("board", 1, MAX_BOARDS, default=boards[place])
        row.check_once(used, (*place, board), "board", "used once in the match", str(board))
        white, black = (
            teams.numbers.get(row.name(f"{colour}_team")) for colour in ("white", "black")
        )
        if white is None or black is None or {white, black} != {match.first, match.second}:
            raise row.error("white_team", "of the match in matches.csv")
        players = find(row, "white", white), find(row, "black", black)
        draft.games.append(game := row.game((*place, board), (white, black), players))
        last[place] = row
        points = sums.setdefault(place, [0, 0])
        for colour in game.sides:
            points[colour.team != match.first] += colour.half_points
    for place, row in last.items():
        match, (a, b) = matches[place], sums[place]
        assert match.half_points is not None
        # Match points of the row say that the result was changed afterwards.
        if (a, b) != match.half_points and match.match_points == (None, None):
            whole = f"{match.half_points[0] / 2:g}-{match.half_points[1] / 2:g}"
            allowed = f"such that the games add up to matches.csv ({whole})"
            raise row.error("result", allowed, f"{a / 2:g}-{b / 2:g}")


def _finder(players: Sequence[Player]) -> Callable[[TableRow, str, int], int | None]:
    """Finds the listed player of a side of a row, by FIDE number, else by team and name."""
    by_id = {p.fide_id: number for number, p in enumerate(players) if p.fide_id}
    # Of two of the same name, the one without FIDE number.
    order = sorted(range(len(players)), key=lambda number: not players[number].fide_id)
    by_name = {(players[n].team, players[n].name): n for n in order}

    def find(row: TableRow, side: str, team: int) -> int | None:
        number = None
        fide_id = row.integer(f"{side}_fide_id", 0, MAX_FIDE_ID, default=-1)
        if fide_id >= 0:
            number = by_id.get(fide_id)
        elif name := tidy(row.text(f"{side}_player")):
            number = by_name.get((team, name))
            if number is None:
                missing = "" if players else ": players.csv, which lists them, is missing"
                raise row.error(f"{side}_player", f"a player of the team{missing}")
        if number is not None and players[number].team != team:
            raise row.error(f"{side}_fide_id", "a player of the team")
        return number

    return find


# ------------------------------------------------------------------------------ games of players


def _read_games(tables: Tables, about: Mapping[str, str], entrants: Entrants, draft: Draft) -> None:
    """Read the games of players; `about`: what `event.csv` says."""
    draft.scoring = reading(match_points=about.get("match_points")).game_scoring
    players, rounds = list[Player](), _Rounds(tables)
    for row in tables.rows("players.csv", "name"):
        name = tidy(row.text("team")) or row.name("name")
        players.append(row.player(entrants.of(row, "name", name, once=True)))
    for row in tables.rows(FILES[0], *GAME_COLUMNS):
        draft.pairings.append(_game(row.turned(entrants), rounds, entrants, players, draft))
    draft.players, end = players, draft.unfinished
    if not any(pairing.games and pairing.round < end for pairing in draft.pairings):
        raise InputError(f"{tables.file}: must have at least one finished game")


def _game(
    row: TableRow, rounds: _Rounds, entrants: Entrants, players: list[Player], draft: Draft
) -> Pairing:
    """The game or bye of a row."""
    round_number, number = rounds.place(row)
    white = _player(row, "white", round_number, rounds, entrants, players)
    game = Pairing(round_number, number, white, line=row.number)
    points = [row.half_points(f"{colour}_points", MAX_BOARDS) for colour in ("white", "black")]
    if row.text("bye") and row.text("black_player"):
        raise row.error("bye", "empty where there is a black_player")
    if row.names_nobody("black_player", entrants):
        game.bye = row.bye("black_player")
        game.is_unsaid = points[0] is None and not row.text("bye")
        game.says_points = points[0] is not None or not is_open(row.text("result"))
        if points[0] is not None:
            match_points, half = player_points(points[0])
            game.half_points, game.match_points = (half, 0), (match_points, None)
        return game
    black = game.second = _player(row, "black", round_number, rounds, entrants, players)
    if is_open(row.text("result")):
        game.is_open = True
        return game
    board = row.game((round_number, number, 1), (white, black), (white, black))
    # A game has at most two half points; where it scored otherwise, match points have the rest.
    a, b = (
        colour.half_points if scored is None else player_points(scored)[1]
        for scored, colour in zip(points, board.sides, strict=True)
    )
    game.games, game.half_points, game.match_points = [board], (a, b), (points[0], points[1])
    return game


def _player(
    row: TableRow,
    side: str,
    round_number: int,
    rounds: _Rounds,
    entrants: Entrants,
    players: list[Player],
) -> int:
    """The number of a player, who must be free in the round."""
    column = f"{side}_player"
    number = row.entrant(entrants, column)
    # A player whom no table lists.
    if number == len(players):
        players.append(Player(number, row.name(column)))
    player = players[number]
    players[number] = replace(
        player,
        rating=player.rating or row.rating(f"{side}_rating"),
        fide_id=player.fide_id or row.fide_id(f"{side}_fide_id"),
    )
    rounds.plays(row, column, round_number, number, "game")
    return number
