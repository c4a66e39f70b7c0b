"""Start the companion: the table that the options ask for, physical or simulated, and everything
round it, in order; and stop it in mirrored order.

Laws: what has to be closed goes onto one stack, which closes it last in, first out. A physical
table loads nothing of the simulator: on a small Pi that is memory and time to the first page.
"""

import logging
import secrets
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from companion import __version__
from companion.app import process
from companion.app.build_host import build_host
from companion.app.data_folder import DataFolder, open_backups
from companion.app.default_players import begin_asked_game, choose_players
from companion.app.floor import publish_table
from companion.app.loop import Chore, Loop, Step, after_each_game, every
from companion.app.physical_table import PhysicalTable
from companion.app.settings import CAFE_DAYS, HOME_DAYS, Options
from companion.app.setup.wizard import SetupWizard
from companion.app.wires import TableWires, load_wiring
from companion.core.installation import installed_by
from companion.core.log_lines import log_line
from companion.core.sensor_events import ButtonHeldOff, Evidence, Lamp
from companion.floor import TableOnFloor
from companion.games import game_names, make_rulebook
from companion.games.rulebook import AnyRulebook
from companion.host.demo import DemoLoop
from companion.host.host import Host
from companion.host.name_keeping import NameKeeping
from companion.hotspot.machine import Machine
from companion.journal import Journal
from companion.seating.seats import Seats
from companion.setup.steps import SavedSetup
from companion.table.wishes import WishTaker
from hardware.backends import connect
from hardware.wiring import DEFAULT
from web.app import create_app
from web.context import AppContext
from web.server.server import Server
from web.server.sockets import open_sockets

if TYPE_CHECKING:
    from companion.app.simulated.simulation import Simulation

LOG = logging.getLogger(__name__)
COUNT_NAMES_EVERY = 600.0
"""Seconds between two counts of the time that names are kept: each is written to the card."""


def start(
    options: Options,
    greet: Callable[[AppContext], None],
    tell_old_game: Callable[[str], None] = lambda _language: None,
) -> int:
    """Open the data, make the table, the pages and the loop, and serve until stopped; return the
    status.

    `tell_old_game` is called, with the language of the table, where a game goes on in spite of the
    options. Raise an ExplainedError if the companion cannot be started.
    """
    process.prepare(options)
    with ExitStack() as stack:
        folder = stack.enter_context(closing(DataFolder(options)))
        settings, identity = folder.settings, folder.identity
        sockets = open_sockets(options.port, options.address)
        for each in sockets:
            stack.enter_context(each)
        port: int = sockets[0].getsockname()[1]
        loop = stack.enter_context(closing(Loop()))
        is_service = options.kind == "physical" and installed_by() == "apt"
        version = __version__ if is_service else ""
        machine = Machine(options.address, port, version, name=lambda: settings.place.name)

        table = build_table(options, folder, machine, loop, stack)
        host, live = table.host, table.host.table
        stack.callback(live.close)  # Page threads may still read the journal.
        live.telling.use_clock(time.monotonic)
        live.telling.set_calm(settings.saved.calm)
        machine.watch(live.notify_watchers)
        begin_asked_game(host, options, partial(tell_old_game, settings.language))
        demo = DemoLoop(host) if options.demo else None
        usual = CAFE_DAYS if options.demo or options.mqtt else HOME_DAYS
        names = NameKeeping(host, options.names_days or usual, process.look_at_clocks)
        counting = Chore("names", names.count_time, every(COUNT_NAMES_EVERY))
        stack.callback(counting.close)
        backups = open_backups(folder, live, loop.restart)
        stack.callback(backups.close)
        keeping = Chore("backup", backups.keep, after_each_game(live))
        floor = TableOnFloor(
            settings, host.health_lights, lambda: machine.addresses, time.monotonic
        )
        publish = publish_table(options, live, floor, stack)

        context = AppContext(
            live,
            host.seats,
            table.simulation,
            host,
            settings=settings,
            identity=identity,
            machine=machine,
            demo=demo,
            floor=floor,
            names=names,
            backups=backups,
            setup=table.setup,
        )
        wishes = WishTaker(live, context.wishes, time.monotonic)
        machine.refresh()
        host.health_monitor.read_health()  # So that no page has to wait for it.
        app, notifier = create_app(context), process.SystemdNotifier(time.monotonic)
        process.log_start(options)
        status = loop.run(
            partial(Server, app, sockets),
            table.list_steps(
                machine.refresh,
                wishes.take_when_due,
                *([] if demo is None else [demo.advance]),
                host.health_monitor.check,
                host.expire_pass,
                publish,
                lambda: notifier.notify_watchdog(host.source.wires.steps()),
                counting.begin_when_due,
                keeping.begin_when_due,
            ),
            notifier,
            partial(greet, context),
        )
    if loop.restarts:
        simulation = table.simulation
        process.restart_process(options, port, None if simulation is None else simulation.bots.pace)
    return status


# The table.


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

    from companion.app.simulated.simulated_table import Lineup, build_tabletop  # noqa: PLC0415
    from companion.app.simulated.simulation import Simulation  # noqa: PLC0415

    players = choose_players(rules.box, options.seats)
    seed = secrets.randbits(32) if options.seed is None else options.seed
    lineup = Lineup(players, seed, options.persons_seat, options.pace)
    profile = options.profile or DEFAULT
    tabletop = build_tabletop(profile, air=options.air, poses=seed)
    closing.callback(tabletop.close)
    simulation = Simulation(
        rules,
        journal,
        tabletop,
        lineup,
        seats,
        identity,
        memory=options.folder,
        run_on_loop=loop.call,
        restart=loop.restart,
    )
    return HostedTable(simulation.host, simulation=simulation)


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
