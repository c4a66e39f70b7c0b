"""Start the companion: the table and everything round it, in order; and stop it in mirrored order.

Law: what has to be closed goes onto one stack, which closes it last in, first out.
"""

import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from functools import partial

from companion import __version__
from companion.app import process
from companion.app.build_table import build_table
from companion.app.data_folder import DataFolder, open_backups
from companion.app.default_players import begin_asked_game
from companion.app.floor import publish_table
from companion.app.loop import Chore, Loop, after_each_game, every
from companion.app.settings import CAFE_DAYS, HOME_DAYS, Options
from companion.core.installation import installed_by
from companion.floor import TableOnFloor
from companion.host.demo import DemoLoop
from companion.host.name_keeping import NameKeeping
from companion.hotspot.machine import Machine
from companion.table.wishes import WishTaker
from web.app import create_app
from web.context import AppContext
from web.server.server import Server
from web.server.sockets import open_sockets

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
