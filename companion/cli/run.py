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
from companion.cli.play import address_argument, port
from companion.cli.real import Real, Wires
from companion.cli.room import Room
from companion.cli.serving import answering, calling, hush, listening, serve
from companion.cli.sitters import PACES, paced
from companion.cli.wanted import begin, last_played
from companion.errors import Malformed
from companion.games import RULEBOOKS, rulebook
from companion.journal import Journal, JournalFailed
from companion.pin import Pin
from companion.systemd import Service
from companion.texts import N_, language
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
    rules = rulebook(chosen.game or last_played(journal))
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
        refused = begin(room, chosen)
        if refused is not None:
            return _fail(words(refused.say))
        return await _serve(chosen, folder, room, sockets)
    finally:
        room.close()


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
    if isinstance(room, Evening):
        room.pace = chosen.pace
    turn = paced(room) if isinstance(room, Evening) else room.turn
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


def _status(room: Evening | Real) -> str:
    """One line for whoever asks systemd how it goes."""
    conditions = room.conditions()
    well = sum(condition.word == "well" for condition in conditions)
    history = room.table.history
    game = (
        "no game" if history.state is None else f"{history.rules.box.title}, {history.state.phase}"
    )
    return f"{game}; {well} of {len(conditions)} readers well"
