"""`companion run`: the companion as a service, on a Pi or at a simulated table.

Law: everything that matters is in the data folder. Whatever ends this process, the next one takes
up the same game at the same question, with the same people in the same seats.
"""

import argparse
import asyncio
import secrets
import socket
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path

import web
from companion.cli import addresses, keeping, language_argument, places
from companion.cli.evening import NAMES, Company, Evening
from companion.cli.greeting import code, found_at, say_pin
from companion.cli.play import PACES, address_argument, paced, port
from companion.cli.real import Real, Wires
from companion.cli.room import Room
from companion.cli.serving import answering, calling, hush, listening, serve
from companion.errors import Malformed, Refusal
from companion.games import RULEBOOKS, rulebook
from companion.journal import Journal, JournalFailed
from companion.pin import Pin
from companion.systemd import Service
from companion.texts import N_, language
from companion.wish import Wish
from hardware.errors import Said
from hardware.ports import connect
from hardware.wiring import DEFAULT
from hardware.wiring import load as load_wiring
from web.seats import Seats
from web.server import Server


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `companion run`."""
    add = parser.add_argument
    add("game", nargs="?", choices=RULEBOOKS, metavar="GAME",
        help=f"{', '.join(RULEBOOKS)} (default: the one last played)")  # fmt: skip
    add("--players", type=_names, metavar="NAME,NAME…",
        help="begin a game with these, clockwise, if none is under way")  # fmt: skip
    add("--new", action="store_true", help="end the game that is under way first")
    add("--house-rule", action="append", default=[], metavar="NAME=ANSWER",
        help="play by this house rule (companion rules GAME lists them)")  # fmt: skip
    add("--junior", action="store_true", help="Robby Junior plays along")
    add("--data", type=Path, metavar="FOLDER", help="where journal and decks are kept")
    add("--profile", default=DEFAULT, help=f"the wiring of the table (default: {DEFAULT})")
    add("--sim", action="store_true", help="a simulated table; bots play in free seats")
    add("--pace", choices=PACES, default="human", help="with --sim: how fast bots play")
    address_argument(parser)
    add("--port", type=port, default=8000, help="this or the next free one (default: 8000)")
    language_argument(parser)


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(","))


def run(chosen: argparse.Namespace) -> int:
    """Run until somebody stops it."""
    hush()
    words = language(chosen.lang)
    folder: Path = chosen.data or places.data_folder()
    try:
        _make(folder)
        with closing(Journal(places.journal_path(folder))) as journal, ExitStack() as ports:
            sockets = listening(chosen.port, chosen.address)
            for each in sockets:
                ports.enter_context(each)
            return asyncio.run(_run(chosen, folder, journal, sockets))
    except (Said, Malformed, JournalFailed) as error:
        return _fail(words(error.say))


def _make(folder: Path) -> None:
    """The folder where everything is kept."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        text = N_("{field} cannot be used: {reason}.")
        raise Malformed(str(folder), text, reason=error.strerror) from None


def _fail(sentence: str) -> int:
    print(f"companion run: {sentence}", file=sys.stderr)
    return 2


async def _run(
    chosen: argparse.Namespace, folder: Path, journal: Journal, sockets: Sequence[socket.socket]
) -> int:
    rules = rulebook(chosen.game or _last_played(journal))
    seats = Seats(
        keeping.seats(folder),
        lambda taken: keeping.keep_seats(folder, taken),
        open_house=chosen.sim or not load_wiring(chosen.profile).buttons,
    )
    words = language(chosen.lang)
    pin = Pin(
        keeping.pin(folder),
        lambda kept: keeping.keep_pin(folder, kept),
        lambda digits: say_pin(digits, words),
    )
    room: Evening | Real
    if chosen.sim:
        company = Company(NAMES[: rules.box.players.least + 1], secrets.randbits(32), yours=0)
        # A simulated table outlives this process, as a real one would.
        room = Evening(rules, journal, Room(chosen.profile, memory=folder), company, seats, pin)
    else:
        wires = Wires(*connect("pi", chosen.profile), chosen.profile)
        room = Real(rules, journal, folder, wires, seats, pin)
    try:
        refused = _begin(room, chosen)
        if refused is not None:
            return _fail(words(refused.say))
        return await _serve(chosen, folder, room, sockets)
    finally:
        room.close()


