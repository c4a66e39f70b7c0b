"""A companion that plays on by bots, is killed at random moments and started again.

Law: everything that was acknowledged is there; nothing is there that nobody asked for; and the
next companion stands at the same question as the journal does. The table and the phones outlive
the companion, as they do in a room.
"""

import json
import os
import signal
import time
import traceback
from pathlib import Path
from random import Random
from typing import Any, NoReturn

from companion.app.default_players import NAMES
from companion.app.simulated.room import SimulatedRoom
from companion.app.simulated.simulated_table import Lineup
from companion.app.simulated.simulation import build_simulation
from companion.core.events import to_json
from companion.games import make_rulebook
from companion.journal import Journal
from companion.seating.seats import Seats
from companion.table.history import build_history, event_union
from hardware.simulator.hands_on_table import StillClock

SEATS = 4
CUT = {
    "The last write to the journal was cut short: what was done last may not have counted.",
    "The journal was damaged: {n} lines are sound, none is known to be lost;"
    " the damaged file is kept as {kept}.",
}
"""What a journal may say when the plug was pulled: it was just being written to. The second where
a whole line was in the log, and not yet what makes it count for SQLite: that line is kept."""


class Plug:
    """A table in a room where the power fails again and again."""

    def __init__(self, folder: Path, game: str, seed: int) -> None:
        self.folder, self.game = folder, game
        self.random = Random(f"plug {game} {seed}")
        self.acknowledged: list[list[Any]] = []
        self.pulls = self.finished = self.in_flight = 0

    def pull(self, longest: float = 0.5) -> None:
        """Let it run for a moment, then kill it, wherever it is."""
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            _live(self.folder, self.game, writing, self.random.randrange(1 << 30))
        os.close(writing)
        time.sleep(self.random.random() * longest)
        os.kill(child, signal.SIGKILL)
        with os.fdopen(reading, "rb") as told:
            lines = told.read().split(b"\n")[:-1]  # What was cut off was not acknowledged.
        _, status = os.waitpid(child, 0)
        assert os.WIFSIGNALED(status), f"it ended by itself: {status}, {lines[-2:]}"
        self.pulls += 1
        self.acknowledged += [json.loads(line) for line in lines]
        self.check()

    def check(self) -> None:
        """The journal holds what was acknowledged, and next to nothing else."""
        journal = Journal(self.folder / "journal.sqlite3")
        assert {notice.text for notice in journal.notices} <= CUT, journal.notices
        lines = [[line.id, line.via, bytes(line.event).decode()] for line in journal.read_lines()]
        self.in_flight = self._in_flight(lines)
        assert self.in_flight <= self.pulls
        self.finished = self._games(journal)
        journal.close()

    def _in_flight(self, lines: list[list[Any]]) -> int:
        """How often lines are on disk although their acknowledgement never left: those of the one
        answer that was being given when the plug was pulled."""
        left, stretches, owed = iter(self.acknowledged), 0, False
        done = next(left, None)
        for line in lines:
            if line == done:
                done, owed = next(left, None), False
            else:
                stretches, owed = stretches + (not owed), True
        assert done is None, f"{done} was acknowledged and is lost"
        return stretches

    def _games(self, journal: Journal) -> int:
        """Every game folds; how many are over."""
        rules, over = make_rulebook(self.game), 0
        for game in journal.list_games():
            lines = journal.read_lines(game.id)
            moments = [(line.decode_event(event_union(rules)), line.via, line.at) for line in lines]
            over += build_history(rules, moments).is_over
        return over


def _live(folder: Path, game: str, out: int, seed: int) -> NoReturn:
    """Play on for ever, and say what was acknowledged."""
    try:
        rules = make_rulebook(game)
        journal = Journal(folder / "journal.sqlite3")
        newest = journal.newest_game()
        told = [len(list(journal.read_lines(newest)))] if newest else [0]
        room = SimulatedRoom(clock=StillClock(), memory=folder)
        evening = build_simulation(
            rules, journal, room, Lineup(NAMES[:SEATS], seed, 0), Seats(open_house=True)
        )
        table = evening.host.table

        def acknowledge() -> None:
            moments = table.history.moments
            told[0] = told[0] if len(moments) >= told[0] else 0  # Another game has begun.
            for moment in moments[told[0] :]:
                line = [table.state.id, moment.via, to_json(moment.event).decode()]
                os.write(out, json.dumps(line).encode() + b"\n")
            told[0] = len(moments)

        acknowledge()  # What the readers saw while it started.
        table.watch(acknowledge)
        while True:
            if table.history.is_over:
                evening.bots.deal_again()
            elif not evening.bots.play_one():
                room.tabletop.pass_time(0.5)
                evening.source.poll()
    except BaseException:  # noqa: BLE001 - whatever it is, the parent hears of it
        traceback.print_exc()
    finally:
        os._exit(1)
