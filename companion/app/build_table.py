"""Build the table that the options ask for, physical or simulated, and connect the machine with it.

Law: a physical table loads nothing of the simulator: on a small Pi that is memory and time to the
first page.
"""

import logging
import secrets
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from companion.app.build_host import build_host
from companion.app.data_folder import DataFolder
from companion.app.default_players import choose_players
from companion.app.loop import Loop, Step
from companion.app.physical_table import PhysicalTable
from companion.app.settings import Options
from companion.app.setup.wizard import SetupWizard
from companion.app.wires import TableWires, load_wiring
from companion.core.log_lines import log_line
from companion.core.sensor_events import ButtonHeldOff, Evidence, Lamp
from companion.games import game_names, make_rulebook
from companion.games.rulebook import AnyRulebook
from companion.host.host import Host
from companion.hotspot.machine import Machine
from companion.journal import Journal
from companion.seating.seats import Seats
from companion.setup.steps import SavedSetup
from hardware.backends import connect
from hardware.wiring import DEFAULT

if TYPE_CHECKING:
    from companion.app.simulated.simulation import Simulation

LOG = logging.getLogger(__name__)


class HostedTable(NamedTuple):
    """A table's host, and the parts that depend on the kind of table."""

    host: Host
    simulation: "Simulation | None" = None
    setup: SetupWizard | None = None

    def list_steps(self, *others: Step) -> list[Step]:
        """Return the steps of each turn of the event loop, the table's and these; a game that fails
        in one of them does not end the program."""
        steps: list[Step] = [self.host.source.poll]
        if self.simulation is not None:
            steps.append(self.simulation.bots.play_when_due)
        if self.setup is not None:
            steps.append(self.setup.run_due_work)
        guard = self.host.table.guard
        return [partial(guard.refuse_failure, "turn", step) for step in (*steps, *others)]


def build_table(
    options: Options,
    folder: DataFolder,
    machine: Machine,
    loop: Loop,
    closing: ExitStack,
) -> HostedTable:
    """Build the table of these options, with the seating of the last run. The stack releases its
    wires; the folder has the pieces of a simulated table."""
    journal, identity = folder.journal, folder.identity
    rules = choose_rules(options, journal, folder.settings.saved)
    is_simulated = options.kind == "simulated"
    seats = Seats(identity.state.seats, identity.save_seats, folder.names, open_house=is_simulated)
    if not is_simulated:
        wiring = load_wiring(options.folder, options.profile)
        wires = TableWires(wiring, partial(connect, "pi"), patient=options.patient)
        closing.callback(wires.close)
        source = PhysicalTable(rules, journal, options.folder, wires, seats)
        host = build_host(source, journal, seats, identity, loop.call)
        connect_machine(source, host, machine)
        return HostedTable(host, setup=SetupWizard(host, source, folder.settings, options.profile))

    from companion.app.simulated.simulated_table import Lineup, SimulatedTable, build_tabletop
    from companion.app.simulated.simulation import Simulation

    players = choose_players(rules.box, options.seats)
    seed = secrets.randbits(32) if options.seed is None else options.seed
    lineup = Lineup(players, seed, options.persons_seat, options.pace)
    profile = options.profile or DEFAULT
    tabletop = build_tabletop(profile, air=options.air, poses=seed)
    closing.callback(tabletop.close)
    simulated = SimulatedTable(rules, journal, tabletop, lineup, seats, options.folder)
    host = build_host(simulated, journal, seats, identity, loop.call)
    return HostedTable(host, Simulation(host, simulated, lineup, loop.restart))


def connect_machine(source: PhysicalTable, host: Host, machine: Machine) -> None:
    """Show by the lamps that the machine has a Wi-Fi of its own, and let a button switch it off."""

    def hear(evidence: Evidence) -> None:
        if isinstance(evidence, ButtonHeldOff):
            machine.switch_power("off")

    source.lamp_signal = partial(lamp_of_own_wifi, machine, host)
    host.listeners.append(hear)


def lamp_of_own_wifi(machine: Machine, host: Host, _seat: int, lamp: Lamp) -> Lamp:
    """Return the state of a lamp: those of free seats blink slowly while the table's own Wi-Fi is
    on the air and no one has come yet."""
    waits = machine.is_on_air and host.table.history.is_over
    return "slow" if waits and lamp == "off" and not host.seats.taken_seats() else lamp


def choose_rules(options: Options, journal: Journal, chosen: SavedSetup) -> AnyRulebook:
    """Return the rules of the requested game, else of a box chosen since the last game, else of
    the last game."""
    asked = None if options.restarted else options.game
    if asked is not None and asked not in game_names():  # The config names a broken one.
        LOG.warning(log_line("box_missing", game=asked))
        asked = None
    is_new = chosen.game in game_names() and chosen.after == (journal.newest_game() or "")
    return make_rulebook(asked or (chosen.game if is_new else _last_played(journal)))


def _last_played(journal: Journal) -> str:
    """Return the game that the journal holds last, or the first of all if its box is gone."""
    newest = journal.newest_game()
    line = next(iter(journal.read_lines(newest)), None) if newest else None
    if line is not None and line.game in game_names():
        return line.game
    if line is not None:
        LOG.warning(log_line("box_missing", game=line.game))
    return next(iter(game_names()))
