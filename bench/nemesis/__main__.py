"""`python -m bench.nemesis --seconds 300 --seed N`: play under every fault, then check everything.

Prints one line per violation with the seed and the calls that it rests on, and a line of counts.
The exit status is 1 if anything was violated, or if any kind of fault did not happen.
"""

import argparse
import random
import socket
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

from bench.nemesis.attempts import Recorder
from bench.nemesis.browser import Browser
from bench.nemesis.check import check_run
from bench.nemesis.daemon import Daemon
from bench.nemesis.faults import Faults
from bench.nemesis.faulty_disk import FaultyDisk, NoCompiler
from bench.nemesis.hosts import Host, KnownPin
from bench.nemesis.looks import Looks
from bench.nemesis.network import WEATHERS, Network
from bench.nemesis.people import SEATS, Listener, Player
from bench.nemesis.phones import Hands
from companion.games import game_names

KINDS = ("kills", "power cuts", "stops", "second companions", "jumps", "full", "failed", *WEATHERS)
"""What must have happened at least once, or the run proves nothing."""


MOST_PRINTED = 40
"""Violations that are printed; all are counted."""
OVERTIME = 120.0
"""Seconds that a run goes on for so that every kind of fault happens."""


class Evening:
    """One run: a companion, its people, and what befalls them."""

    def __init__(self, aside: Path, seed: int, game: str) -> None:
        folder = aside / "data"
        folder.mkdir(mode=0o700)
        self.looks = Looks(aside / "views.txt")
        self.recorder, self.pin = Recorder(self.looks), KnownPin()
        self.disk = FaultyDisk(aside, folder, seed)
        self.daemon = Daemon(folder, aside, game, self.disk)
        self.network = Network(seed)
        self.faults = Faults(self.daemon, self.disk, self.network, self.recorder, self.pin)
        self._seed, self._hands, self._stop = seed, Hands(), threading.Event()
        self._browsers = 0

    def play(self, seconds: float) -> None:
        """Play for so long, and stop everything in peace."""
        self.faults.start(_free_port())
        people: list[threading.Thread] = [
            *(Player(self._browser(f"ana-{n}"), f"{self._seed} {n}", self._stop, self._hands)
              for n in range(SEATS + 1)),
            *(Host(self._browser(f"host-{n}"), f"{self._seed} host {n}", self._stop, self.pin)
              for n in range(2)),
        ]  # fmt: skip
        listeners = [Listener(self._browser(f"screen-{n}"), 0, self._stop) for n in range(2)]
        end = time.monotonic() + seconds
        for person in (*people, *listeners):
            person.start()
        self.faults.run(self._seed, lambda: self._is_over(time.monotonic() - end))
        self._stop.set()
        for person in people:
            person.join()
        self.daemon.stop()
        self.recorder.note_death(power_cut=False)
        self.network.close()
        self.disk.take_in_log()

    def _is_over(self, overtime: float) -> bool:
        """Return whether the time is up and every kind of fault has happened, or never will."""
        return overtime >= OVERTIME or (overtime >= 0 and not self.missing_kinds())

    def missing_kinds(self) -> list[str]:
        """Return the kinds of faults that have not happened."""
        counts = self._count_faults()
        return [kind for kind in KINDS if not counts[kind]]

    def _count_faults(self) -> Counter[str]:
        return self.faults.happened + self.network.happened + Counter(self.disk.counts())

    def _browser(self, name: str) -> Browser:
        self._browsers += 1
        address, host = f"127.0.1.{self._browsers}", f"localhost:{self.daemon.port}"
        return Browser(name, address, self.network.port, host, self.recorder)

    def check(self) -> tuple[list[str], Counter[str]]:
        """Return every violation, and the counts of what happened."""
        attempts = self.recorder.closed()
        journal = self.daemon.folder / "journal.sqlite3"
        wrong, lines = check_run(attempts, journal, self.looks.read)
        counts = Counter({"lines": lines, "attempts": len(attempts)})
        counts += Counter(attempt.outcome for attempt in attempts)
        counts += self._count_faults()
        return [*self.recorder.notes, *wrong], counts


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as line:
        return int(line.getsockname()[1])


def main() -> int:
    """Run once; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    parser.add_argument("--game", choices=game_names())
    parser.add_argument("--keep", type=Path, help="keep folder, log and history here")
    chosen = parser.parse_args()
    game = chosen.game or list(game_names())[chosen.seed % len(game_names())]
    print(f"seed {chosen.seed}: {game}, {chosen.seconds:.0f} s", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        aside = (chosen.keep or Path(folder)).resolve()
        aside.mkdir(parents=True, exist_ok=True)
        try:
            evening = Evening(aside, chosen.seed, game)
        except NoCompiler as missing:
            print(missing, file=sys.stderr)
            return 2
        evening.play(chosen.seconds)
        wrong, counts = evening.check()
        if chosen.keep:
            history = "".join(f"{attempt}\n" for attempt in evening.recorder.closed())
            (aside / "history.txt").write_text(history)
    for line in wrong[:MOST_PRINTED]:
        print(f"seed {chosen.seed}: {line}")
    print(f"seed {chosen.seed}: {len(wrong)} violations; "
          + ", ".join(f"{n} {name}" for name, n in counts.items()))  # fmt: skip
    missing_kinds = evening.missing_kinds()
    if missing_kinds:
        print(f"seed {chosen.seed}: this run proves nothing, for these never happened: "
              f"{', '.join(missing_kinds)}")  # fmt: skip
    return 1 if wrong or missing_kinds else 0


if __name__ == "__main__":
    sys.exit(main())
