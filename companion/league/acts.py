"""What an organiser does with a league: found it, take members in, pair a round, add records.

Laws: each act is one entry of the book, or none. A name is kept only with the consent of its
member, and goes when they leave; without it they are a number. A round is paired when the one
before is played, unless the organiser says otherwise; its draw is random, so no game can be older.
"""

import secrets
from functools import partial

from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.games import find_game, game_names
from companion.games.start import LONGEST_NAME, fold_name, is_visible
from companion.league.arrival import Refused, check_arrival, refuse_again
from companion.league.book import (
    CONSENT,
    FORMAT,
    GameArrived,
    LeagueFounded,
    MemberJoined,
    MemberLeft,
    PointsChosen,
    ResultStruck,
    RoundPaired,
)
from companion.league.pairing import Pairing, pair_round
from companion.league.standing import make_standing
from companion.league.state import League, LeagueSheet
from companion.league.store import Act, LeagueStore
from companion.league.table_sizes import SeatRange

MOST_POINTS, MOST_MEMBERS, MOST_PLACES = 1_000, 400, 12
INSERT_NAME = "INSERT INTO name VALUES (?, ?, ?, ?)"
DELETE_NAME = "DELETE FROM name WHERE member = ?"
DELETE_RECORD = "DELETE FROM record WHERE file = ?"
INSERT_RECORD = "INSERT INTO record VALUES (?, ?)"


def found_league(
    title: str,
    game: str,
    *,
    seats: int | None = None,
    pairing: Pairing = "swiss",
    points: tuple[int, ...] = (),
    phones: bool = False,
) -> LeagueFounded:
    """Return the first entry of a league; raise Malformed if something of it cannot be."""
    if game not in game_names():
        text = N_("{field} is no box that is installed here; there are {options}.")
        raise Malformed(game, text, options=", ".join(game_names()))
    players = find_game(game).standard_box().players
    wished = min(4, players.most) if seats is None else seats
    if not max(2, players.least) <= wished <= players.most:
        text = N_("{field} goes from {least} to {most} in this game.")
        raise Malformed("--seats", text, least=max(2, players.least), most=players.most)
    _check_points(points)
    named = _check_text("--title", title)
    id = secrets.token_hex(6)
    return LeagueFounded(FORMAT, id, named, game, wished, pairing, points, phones)


def parse_points(told: str) -> tuple[int, ...]:
    """Return the points of each place as they were typed, none if nothing was; raise Malformed."""
    words = [word for word in told.replace(",", " ").replace(";", " ").split() if word]
    if not all(word.isascii() and word.isdecimal() and len(word) < 10 for word in words):
        raise Malformed("--points", N_("{field} are numbers with commas between them."))
    return tuple(map(int, words))


def _check_points(points: tuple[int, ...]) -> None:
    if any(not 0 <= one <= MOST_POINTS for one in points) or list(points) != sorted(points)[::-1]:
        raise Malformed("--points", N_("{field} are falling numbers from {most} down to 0."),
                        most=MOST_POINTS)  # fmt: skip
    if len(points) > MOST_PLACES:
        raise Malformed("--points", N_("{field} are at most {most} numbers."), most=MOST_PLACES)


def choose_points(store: LeagueStore, points: tuple[int, ...]) -> League:
    """Say what each place is worth, or with none a point for everyone beaten; raise Malformed once
    a result counts."""
    _check_points(points)

    def decide(league: League) -> Act:
        if league.results:
            raise Malformed("--points", N_("{field} are fixed, as a result counts already."))
        return Act(PointsChosen(points))

    return store.write_act(decide)


def join_league(store: LeagueStore, name: str = "", agreed: str = "") -> str:
    """Take a member in; return the id. A name is kept if the member `agreed`, on this date."""
    member, names = secrets.token_hex(4), store.read_names()
    if not name:
        store.write_act(partial(_decide_join, Act(MemberJoined(member, 0))))
        return member
    named = _check_text("NAME", name)
    if not agreed:
        text = N_("{field} is kept only if the member agrees that the league shows it.")
        raise Malformed(named, text)
    if fold_name(named) in map(fold_name, names.values()):
        raise Malformed(named, N_("{field} is a member already."))
    kept = (INSERT_NAME, (member, named, CONSENT, agreed))
    store.write_act(partial(_decide_join, Act(MemberJoined(member, CONSENT), (kept,))))
    return member


