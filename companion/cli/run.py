"""`companion run`: the companion as a service, on a Pi or at a simulated table.

Law: a game that is under way goes on, and one begins only where somebody asked for it.
"""

import argparse
import secrets
from pathlib import Path

import web
from companion.cli import addresses, opening, places
from companion.cli.config import Configured
from companion.cli.evening import Company, Evening
from companion.cli.greeting import code, found_at, say_pin
from companion.cli.opening import Opening
from companion.cli.real import Real, Wires
from companion.cli.sitters import NAMES
from companion.cli.wanted import begin
from hardware.ports import connect
from hardware.wiring import DEFAULT
from hardware.wiring import load as load_wiring


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `companion run`."""
    add = parser.add_argument
    opening.arguments(parser, "127.0.0.1", "the one last played")
    add("--players", type=_names, metavar="NAME,NAME…",
        help="begin a game with these, clockwise, if none is under way")  # fmt: skip
    add("--junior", action="store_true", help="Robby Junior plays along")
    add("--config", action=Configured, metavar="FILE",
        help="options from a file; what is said after it goes before it")  # fmt: skip
    add("--data", type=Path, metavar="FOLDER", help="where journal and decks are kept")
    add("--profile", default=DEFAULT, help=f"the wiring of the table (default: {DEFAULT})")
    add("--sim", action="store_true", help="a simulated table; bots play in free seats")


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(","))


def run(chosen: argparse.Namespace) -> int:
    """Run until somebody stops it."""
    chosen.data = chosen.data or places.data_folder()
    return opening.open_on(chosen, chosen.data, _run)


async def _run(at: Opening) -> int:
    rules, chosen = at.rules(), at.chosen
    pin = at.pin(lambda digits: say_pin(digits, at.words))
    room: Evening | Real
    if chosen.sim:
        company = Company(NAMES[: rules.box.players.least + 1], secrets.randbits(32), yours=0)
        room = at.simulated(rules, company, pin, chosen.profile)
    else:
        wires = Wires(*connect("pi", chosen.profile), chosen.profile)
        seats = at.seats(open_house=not load_wiring(chosen.profile).buttons)
        room = Real(rules, at.journal, at.folder, wires, seats, pin)
        room.by_hand = not chosen.plugged

    def greet(here: web.Room, _port: int) -> None:
        found = here.addresses()
        scan = code(found[0], at.words) if addresses.for_phones(chosen.address) else []
        print(*found_at(found, at.words), *scan, sep="\n", flush=True)
        room.pin.set_up()

    try:
        refused = begin(room, chosen)
        if refused is not None:
            return opening.fail(chosen, at.words(refused.say))
        return await at.serve(room, greet)
    finally:
        room.close()
