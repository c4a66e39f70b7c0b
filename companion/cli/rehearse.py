"""`companion rehearse`: walk through the first start at a simulated table, before anything is
soldered.

Law: what is rehearsed is the real thing, on simulated chips; it leaves nothing behind but the
folder that somebody named.
"""

import argparse
from pathlib import Path

import web
from companion.app import startup
from companion.app.physical_table import PhysicalTable
from companion.app.setup import SetupWizard
from companion.app.setup.rehearsal_hand import RehearsalHand
from companion.app.startup import Opening
from companion.app.temp_data_dir import open_data_folder
from companion.app.wires import OpenedWires, TableWires, load_wiring
from companion.cli import add_language_option, options
from companion.core.i18n import N_
from hardware.simulated_table import SimulatedHardware
from hardware.wiring import Wiring, profile_names

REHEARSES = N_("A rehearsal of the first start: {use}")
ENDS = N_("Ctrl-C ends the rehearsal.")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `companion rehearse`."""
    add = parser.add_argument
    options.add_server_options(parser, "127.0.0.1")
    add("--data", type=Path, metavar="FOLDER",
        help="keep what is learnt in this folder (default: forget it in the end)")  # fmt: skip
    add("--profile", choices=profile_names(), metavar="PROFILE",
        help=f"{', '.join(profile_names())} (default: whichever is chosen on the page)")  # fmt: skip
    add_language_option(parser)
    parser.set_defaults(lang=None, game=None, demo=False)


def run(chosen: argparse.Namespace) -> int:
    """Rehearse until somebody stops it."""
    with open_data_folder(chosen) as folder:
        return startup.open_on(chosen, folder, _run)


class Rehearsed(PhysicalTable):
    """A table that is real but for what is behind its wires."""

    simulated = True
    hand: RehearsalHand

    def read_clock(self) -> float:
        """What the clock of the simulated table shows."""
        return self.hand.now


def simulated(hand: RehearsalHand, wiring: Wiring) -> OpenedWires:
    """The wires of a simulated table, with the hand at it."""
    table = hand.attach_table(SimulatedHardware(wiring), wiring)
    return table, table


async def _run(at: Opening) -> int:
    hand = RehearsalHand()
    wires = TableWires(
        load_wiring(at.folder, at.chosen.profile), lambda wiring: simulated(hand, wiring)
    )

    def greet(here: web.AppContext, _port: int) -> None:
        page = f"{here.addresses()[0]}first"
        print(at.words.render(REHEARSES, {"use": page}), flush=True)
        room.pin.ensure_pin()
        print(at.words.render(ENDS, {}), flush=True)

    try:
        room = Rehearsed(at.rules(), at.journal, at.folder, wires, at.seats(), at.pin())
        room.hand = hand
        first = SetupWizard(room, at.chosen.profile, hand)
        return await at.serve(room, greet, first)
    finally:
        wires.close()