def _last_played(journal: Journal) -> str:
    """The game that the journal holds last, or the first of all."""
    newest = journal.newest()
    line = next(iter(journal.lines(newest)), None) if newest else None
    return line.game if line is not None and line.game in RULEBOOKS else next(iter(RULEBOOKS))


def _begin(room: Evening | Real, chosen: argparse.Namespace) -> Refusal | None:
    """Begin a game where one is wanted and none is under way; anybody may sit down at it."""
    under_way = not room.table.history.over
    if chosen.new and under_way:
        refused = room.reset()
        if refused is not None:
            return refused
    elif under_way:
        _say_what_waits(chosen)
        return None
    if not _wants_a_game(chosen):
        return None
    if chosen.junior and room.table.rules.box.game != "robby_solo":
        raise Malformed("--junior", N_("{field} goes with robby_solo."))
    refused = room.begin(_wish(room, chosen))
    if refused is None:
        room.seats.clear()
    return refused


def _wants_a_game(chosen: argparse.Namespace) -> bool:
    """Whether a game is to begin; else whoever has the PIN begins one from the host's page."""
    asked = chosen.game or chosen.new or chosen.house_rule or chosen.junior
    return bool(chosen.players or (chosen.sim and asked))


def _wish(room: Evening | Real, chosen: argparse.Namespace) -> Wish:
    """The game that the command line asks for; at a simulated table there is always company."""
    box = room.table.rules.box
    players = chosen.players or NAMES[: box.players.least + 1]
    house_rules = dict(pair.partition("=")[::2] for pair in chosen.house_rule)
    return Wish(box.game, tuple(players), house_rules, chosen.junior)


def _say_what_waits(chosen: argparse.Namespace) -> None:
    """What was asked of a new game, while an old one goes on."""
    if chosen.players or chosen.house_rule or chosen.junior:
        print(language(chosen.lang).render(GOES_ON, {}), flush=True)


async def _serve(
    chosen: argparse.Namespace,
    folder: Path,
    room: Evening | Real,
    sockets: Sequence[socket.socket],
) -> int:
    service, words = Service(time.monotonic), language(chosen.lang)
    pieces = room if isinstance(room, Evening) else None
    here = web.Room(room.table, room.seats, pieces, room, chosen.lang)
    app = web.create_app(here, key=keeping.key(folder))
    room.call = calling(asyncio.get_running_loop())
    turn = paced(room, PACES[chosen.pace]) if isinstance(room, Evening) else room.turn
    turn = answering(app.config, chosen.address, turn)

    def turned() -> None:
        turn()
        service.alive(room.steps())
        service.status(lambda: _status(room))

    def greet(port: int) -> None:
        here.addresses = lambda: addresses.to_type(chosen.address, port)
        found = here.addresses()
        scan = code(found[0], words) if addresses.for_phones(chosen.address) else []
        print(*found_at(found, words), *scan, sep="\n", flush=True)
        room.pin.set_up()

    return await serve(lambda: Server(app, sockets), turned, service, greet)


GOES_ON = N_("A game is under way and goes on; --new ends it first.")


def _status(room: Evening | Real) -> str:
    """One line for whoever asks systemd how it goes."""
    conditions = room.conditions()
    well = sum(condition.word == "well" for condition in conditions)
    history = room.table.history
    game = (
        "no game" if history.state is None else f"{history.rules.box.title}, {history.state.phase}"
    )
    return f"{game}; {well} of {len(conditions)} readers well"
