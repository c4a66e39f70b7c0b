"""What the host decides: games, seats, the PIN, and what may be carried away from the table.

Laws: all of it is for a browser that is signed in with the PIN; signing in alone is for anyone. The
host asks the game through the same door as every seat, speaks there for the table as a whole, and
is told nothing that any one seat could not know.
"""

from flask import Response, abort
from msgspec import Struct

from companion.bundle import bundle
from companion.door import HOST, Author
from companion.errors import Malformed, Refusal, refusal
from companion.events import Entered, Value, from_fields
from companion.history import kinds
from companion.house import House
from companion.record import to_bytes
from companion.report import Report, played, report
from companion.texts import N_
from companion.wish import Wish
from web import answers, hosts, words
from web.api.operations import Api
from web.api.seats import EXAMPLE, Asked, Key, Version
from web.hosts import Hosts
from web.lobby import lobby
from web.room import room
from web.seats import my_browser

api = Api("host", "/api/host")

TABLE = Author(0, HOST)
JSON_LINES, ZIP = "application/x-ndjson", "application/zip"
PLACES = {
    "players": "players",
    "name": "players",
    "names": "players",
    "no_such_seat": "players",
} | {
    "first": "first",
    "no_junior": "junior",
    "house_rule": "house_rules",
}
"""The field of a wish that a refusal is about, by its code."""


class Tapped(Struct, frozen=True, forbid_unknown_fields=True):
    """A button that says all there is to say."""

    key: Key


class Digits(Struct, frozen=True, forbid_unknown_fields=True):
    """The PIN as somebody typed it."""

    key: Key
    pin: str


class Made(Struct, frozen=True):
    """A new PIN: told this once."""

    pin: str


class Moved(Struct, frozen=True, forbid_unknown_fields=True):
    """Whoever plays from one seat plays from another."""

    key: Key
    to: int


