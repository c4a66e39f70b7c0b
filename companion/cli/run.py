"""`companion run`: the companion as a service, on a Pi or at a simulated table.

Law: a game that is under way goes on, and one begins only where somebody asked for it.
"""

import argparse
import os
import secrets
from pathlib import Path

import web
from companion.app import addresses, settings, startup
from companion.app.physical_table import PhysicalTable
from companion.app.settings import Configured
from companion.app.setup import SetupWizard
from companion.app.simulated.bot_driver import NAMES
from companion.app.simulated.simulated_table import Company, Evening
from companion.app.startup import Opening
from companion.app.wanted import begin
from companion.app.wires import TableWires, load_wiring
from companion.cli import options
from companion.cli.greeting import address_lines, print_pin_and_buttons, qr_code_lines
from hardware.ports import connect
from hardware.wiring import DEFAULT


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `companion run`."""
    add = parser.add_argument
    options.add_game_options(parser, "127.0.0.1", "the one last played")
    add("--players", type=_names, metavar="NAME,NAME…",
        help="begin a game with these, clockwise, if none is under way")  # fmt: skip
    add("--junior", action="store_true", help="Robby Junior plays along")
    add("--config", action=Configured, metavar="FILE",
        help="options from a file; what is said after it goes before it")  # fmt: skip
    add("--data", type=Path, metavar="FOLDER", help="where journal and decks are kept")
    add("--profile",
        help=f"the wiring of the table (default: as learnt in the browser, else {DEFAULT})",
    )  # fmt: skip
    add("--sim", action="store_true", help="a simulated table; bots play in free seats")
    parser.set_defaults(lang=None)


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(","))


def run(chosen: argparse.Namespace) -> int:
    """Run until somebody stops it."""
    chosen.data = chosen.data or settings.data_folder()
    return startup.open_on(chosen, chosen.data, _run)


async def _run(at: Opening) -> int:
    rules, chosen = at.rules(), at.chosen
    pin = at.pin(print_pin_and_buttons)
    room: Evening | PhysicalTable
    first: SetupWizard | None = None
    if chosen.sim:
        company = Company(NAMES[: rules.box.players.least + 1], secrets.randbits(32), yours=0)
        room = at.simulated(rules, company, pin, chosen.profile or DEFAULT)
    else:
        room = PhysicalTable(rules, at.journal, at.folder, _wires(at), at.seats(), pin)
        first = SetupWizard(room, chosen.profile)

    def greet(here: web.AppContext, _port: int) -> None:
        found = here.addresses()
        scan = qr_code_lines(found[0], at.words) if addresses.is_for_phones(chosen.address) else []
        print(*address_lines(found, at.words), *scan, sep="\n", flush=True)
        room.pin.ensure_pin()

    try:
        refused = begin(room, chosen)
        if refused is not None:
            return startup.fail(chosen, at.words(refused.say))
        return await at.serve(room, greet, first)
    finally:
        room.close()


def _wires(at: Opening) -> TableWires:
    """The wires as they are said or were learnt. A service stands without them, if need be: nobody
    is there to read why it does not start."""
    wiring = load_wiring(at.folder, at.chosen.profile)
    patient = bool(os.environ.get("NOTIFY_SOCKET"))
    return TableWires(wiring, lambda wiring: connect("pi", wiring), patient=patient)
