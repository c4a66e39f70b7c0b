"""A league as its book leaves it: members, rounds with their sheets, results.

Law: a book is believed only as far as each line may follow those before it: who was not a member
is not paired, no one sits twice in a round, and a sheet has one result.
"""

from collections.abc import Iterable, Mapping

import msgspec

from companion.core.i18n import N_
from companion.league.book import (
    FORMAT,
    MEMBER,
    BadBook,
    BookLine,
    GameArrived,
    LeagueFounded,
    MemberJoined,
    MemberLeft,
    PointsChosen,
    ResultStruck,
    RoundPaired,
    sheet_code,
)
from companion.league.meetings import LeagueRound, Meetings, count_meetings

replace = msgspec.structs.replace


class Member(msgspec.Struct, frozen=True):
    """A member: the number in the order of joining, whether a name may be shown, who left."""

    number: int
    consents: bool = False
    has_left: bool = False


class LeagueSheet(msgspec.Struct, frozen=True):
    """A table of a round: its members by seat, and the code of its game."""

    round: int
    table: int
    members: tuple[str, ...]
    code: str

    @property
    def file(self) -> str:
        """Return the name that its record has in the folder of a league."""
        return f"round-{self.round}-table-{self.table}.jsonl"


class League(msgspec.Struct, frozen=True):
    """What follows from a book; `head` is its last line."""

    founded: LeagueFounded
    head: BookLine
    members: Mapping[str, Member] = {}
    rounds: tuple[LeagueRound, ...] = ()
    sheets: Mapping[str, LeagueSheet] = {}
    results: Mapping[str, GameArrived] = {}
    """Both by the code of the sheet."""

    @property
    def playing(self) -> list[str]:
        """Return the members who are still there, in the order in which they joined."""
        return [id for id, member in self.members.items() if not member.has_left]

    @property
    def open_sheets(self) -> list[LeagueSheet]:
        """Return the sheets whose result has not arrived."""
        return [sheet for code, sheet in self.sheets.items() if code not in self.results]

    def meetings(self) -> Meetings:
        """Return whom everyone met so far."""
        return count_meetings(self.rounds)


def read_league(lines: Iterable[BookLine]) -> League:
    """Return the league of these lines; raise BadBook at one that may not follow."""
    league: League | None = None
    for line in lines:
        league = apply_line(league, line)
    if league is None:
        raise BadBook(1, N_("{field} breaks off, or is no book of a league."))
    return league


def apply_line(league: League | None, line: BookLine) -> League:
    """Return the league with one more line; raise BadBook if it may not follow."""
    said = line.said
    if league is None:
        _require_line(isinstance(said, LeagueFounded) and said.format == FORMAT, line)
        assert isinstance(said, LeagueFounded)
        return League(said, line)
    match said:
        case MemberJoined():
            after = _add_member(league, said, line)
        case MemberLeft():
            after = _let_member_leave(league, said, line)
        case PointsChosen():
            after = _choose_points(league, said, line)
        case RoundPaired():
            after = _add_round(league, said, line)
        case GameArrived():
            after = _add_result(league, said, line)
        case ResultStruck():
            after = _strike_result(league, said, line)
        case LeagueFounded():
            raise _refuse_line(line)
    return replace(after, head=line)


def _require_line(may_follow: bool, line: BookLine) -> None:
    if not may_follow:
        raise _refuse_line(line)


def _refuse_line(line: BookLine) -> BadBook:
    return BadBook(line.n, N_("Line {line} of {field} may not follow those before it."))


def _add_member(league: League, said: MemberJoined, line: BookLine) -> League:
    _require_line(said.member not in league.members and bool(MEMBER.fullmatch(said.member)), line)
    member = Member(len(league.members) + 1, said.consent > 0)
    return replace(league, members={**league.members, said.member: member})


def _let_member_leave(league: League, said: MemberLeft, line: BookLine) -> League:
    _require_line(said.member in league.playing, line)
    gone = replace(league.members[said.member], has_left=True)
    return replace(league, members={**league.members, said.member: gone})


def _choose_points(league: League, said: PointsChosen, line: BookLine) -> League:
    _require_line(not league.results, line)
    return replace(league, founded=replace(league.founded, points=said.points))


def _add_round(league: League, said: RoundPaired, line: BookLine) -> League:
    sat = [member for table in said.tables for member in table] + [*said.byes]
    _require_line(len(sat) == len(set(sat)) and set(sat) <= set(league.playing), line)
    _require_line(said.round == len(league.rounds) + 1 and all(said.tables), line)
    sheets = dict(league.sheets)
    for n, table in enumerate(said.tables, 1):
        code = sheet_code(line.chain, n)
        sheets[code] = LeagueSheet(said.round, n, table, code)
    rounds = (*league.rounds, LeagueRound(said.tables, said.byes))
    return replace(league, rounds=rounds, sheets=sheets)


def _add_result(league: League, said: GameArrived, line: BookLine) -> League:
    place = said.round, said.table
    sheet = next((s for s in league.open_sheets if (s.round, s.table) == place), None)
    _require_line(sheet is not None, line)
    assert sheet is not None
    _require_line(len(said.places) == len(said.totals) == len(sheet.members), line)
    return replace(league, results={**league.results, sheet.code: said})


def _strike_result(league: League, said: ResultStruck, line: BookLine) -> League:
    kept = {
        code: result
        for code, result in league.results.items()
        if (result.round, result.table) != (said.round, said.table)
    }
    _require_line(len(kept) < len(league.results), line)
    return replace(league, results=kept)
