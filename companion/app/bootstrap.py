"""Start the companion: everything in order, and stop it in mirrored order.

Law: everything that matters is in the data folder. Whatever ends this process, the next one takes
up the same game at the same question, with the same people in the same seats.
"""

import asyncio
import logging
import platform
import sys
import time
from collections.abc import Callable, MutableMapping, Sequence
from contextlib import ExitStack, closing
from functools import partial
from threading import Thread
from typing import NamedTuple, NoReturn

from companion import __version__
from companion.app import state_files
from companion.app.addresses import AddressMonitor, own_addresses, page_addresses
from companion.app.asked_game import begin_asked_game
from companion.app.backup_checks import BOX_TITLES, UNATTENDED_CHECKS
from companion.app.build_table import DataFolder, build_table
from companion.app.clock_state import look_at_clocks
from companion.app.event_loop import Step, StopEvent, make_run_on_loop, serve_until_stopped
from companion.app.floor.publisher import publish_table
from companion.app.hosting import Runtime
from companion.app.keep_backups import BackupKeeper
from companion.app.listening import open_sockets
from companion.app.logging_setup import set_up_logging
from companion.app.memory import return_large_blocks
from companion.app.name_clock import NameClock
from companion.app.own_network import OwnNetwork
from companion.app.physical_table import PhysicalTable
from companion.app.restart import restart_process
from companion.app.settings import Options, config_path, journal_path, make_folder
from companion.app.setup.memory import SetupMemory
from companion.app.systemd import SystemdNotifier
from companion.app.wish_taker import WishTaker
from companion.backup.restore import finish_restore
from companion.backup.service import Backups, TableFolder
from companion.core.bot_pace import Pace
from companion.core.i18n import LANGUAGES, Language, get_language
from companion.core.installation import installed_by, read_update_fault
from companion.core.log_lines import log_line
from companion.floor.table_on_floor import FloorPlace, TableOnFloor, check_place
from companion.games import broken_games
from companion.host.demo import DemoLoop
from companion.host.host import Host
from companion.host.name_keeping import NameKeeping
from companion.host.status import worst_colour
from companion.hotspot.machine import Machine
from companion.hotspot.network import read_wifi
from companion.hotspot.wifi import TABLE_ADDRESS
from companion.identity import IdentityStore
from companion.identity.store import FILE as IDENTITY_FILE
from companion.journal import Journal
from companion.privacy.names import Names
from companion.records.parse import read_record
from companion.setup.steps import SavedSetup
from web.app import create_app
from web.context import AppContext
from web.server.server import Server

LOG = logging.getLogger("companion.app")


class RunningTable(NamedTuple):
    """The facts about a table that is about to be served, for a greeting."""

    options: Options
    words: Language
    port: int
    host: Host
    addresses: Sequence[str]


class Console(NamedTuple):
    """Callbacks that print: the greeting, that an old game goes on."""

    greet: Callable[[RunningTable], None]
    tell_old_game: Callable[[Language], None] = lambda _words: None


def run_companion(options: Options, console: Console) -> int:  # noqa: PLR0915
    """Start everything in order, serve until stopped, stop in mirrored order; the exit status.

    Raise Malformed, HardwareError, JournalFailed or GameRefusedError if it cannot be started.
    """
    return_large_blocks()
    make_folder(options.folder)
    is_kept = options.folder_kind == "kept"
    set_up_logging(options.log_level, folder=options.folder if is_kept else None)
    restored = finish_restore(options.folder)  # A restore that was interrupted.
    stop = StopEvent()
    with ExitStack() as closing_last:
        opened = Journal(journal_path(options.folder))
        journal = closing_last.enter_context(closing(opened))
        store = IdentityStore(options.folder / IDENTITY_FILE)
        identity = closing_last.enter_context(closing(store))
        listening = open_sockets(options.port, options.address)
        sockets = [closing_last.enter_context(each) for each in listening]
        port: int = sockets[0].getsockname()[1]
        with ExitStack() as running:
            chosen = state_files.chosen_language(options.folder, options.usual_language)
            language = options.language or chosen
            words, runner = get_language(language), running.enter_context(asyncio.Runner())
            loop, again = runner.get_loop(), partial(restart_companion, options, port)
            runtime = Runtime(make_run_on_loop(loop))
            folder = DataFolder(journal, identity, Names(identity.database))
            table = build_table(options, folder, runtime, again, running)
            host, live = table.host, table.host.table
            running.callback(live.close)  # Page threads may still read the journal.
            fault = read_update_fault(__version__)
            live.faults.database = identity.database
            live.faults.notices = (*identity.notices, *(() if fault is None else (fault,)))
            live.telling.use_clock(time.monotonic)
            begin_asked_game(host, options, partial(console.tell_old_game, words))
            demo, notifier = _make_demo(options, host), SystemdNotifier(time.monotonic)
            names = NameKeeping(host, options.count_days_of_names(), look_at_clocks)
            machine = _make_machine(options, live.notify_watchers)
            restart = partial(loop.call_soon_threadsafe, stop.set_to_restart)
            kept = TableFolder(
                options.folder, config_path(options.folder), UNATTENDED_CHECKS, BOX_TITLES
            )
            backups = Backups(
                kept, lambda: live.history.is_over, live.notify_watchers, restored, restart
            )
            running.callback(backups.close)
            memory = SetupMemory(options.folder) if table.setup is None else table.setup.memory
            live.telling.is_calm = memory.saved.calm
            addresses = partial(page_addresses, options.address, port)
            context = AppContext(
                live,
                host.seats,
                None if table.simulation is None else table.simulation.controls,
                host,
                language,
                asks_browser=options.kind == "physical" or options.language is None,
                addresses=addresses,
                demo=demo,
                backups=backups,
                identity=identity,
                setup=table.setup,
                on_language=memory.save_language,
                on_calm=memory.save_calm,
                floor=_put_on_floor(options, memory.saved, host, addresses),
                on_place=memory.save_place,
                shows_names=memory.saved.shows_names,
                on_names=memory.save_shows_names,
                names=names,
                machine=machine,
            )
            publish_table(options, live, context.floor, running)
            app = create_app(context, port=port)
            counting = NameClock(names, time.monotonic)
            running.callback(counting.close)
            steps: list[Step] = [
                _watch_addresses(options, app.config, context).refresh,
                *table.steps,
                WishTaker(live, context.wishes, time.monotonic).take_when_due,
                *([] if demo is None else [demo.advance]),
                host.health_monitor.check,
                host.expire_pass,
                partial(notify_systemd, notifier, host),
                counting.count_when_due,
                BackupKeeper(live, backups).back_up_when_due,
                *([] if machine is None else [_watch_network(machine, host, context)]),
            ]
            host.health_monitor.read_health()  # So that no page has to wait for it.
            greet = partial(_print_greeting, console, options, words, port, host)
            _log_start(options, restored)
            server = partial(Server, app, sockets)
            status = runner.run(serve_until_stopped(server, steps, notifier, greet, stop))
        begins_anew = stop.restarts
    LOG.info(log_line("stopped", status=status, restarts=begins_anew))
    if begins_anew:
        simulation = table.simulation
        restart_companion(options, port, None if simulation is None else simulation.bots.pace)
    return status


