"""The game as its host decides it: begun, asked for in the name of the table, put away.

Law: the host asks the game through the same door as every seat, speaks there for the table as a
whole, and is told nothing that any one seat could not know.
"""

from flask import Response
from msgspec import Struct

from companion.core.errors import Malformed, Refusal
from companion.core.events import Entered, Value, from_fields
from companion.core.i18n import N_
from companion.games.wish import Wish
from companion.table.history import kinds
from companion.table.permissions import HOSTED
from web import responses
from web.api.asking import ASKED, TAPPED, Asked, Key, Tapped, Version
from web.api.operation import Api
from web.context import house, room

api = Api("game", "/api/host")

PLACES = {
    "players": "players",
    "name": "players",
    "names": "players",
    "no_such_seat": "players",
    "first": "first",
    "no_junior": "junior",
    "house_rule": "house_rules",
}
"""The field of a wish that a refusal is about, by its code."""


class Held(Struct, frozen=True, forbid_unknown_fields=True):
    """What the table believes that a hand held: coins, a bank, or chips by colour."""

    value: int | str | dict[str, int | str]
    version: Version
    key: Key


class Wished(Struct, frozen=True, forbid_unknown_fields=True):
    """A new game; an empty line among the players is nobody."""

    game: str
    players: tuple[str, ...]
    key: Key
    house_rules: dict[str, str] = {}
    junior: bool = False
    first: int = 1


@api.post(
    "/requests",
    N_("Ask for something to happen, in the name of the table."),
    takes=Asked,
    example={**ASKED, "event": {"event": "paused"}},
    who="host",
)
def ask(body: Asked) -> Refusal | None:
    """Through the door of the table, as every seat."""
    table = room().table
    event = from_fields(body.event, kinds(table.rules))
    return table.request(event, HOSTED, body.version, body.key)


@api.post(
    "/hands/<int:seat>",
    N_("Enter what a hand holds that cannot open; the record marks it as unproven."),
    takes=Held,
    example={"value": 3, "version": 17, "key": "6f2c1a"},
    who="host",
)
def enter(seat: int, body: Held) -> Refusal | None:
    """A form sends digits; they are the number that they say."""
    entered = Entered(seat, _value(body.value))
    return room().table.request(entered, HOSTED, body.version, body.key)


def _value(sent: int | str | dict[str, int | str]) -> Value:
    if isinstance(sent, dict):
        return {colour: _number(n) for colour, n in sent.items()}
    return int(sent) if isinstance(sent, str) and _digits(sent) else sent


def _number(sent: int | str) -> int:
    if isinstance(sent, str) and not _digits(sent):
        raise Malformed("value", N_("The field “{field}” is a whole number."))
    return int(sent)


def _digits(sent: str) -> bool:
    return sent.isascii() and sent.isdecimal() and len(sent) < 9


@api.post(
    "/games",
    N_("Begin a game, in whichever box, where none is under way."),
    takes=Wished,
    example={"key": "6f2c1a", "game": "bankueberfall", "players": ["Ana", "Ben"], "first": 2},
    who="host",
)
def begin(body: Wished) -> Response | Refusal | None:
    """What is wrong with the wish is said at its field."""
    names = [" ".join(name.split()) for name in body.players]
    players = tuple(filter(None, names))
    first = len(tuple(filter(None, names[: body.first]))) if _sits(names, body.first) else 0
    wish = Wish(body.game, players, body.house_rules, body.junior, first)
    refused = house().begin(wish)
    if refused is None:
        _close_up(names)
        return None
    return responses.refused(refused, PLACES.get(refused.code, ""))


def _close_up(names: list[str]) -> None:
    """A game has no gaps between its seats: whoever sat after an empty line moves up."""
    seated = [seat for seat, name in enumerate(names, 1) if name]
    for seat, sat in enumerate(seated, 1):
        if seat != sat:
            room().seats.swap(seat, sat)


def _sits(names: list[str], first: int) -> bool:
    return 1 <= first <= len(names) and bool(names[first - 1])


@api.post(
    "/reset",
    N_("End and put away the game, free every seat, check the box: for the next group."),
    takes=Tapped,
    example=TAPPED,
    who="host",
)
def reset(body: Tapped) -> Refusal | None:
    """In one go."""
    return house().reset()
