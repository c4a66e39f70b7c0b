"""Opening: one table on its data folder, its pages on their port, until somebody stops it.

Law: everything that matters is in the data folder. Whatever ends this process, the next one takes
up the same game at the same question, with the same people in the same seats.
"""

import argparse
import asyncio
import socket
import sys
import time
from collections.abc import Callable, Coroutine, Sequence
from contextlib import ExitStack, closing, suppress
from functools import cached_property, partial
from pathlib import Path
from typing import Any, NoReturn

import msgspec

import web
from companion.app import addresses, settings, state_files
from companion.app.backup_jobs import Vault
from companion.app.event_loop import (
    StopEvent,
    answering,
    open_sockets,
    quiet_tornado_logs,
    run_on_loop,
    serve_until_stopped,
)
from companion.app.physical_table import PhysicalTable
from companion.app.restart import restart_process
from companion.app.setup import First
from companion.app.simulated.bot_driver import paced
from companion.app.simulated.memory import SimulatedRoom
from companion.app.simulated.simulated_table import Company, Evening
from companion.app.systemd import SystemdNotifier
from companion.app.wanted import last_played
from companion.backup import finish
from companion.cli.greeting import print_pin
from companion.core.errors import Malformed
from companion.core.i18n import LANGUAGES, N_, Language, get_language
from companion.games import RULEBOOKS, make_rulebook
from companion.games.rulebook import Rulebook
from companion.host.demo import DemoLoop
from companion.host.host import Host
from companion.host.pin import Pin
from companion.journal import Journal, JournalFailed
from companion.records.parse import read_record
from companion.seating.seats import Seats
from hardware.errors import Said
from web.server.server import Server

Greet = Callable[[web.AppContext, int], None]


class Opening:
    """What a table stands on: what was asked for, its folder, the journal in it, its sockets."""

    def __init__(
        self,
        chosen: argparse.Namespace,
        folder: Path,
        journal: Journal,
        sockets: Sequence[socket.socket],
        came: bool | None = None,
    ) -> None:
        self.chosen, self.folder, self.journal = chosen, folder, journal
        self.words = get_language(chosen.lang)
        self._sockets, self._came = sockets, came
        self.begins_anew: Callable[[], bool] = lambda: False
        self.again: Callable[[], None] = self._again

    @cached_property  # It is asked for once more when the sockets are closed.
    def port(self) -> int:
        """Where it is served: what was asked for, or the next port that was free."""
        found: int = self._sockets[0].getsockname()[1]
        return found

    def rules(self) -> Rulebook:
        """The game that is asked for; else the box that was chosen since the last game; else that
        game."""
        asked = None if self.chosen.plugged else self.chosen.game
        kept = state_files.load_choices(self.folder)
        fresh = kept.game in RULEBOOKS and kept.after == (self.journal.newest_game() or "")
        return make_rulebook(asked or (kept.game if fresh else last_played(self.journal)))

    def seats(self, open_house: bool = False) -> Seats:
        """The seats, with whoever sat there when the companion was last stopped."""
        folder = self.folder
        return Seats(
            state_files.load_seats(folder),
            lambda taken: state_files.save_seats(folder, taken),
            open_house=open_house,
        )

    def pin(self, tell: Callable[[str, Language], None] = print_pin) -> Pin:
        """The PIN of the host; its digits are told when they are made."""
        folder, words = self.folder, self.words
        return Pin(
            state_files.load_pin(folder),
            state_files.pin_writer(folder),
            lambda digits: tell(digits, words),
        )

    def simulated(self, rules: Rulebook, company: Company, pin: Pin, profile: str) -> Evening:
        """A simulated table; it outlives this process, as a real one would."""
        room = SimulatedRoom(profile, memory=self.folder)
        try:
            evening = Evening(rules, self.journal, room, company, self.seats(open_house=True), pin)
        except BaseException:
            room.top.close()  # Else the next table of this process finds its pins taken.
            raise
        evening.pace = self.chosen.pace

        def plug() -> None:
            self._again("--pace", evening.pace)

        evening.plug = self.again = plug
        return evening

    def _again(self, *how: str) -> NoReturn:
        """Become the same table once more, on the same folder and port."""
        kept = self.chosen.plugged or ("kept" if self.chosen.data else "passing")
        restart_process(sys.orig_argv, self.folder, self.port, (kept, *how))

    async def serve(
        self, room: Evening | PhysicalTable, greet: Greet, first: First | None = None
    ) -> int:
        """Serve until somebody stops it; the exit status."""
        service, end = SystemdNotifier(time.monotonic), StopEvent()
        room.by_hand = not self.chosen.plugged
        pieces = room if isinstance(room, Evening) else None
        here = web.AppContext(room.table, room.seats, pieces, room, self.chosen.lang)
        here.setup = first
        here.on_language = first.spoke if first else self._spoke
        here.backups = safe = Vault(room.table, self.journal, self.folder, self._came)
        app = web.create_app(here, secret_key=state_files.load_cookie_key(self.folder), port=self.port)
        loop = asyncio.get_running_loop()
        room.run_on_loop = run_on_loop(loop)
        safe.again = partial(loop.call_soon_threadsafe, end.set_to_restart)
        self.begins_anew = lambda: end.restarts and safe.begins_anew()
        turn = first.turn if first else room.poll
        turn = paced(room) if isinstance(room, Evening) else turn
        turn = looping(self.chosen, room, here, turn)
        turn = answering(here, app.config, self.chosen.address, turn)

        room.health_monitor.folder = self.folder
        room.health_monitor.read_health()  # Before the first page: from then on nobody has to wait for it.

        def turned() -> None:
            turn()
            room.health_monitor.check()
            service.notify_watchdog(room.count_visits())
            service.notify_status(lambda: _status(room))

        def greeted(port: int) -> None:
            here.addresses = lambda: addresses.page_addresses(self.chosen.address, port)
            greet(here, port)

        try:
            return await serve_until_stopped(
                lambda: Server(app, self._sockets), turned, service, greeted, end
            )
        finally:
            safe.close()

    def _spoke(self, language: str) -> None:
        """The language that the host has chosen outlives this process, if it can be written."""
        kept = msgspec.structs.replace(state_files.load_choices(self.folder), language=language)
        with suppress(Malformed):
            state_files.save_choices(self.folder, kept)