def _log_start(options: Options, restored: bool | None) -> None:
    versions = {"version": __version__, "python": platform.python_version()}
    LOG.info(log_line("started", **versions, kind=options.kind, demo=options.demo))
    for broken in broken_games():
        told = get_language(LANGUAGES[0])(broken.say)
        LOG.warning(log_line("game_broken", game=broken.name, why=told))
    if restored is not None:
        LOG.warning(log_line("restore_finished" if restored else "restore_discarded"))


def _make_machine(options: Options, tell: Callable[[], object]) -> Machine | None:
    """Return the machine whose power and Wi-Fi the host changes; None where no service runs."""
    if options.kind != "physical" or installed_by() != "apt":
        return None
    return Machine(__version__, tell)


def _watch_network(machine: Machine, host: Host, context: AppContext) -> Step:
    """Return the step that makes a Wi-Fi where there is none; the lamps tell of it."""
    name = lambda: context.floor.place.name  # noqa: E731  It may be another one by then.
    network = OwnNetwork(machine, host, own_addresses, time.monotonic, name)
    host.listen_to_evidence(network.hear)
    if isinstance(host.source, PhysicalTable):
        host.source.signal_by_lamps(network.lamp_of)
    return network.refresh


def _make_demo(options: Options, host: Host) -> DemoLoop | None:
    if not options.demo:
        return None
    return DemoLoop(host, records=[read_record(record) for record in options.records])


def _put_on_floor(
    options: Options, saved: SavedSetup, host: Host, addresses: Callable[[], Sequence[str]]
) -> TableOnFloor:
    """Return what this table is on the floor; a name in the config counts before a saved one.

    Raise Malformed if the name or the place in the options is too long or cannot be seen.
    """
    place = check_place(options.name, options.place)
    return TableOnFloor(
        place if options.name else FloorPlace(saved.name, saved.place),
        light=lambda: worst_colour(host.health_lights()),
        address=lambda: next(iter(addresses()), ""),
        clock=time.monotonic,
        is_fixed=bool(options.name),
    )


def _watch_addresses(
    options: Options, config: MutableMapping[str, object], context: AppContext
) -> AddressMonitor:
    """Answer to the addresses that this machine has now, and show the Wi-Fi that it has."""

    def follow(hosts: Sequence[str]) -> None:
        config["TRUSTED_HOSTS"] = list(hosts)
        if TABLE_ADDRESS in hosts:  # NetworkManager takes its time to say the password.
            Thread(target=lambda: context.set_wifi(read_wifi()), daemon=True).start()
        elif context.wifi is not None:
            context.set_wifi(None)

    monitor = AddressMonitor(options.address, follow)
    monitor.refresh()
    return monitor


def _print_greeting(
    console: Console, options: Options, words: Language, port: int, host: Host
) -> None:
    addresses = page_addresses(options.address, port)
    console.greet(RunningTable(options, words, port, host, addresses))


def notify_systemd(notifier: SystemdNotifier, host: Host) -> None:
    """Tell systemd that the loop and the wires are alive, and how it goes."""
    notifier.notify_watchdog(host.source.count_visits())
    notifier.notify_status(partial(status_line, host))


def status_line(host: Host) -> str:
    """Return one line about the game, the readers and the faults, in English."""
    conditions = host.source.reader_conditions()
    well = sum(condition.word == "well" for condition in conditions)
    history = host.table.history
    game = (
        "no game" if history.state is None else f"{history.rules.box.title}, {history.state.phase}"
    )
    faults = map(get_language(LANGUAGES[0]), host.table.faults.messages())
    return "; ".join((game, f"{well} of {len(conditions)} readers well", *faults))


def restart_companion(options: Options, port: int, pace: Pace | None = None) -> NoReturn:
    """Become the same command once more, on the same folder and port, with this pace of bots."""
    pace_words = () if pace is None else ("--pace", pace)
    command = sys.orig_argv
    restart_process(command, options.folder, port, (options.folder_kind, *pace_words))