class Given(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat is for somebody who waits."""

    key: Key
    guest: int


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


class Spoken(Struct, frozen=True, forbid_unknown_fields=True):
    """The language of the table screen."""

    key: Key
    language: str


TAP = {"key": "6f2c1a"}


# Signing in and out.


@api.post(
    "/session",
    N_("Sign in with the PIN of the table."),
    takes=Digits,
    example={"key": "6f2c1a", "pin": "271828"},
)
def sign_in(body: Digits) -> Response | Refusal:
    """Wrong digits have to wait after a while."""
    refused = hosts.sign_in(_hosts(), body.pin)
    return refused or answers.done()


@api.post("/session/end", N_("Sign this browser out."), takes=Tapped, example=TAP, who="host")
def sign_out(body: Tapped) -> Response:
    """The other browsers of the host stay as they are."""
    hosts.sign_out(_hosts())
    room().table.tell()
    return answers.done()


@api.post(
    "/session/end-all",
    N_("Sign out every browser of the host, this one as well."),
    takes=Tapped,
    example=TAP,
    who="host",
)
def sign_all_out(body: Tapped) -> Response:
    """The PIN stays as it is."""
    _house().pin.revoke()
    room().table.tell()
    return answers.done()


@api.post(
    "/pin",
    N_("Make a new PIN; every other browser of the host is signed out."),
    takes=Tapped,
    example=TAP,
    who="host",
    gives=Made,
)
def new_pin(body: Tapped) -> Response:
    """Told to whoever asked, this once."""
    digits = _house().pin.renew()
    hosts.stay(_hosts())
    room().table.tell()
    if not answers.machine():
        return answers.shown("host/pin.html", pin=digits)
    return answers.found(Made(digits))


# The game.


@api.post(
    "/requests",
    N_("Ask for something to happen, in the name of the table."),
    takes=Asked,
    example={**EXAMPLE, "event": {"event": "paused"}},
    who="host",
)
def ask(body: Asked) -> Refusal | None:
    """Through the door of the table, as every seat."""
    table = room().table
    event = from_fields(body.event, kinds(table.rules))
    return table.request(event, TABLE, body.version, body.key)


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
    return room().table.request(entered, TABLE, body.version, body.key)


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
    refused = _house().begin(wish)
    if refused is None:
        _close_up(names)
        return None
    return answers.refused(refused, PLACES.get(refused.code, ""))


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
    example=TAP,
    who="host",
)
def reset(body: Tapped) -> Refusal | None:
    """In one go."""
    return _house().reset()


@api.post("/check", N_("Check the box, card by card."), takes=Tapped, example=TAP, who="host")
def check(body: Tapped) -> Refusal | None:
    """Everything of it is to come by a reader once."""
    return _house().check()


@api.post("/check/end", N_("Check the box no longer."), takes=Tapped, example=TAP, who="host")
def stop_check(body: Tapped) -> None:
    """What is missing is missing."""
    _house().stop_check()


@api.post(
    "/language",
    N_("Choose the language of the table screen, and of whoever chose none."),
    takes=Spoken,
    example={"key": "6f2c1a", "language": "de"},
    who="host",
)
def speak(body: Spoken) -> None:
    """Every table screen comes anew."""
    if body.language not in words.offered():
        text = N_("The field “{field}” is one of {options}.")
        raise Malformed("language", text, options=", ".join(words.offered()))
    here = room()
    here.tongue.code = body.language
    here.table.tell()


# Seats.


@api.post("/seats/<int:seat>/free", N_("Free a seat."), takes=Tapped, example=TAP, who="host")
def free(seat: int, body: Tapped) -> None:
    """Whoever held it may sit down again; at a simulated table a bot plays on."""
    room().seats.free(seat)


@api.post(
    "/seats/<int:seat>/take",
    N_("Take over a seat with this browser, whoever held it."),
    takes=Tapped,
    example=TAP,
    who="host",
)
def take(seat: int, body: Tapped) -> Refusal | None:
    """In addition to the seats that it holds."""
    refused = _nobody(seat)
    if refused is None:
        room().seats.claim(seat, my_browser(), _name(seat))
    return refused


@api.post(
    "/seats/<int:seat>/move",
    N_("Have whoever plays from a seat play from another; who sat there plays from here."),
    takes=Moved,
    example={"key": "6f2c1a", "to": 2},
    who="host",
)
def move(seat: int, body: Moved) -> Refusal | None:
    """Both seats change hands."""
    refused = _nobody(seat) or _nobody(body.to)
    if refused is None:
        room().seats.swap(seat, body.to)
    return refused


@api.post(
    "/seats/<int:seat>/give",
    N_("Give a seat to somebody who waits."),
    takes=Given,
    example={"key": "6f2c1a", "guest": 1},
    who="host",
)
def give(seat: int, body: Given) -> Refusal | None:
    """Whoever held it stands up."""
    return _nobody(seat) or room().seats.give(seat, body.guest)


@api.post(
    "/guests/<int:guest>/dismiss",
    N_("Send somebody away who waits for a seat."),
    takes=Tapped,
    example=TAP,
    who="host",
)
def dismiss(guest: int, body: Tapped) -> None:
    """They may come again."""
    room().seats.dismiss(guest)


def _nobody(seat: int) -> Refusal | None:
    """Whether nobody plays there."""
    if 1 <= seat <= len(lobby(room())):
        return None
    return refusal("no_such_seat", "T.host", "Nobody plays at seat {seat}.", seat=seat)


def _name(seat: int) -> str:
    return lobby(room())[seat - 1].name


# What is told, and carried away.


@api.get("/health", N_("How readers, boxes, journal, clock and disk are."), Report, who="host")
def health() -> Report:
    """For the host's page, and for programs that look after a table."""
    return report(_house().health())


@api.get("/record", N_("The record of the last game, once it is over."), JSON_LINES, who="host")
def record() -> Response | Refusal:
    """A file that anybody can read, replay and prove; its name names nobody."""
    found = room().table.record()
    if isinstance(found, Refusal):
        return found
    name = f"{found.header.game}-{found.header.id}.jsonl"
    return answers.file(name, to_bytes(found), JSON_LINES)


@api.get("/bundle", N_("What somebody has to know who is asked for help."), ZIP, who="host")
def support() -> Response:
    """Nothing in it is anybody's secret, or anybody's name."""
    packed = bundle(report(_house().health()), played(room().table))
    return answers.file("companion-support.zip", packed, ZIP)


def _house() -> House:
    return room().house or abort(404)


def _hosts() -> Hosts:
    return room().hosts or abort(404)