def _decide_join(act: Act, league: League) -> Act:
    if len(league.playing) >= MOST_MEMBERS:
        raise Malformed(str(MOST_MEMBERS), N_("A league has at most {field} members."))
    return act


def _check_text(field: str, typed: str) -> str:
    text = " ".join(typed.split())
    if not (1 <= len(text) <= LONGEST_NAME and is_visible(text)):
        raise Malformed(field, N_("{field} has 1 to {most} letters and signs."), most=LONGEST_NAME)
    return text


def leave_league(store: LeagueStore, told: str) -> None:
    """Take a member out, told by name or number; the name is deleted."""

    def decide(league: League) -> Act:
        member = find_member(league, store.read_names(), told)
        return Act(MemberLeft(member), ((DELETE_NAME, (member,)),))

    store.write_act(decide)


def find_member(league: League, names: dict[str, str], told: str) -> str:
    """Return the id of a member who is there, told by name, number or id; raise Malformed."""
    wanted = told.strip()
    for id in league.playing:
        number = str(league.members[id].number)
        if wanted in (id, number) or (id in names and fold_name(names[id]) == fold_name(wanted)):
            return id
    raise Malformed(wanted, N_("{field} is no member of this league."))


def pair_next_round(store: LeagueStore, *, anyway: bool = False) -> League:
    """Pair the next round; raise Malformed while it cannot be.

    With `anyway` also while games of the last round are open, or when all have met.
    """
    return store.write_act(partial(_decide_round, anyway, secrets.token_hex(16)))


def _decide_round(anyway: bool, draw: str, league: League) -> Act:
    founded, past, members = league.founded, league.meetings(), league.playing
    _require_next(league, anyway)
    players = find_game(founded.game).standard_box().players
    seats = SeatRange(max(2, players.least), players.most, founded.seats)
    places = None
    if founded.pairing == "swiss":
        places = {row.member: row.place for row in make_standing(league)}
    found = pair_round(members, past, seats, draw, places)
    if not found.tables:
        text = N_("{field} members are too few: at a table there are at least {least}.")
        raise Malformed(str(len(members)), text, least=seats.least)
    return Act(RoundPaired(len(league.rounds) + 1, found.tables, found.byes, draw))


def _require_next(league: League, anyway: bool) -> None:
    if anyway:
        return
    sheet = next(iter(league.open_sheets), None)
    if sheet is not None:
        text = N_("The game of round {field}, table {table}, has not arrived yet.")
        raise Malformed(str(sheet.round), text, table=sheet.table)
    is_over = league.founded.pairing == "round_robin" and len(league.playing) > 1
    if is_over and league.meetings().have_all_met(league.playing):
        text = N_("After round {field} everyone has met everyone.")
        raise Malformed(str(len(league.rounds)), text)


class _NotCounted(Exception):
    """A record that does not count."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(refused.code)
        self.refused = refused


def add_record(store: LeagueStore, data: bytes) -> LeagueSheet | Refused:
    """Verify a record and count it; return its sheet, or why it does not count."""
    found = check_arrival(store.read_league(), data)
    if isinstance(found, Refused):
        return found
    sheet, arrived = found
    try:
        store.write_act(partial(_decide_arrival, sheet, arrived, data))
    except _NotCounted as error:
        return error.refused
    return sheet


def _decide_arrival(sheet: LeagueSheet, arrived: GameArrived, data: bytes, league: League) -> Act:
    refused = refuse_again(league, sheet, arrived)
    if refused is not None:
        raise _NotCounted(refused)
    return Act(arrived, ((INSERT_RECORD, (sheet.file, data)),), (sheet.file,))


def strike_result(store: LeagueStore, round: int, table: int) -> None:
    """Take a result back, with its record; another one of the same sheet may arrive then."""

    def decide(league: League) -> Act:
        place = round, table
        sheet = next(
            (s for c, s in league.sheets.items()
             if (s.round, s.table) == place and c in league.results), None
        )  # fmt: skip
        if sheet is None:
            text = N_("There is no result of round {field}, table {table}.")
            raise Malformed(str(round), text, table=table)
        return Act(ResultStruck(round, table), ((DELETE_RECORD, (sheet.file,)),), (sheet.file,))

    store.write_act(decide)