def open_on(
    chosen: argparse.Namespace,
    folder: Path,
    table: Callable[[Opening], Coroutine[Any, Any, int]],
) -> int:
    """Open the folder and a port, and have a table stand there until it ends; the exit status."""
    quiet_tornado_logs()
    try:
        make(folder)
        came = finish(folder)
        chosen.lang = chosen.lang or state_files.chosen_language(folder)
        with closing(Journal(settings.journal_path(folder))) as journal, ExitStack() as ports:
            sockets = open_sockets(chosen.port, chosen.address)
            for each in sockets:
                ports.enter_context(each)
            at = Opening(chosen, folder, journal, sockets, came)
            status = asyncio.run(table(at))
            anew = at.begins_anew()
        if anew:
            at.again()
        return status
    except (Said, Malformed, JournalFailed) as error:
        return fail(chosen, get_language(chosen.lang or LANGUAGES[0])(error.say))


def make(folder: Path) -> None:
    """The folder where everything is kept."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        text = N_("{field} cannot be used: {reason}.")
        raise Malformed(str(folder), text, reason=error.strerror) from None


def fail(chosen: argparse.Namespace, sentence: str) -> int:
    """Say why there is no table; the exit status."""
    print(f"companion {chosen.command}: {sentence}", file=sys.stderr)
    SystemdNotifier(time.monotonic).notify_refused(sentence)
    return 2


def _status(room: Evening | PhysicalTable) -> str:
    """One line for whoever asks systemd how it goes."""
    conditions = room.conditions()
    well = sum(condition.word == "well" for condition in conditions)
    history = room.table.history
    game = (
        "no game" if history.state is None else f"{history.rules.box.title}, {history.state.phase}"
    )
    troubles = map(get_language(LANGUAGES[0]), room.table.fault_messages())
    return "; ".join((game, f"{well} of {len(conditions)} readers well", *troubles))


def looping(
    chosen: argparse.Namespace, house: Host, here: web.AppContext, turn: Callable[[], None]
) -> Callable[[], None]:
    """The turn of a table, and with --demo that of the loop after it."""
    if not chosen.demo:
        return turn
    here.demo = loop = DemoLoop(house, shown=[read_record(record) for record in chosen.show])

    def turned() -> None:
        turn()
        loop.advance()

    return turned
