"""The game as its host decides it: begun, asked for in the name of the table, put away.

Law: the host requests events under the same permissions as every seat, as the table as a whole, and
is told nothing that any one seat could not know.
"""

from flask import Response
from msgspec import Struct

from companion.core.durable_files import second_of_two_writes
from companion.core.errors import Malformed, Refusal
from companion.core.events import Entered, Value
from companion.core.i18n import N_
from companion.games.new_game import NewGame
from companion.table.permissions import HOST_AUTHOR
from web import responses
from web.api.operation import Api, Asked, Key, Tapped, Version, parse_event
from web.context import current_context, require_host

api = Api(
    "game",
    "/api/host",
    "The game as its host decides it: begun, asked for in the name of the table, put away.",
)
REFUSED_FIELDS = {
    "players": "players",
    "name": "players",
    "names": "players",
    "no_such_seat": "players",
    "first": "first",
    "no_junior": "junior",
    "house_rule": "house_rules",
    "front": "front",
    "banks": "banks",
}
"""The field of a new game that a refusal is about, by its code."""


class Held(Struct, frozen=True, forbid_unknown_fields=True):
    """The contents that the table believes a hand had: coins, a bank, or chips by colour."""

    value: int | str | dict[str, int | str]
    version: Version
    key: Key


class WishedGame(Struct, frozen=True, forbid_unknown_fields=True):
    """A new game; empty lines of players are skipped, and with `first` at 0 a lot is drawn."""

    game: str
    players: tuple[str, ...]
    key: Key
    house_rules: dict[str, str] = {}
    junior: bool = False
    first: int = 1
    front: tuple[int, ...] = ()
    banks: tuple[str, ...] = ()


@api.post("/requests", takes=Asked, who="host", name="ask")
def request_table_event(body: Asked) -> Refusal | None:
    """Request an event in the name of the table."""
    table = current_context().table
    event = parse_event(body.event, table.rules)
    return table.request(event, HOST_AUTHOR, body.version, body.key)


@api.post("/telling/skip", takes=Tapped, who="host", name="skip_telling")
def skip_telling(body: Tapped) -> None:
    """Show the rest of the latest verdict at once, on all screens."""
    table = current_context().table
    if table.telling.skip():
        table.notify_watchers()


@api.post("/hands/<int:seat>", takes=Held, who="host", name="enter")
def enter_hand(seat: int, body: Held) -> Refusal | None:
    """Enter a choice that cannot be revealed; the record marks it as unproven."""
    entered = Entered(seat, _parse_value(body.value))
    return current_context().table.request(entered, HOST_AUTHOR, body.version, body.key)


def _parse_value(sent: int | str | dict[str, int | str]) -> Value:
    if isinstance(sent, dict):
        return {colour: _parse_number(n) for colour, n in sent.items()}
    return int(sent) if isinstance(sent, str) and _is_number(sent) else sent


def _parse_number(sent: int | str) -> int:
    if isinstance(sent, str) and not _is_number(sent):
        raise Malformed("value", N_("The field “{field}” cannot be read."))
    return int(sent)


def _is_number(sent: str) -> bool:
    return sent.isascii() and sent.isdecimal() and len(sent) < 9


@api.post("/games", takes=WishedGame, who="host", name="begin")
def begin_game(body: WishedGame) -> Response | Refusal | None:
    """Begin a game in any box, if none is under way."""
    names = [" ".join(name.split()) for name in body.players]
    players = tuple(filter(None, names))
    first = _seat_of_line(names, body.first)
    front = _banks_in_front(names, body.front)
    wish = NewGame(
        body.game, players, body.house_rules, body.junior, first, front=front, banks=body.banks,
    )  # fmt: skip
    refused = require_host().begin_game(wish)
    if refused is None:
        with second_of_two_writes():
            _close_seat_gaps(names)
        return None
    return responses.refusal_response(refused, REFUSED_FIELDS.get(refused.code, ""))


@api.post("/games/again", takes=Tapped, who="host", name="again")
def begin_same_game(body: Tapped) -> Refusal | None:
    """Begin the last game again with the same players, if none is under way."""
    return require_host().begin_game(require_host().next_game)


@api.post("/reset", takes=Tapped, who="host", name="reset")
def reset_table(body: Tapped) -> Refusal | None:
    """Reset for the next group: end the game, free every seat, check the box."""
    return require_host().reset_table()


def _close_seat_gaps(names: list[str]) -> None:
    """Move everyone after an empty line up by a seat: a game has no gaps between its seats."""
    seated = [seat for seat, name in enumerate(names, 1) if name]
    for seat, sat in enumerate(seated, 1):
        if seat != sat:
            current_context().seats.swap_seats(seat, sat)


def _seat_of_line(names: list[str], line: int) -> int:
    """Return the seat of the player in this line, once empty ones are left out; 0 for a lot, and a
    seat that does not exist for an empty line."""
    if line == 0:
        return 0
    players = len(tuple(filter(None, names)))
    if not (1 <= line <= len(names) and names[line - 1]):
        return max(line, players + 1)
    return len(tuple(filter(None, names[:line])))


def _banks_in_front(names: list[str], front: tuple[int, ...]) -> tuple[int, ...]:
    """Return each player's bank in front; nothing if seat and bank have the same number."""
    found = tuple(bank for name, bank in zip(names, front, strict=False) if name)
    return () if found == tuple(range(1, len(found) + 1)) else found
