"""`python -m bench.nemesis --seconds 300 --seed N`: play under every fault, then check everything.

Prints one line per violation with the seed and the calls that it rests on, and a line of counts.
The exit status is 1 if anything was violated, or if any kind of fault did not happen.
"""

import argparse
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from bench.nemesis.attempts import Recorder
from bench.nemesis.browser import Browser
from bench.nemesis.check import check_run
from bench.nemesis.daemon import Daemon
from bench.nemesis.faults import Faults
from bench.nemesis.faulty_disk import FaultyDisk, NoCompiler
from bench.nemesis.hosts import Host, KnownPin
from bench.nemesis.kept import DATA, VIEWS, Run, keep_run, read_run
from bench.nemesis.looks import Looks, read_look
from bench.nemesis.network import WEATHERS, Network
from bench.nemesis.people import SEATS, Listener, Player
from bench.nemesis.phones import Hands
from companion.games import game_names
from tests.worlds.ports import free_port

KINDS = ("kills", "power cuts", "stops", "second companions", "jumps", "full", "failed", *WEATHERS)
"""What must have happened at least once, or the run proves nothing."""


MOST_PRINTED = 40
"""Violations that are printed; all are counted."""
OVERTIME = 120.0
"""Seconds that a run goes on for so that every kind of fault happens."""


class Evening:
    """One run: a companion, its people, and what befalls them."""

    def __init__(self, aside: Path, seed: int, game: str) -> None:
        folder = aside / DATA
        folder.mkdir(mode=0o700)
        self.looks = Looks(aside / VIEWS)
        self.recorder, self.pin = Recorder(self.looks), KnownPin()
        self.disk = FaultyDisk(aside, folder, seed)
        self.daemon = Daemon(folder, aside, game, self.disk)
        self.network = Network(seed)
        self.faults = Faults(self.daemon, self.disk, self.network, self.recorder, self.pin)
        self._seed, self._game = seed, game
        self._hands, self._stop = Hands(), threading.Event()
        self._browsers = 0

    def play(self, seconds: float) -> None:
        """Play for so long, and stop everything in peace."""
        self.faults.start(free_port())
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
        is_complete = not find_missing_kinds(self._count_faults())
        return overtime >= OVERTIME or (overtime >= 0 and is_complete)

    def _count_faults(self) -> Counter[str]:
        return self.faults.happened + self.network.happened + Counter(self.disk.counts())

    def _browser(self, name: str) -> Browser:
        self._browsers += 1
        address, host = f"127.0.1.{self._browsers}", f"localhost:{self.daemon.port}"
        return Browser(name, address, self.network.port, host, self.recorder)

    def keep(self, folder: Path) -> None:
        """Write down what happened."""
        run = Run(self._seed, self._game, self.recorder.deaths, self.recorder.notes,
                  dict(self._count_faults()))  # fmt: skip
        keep_run(folder, run, self.recorder.closed())


def find_missing_kinds(faults: Mapping[str, int]) -> list[str]:
    """Return the kinds of faults that have not happened."""
    return [kind for kind in KINDS if not faults.get(kind)]


def main() -> int:
    """Run once; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    parser.add_argument("--game", choices=game_names())
    parser.add_argument("--keep", type=Path, help="keep folder, log and history here")
    check_help = "only check the run that was kept here, with the version that played it"
    parser.add_argument("--check", type=Path, help=check_help)
    chosen = parser.parse_args()
    if chosen.check:
        return check_kept(chosen.check)
    with tempfile.TemporaryDirectory() as folder:
        aside = (chosen.keep or Path(folder)).resolve()
        aside.mkdir(parents=True, exist_ok=True)
        try:
            play_run(aside, chosen.seed, chosen.game, chosen.seconds)
        except NoCompiler as missing:
            print(missing, file=sys.stderr)
            return 2
        return check_kept(aside)


def play_run(aside: Path, seed: int, wanted: str | None, seconds: float) -> None:
    """Play, and keep what happened in this folder."""
    game = wanted or list(game_names())[seed % len(game_names())]
    print(f"seed {seed}: {game}, {seconds:.0f} s", flush=True)
    evening = Evening(aside, seed, game)
    evening.play(seconds)
    evening.keep(aside)


def check_kept(aside: Path) -> int:
    """Check a run that was kept, and print what is wrong; return the exit status."""
    begun = time.monotonic()
    run, attempts = read_run(aside)
    wrong, lines = check_run(
        attempts, aside / DATA / "journal.sqlite3", partial(read_look, aside / VIEWS)
    )
    wrong = [*run.notes, *wrong]
    counts = Counter({"lines": lines, "attempts": len(attempts)})
    counts += Counter(attempt.outcome for attempt in attempts)
    counts += Counter(run.faults)
    for line in wrong[:MOST_PRINTED]:
        print(f"seed {run.seed}: {line}")
    print(f"seed {run.seed}: {len(wrong)} violations; "
          + ", ".join(f"{n} {name}" for name, n in counts.items())
          + f"; checked in {time.monotonic() - begun:.0f} s")  # fmt: skip
    missing_kinds = find_missing_kinds(run.faults)
    if missing_kinds:
        print(f"seed {run.seed}: this run proves nothing, for these never happened: "
              f"{', '.join(missing_kinds)}")  # fmt: skip
    return 1 if wrong or missing_kinds else 0


if __name__ == "__main__":
    sys.exit(main())
