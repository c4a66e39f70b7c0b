"""The faults, in random mixtures: conditions that last a while, and what ends them.

Laws: everything is drawn from the seed, from decks without replacement, so that a short run has
some of each. After every fault the companion is up again, on what the fault has left of its folder.
"""

import math
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random

from bench.nemesis.attempts import OK, Attempt, Recorder
from bench.nemesis.daemon import Daemon, StartFailed
from bench.nemesis.faulty_disk import FaultyDisk
from bench.nemesis.hosts import KnownPin
from bench.nemesis.network import CALM, CUT, DELAY, FREEZE, Network

DAY = 86_400.0
JUMPS = (10.0, -10.0, -300.0, 20 * DAY, 40 * DAY)
YEARS = (2020, 2039)
KILLED, REFUSES = -9, 2
MOURNING = 0.05
STARTS = 8
"""Starts that may fail in a row while the disk is at fault."""


class Faults:
    """What befalls one companion."""

    def __init__(
        self, daemon: Daemon, disk: FaultyDisk, network: Network, recorder: Recorder, pin: KnownPin
    ) -> None:
        self._daemon, self._disk, self._network = daemon, disk, network
        self._recorder, self._pin = recorder, pin
        self.happened: Counter[str] = Counter()
        self.random = Random()

    def run(self, seed: int, stop: Callable[[], bool]) -> None:
        """Cause one fault after another until it is time to stop; then let all be well again."""
        self.random = Random(f"faults {seed}")
        conditions, endings = self._deal(self._conditions()), self._deal(self._endings())
        rounds = 0
        while rounds < self._least_rounds or not stop():
            _wait(self.random.uniform(0.2, 1.5))
            for _ in range(self.random.choice((0, 1, 1, 2)) if rounds % 2 else 2):
                next(conditions)()
            _wait(self.random.uniform(0.3, 2.0))
            next(endings)()
            self.calm_down()
            rounds += 1

    @property
    def _least_rounds(self) -> int:
        """How many rounds it takes until each kind has happened, on a slow machine as well."""
        return max(len(self._conditions()), len(self._endings()))

    def _deal(self, kinds: tuple[Callable[[], None], ...]) -> Iterator[Callable[[], None]]:
        while True:
            yield from self.random.sample(kinds, len(kinds))

    # Conditions.

    def _conditions(self) -> tuple[Callable[[], None], ...]:
        return (
            lambda: self._set_weather(CUT),
            lambda: self._set_weather(FREEZE),
            lambda: self._set_weather(DELAY),
            self._fill_disk, self._break_disk, self._jump_clock, self._jump_clock,
        )  # fmt: skip

    def _set_weather(self, weather: str) -> None:
        self._recorder.note_fault(f"network: {weather}")
        self._network.harm = self.random.uniform(0.1, 0.9)
        self._network.weather = weather

    def _fill_disk(self) -> None:
        self._recorder.note_fault("disk full")
        self._disk.set_full(True)
        self._wait_for_refusal("full")

    def _break_disk(self) -> None:
        self._recorder.note_fault("disk failing")
        self._disk.set_failing(self.random.choice((30, 200, 1000)))
        self._wait_for_refusal("failed")

    def _wait_for_refusal(self, kind: str) -> None:
        """Wait until the companion has met this fault of its disk, for some seconds at most."""
        before, end = self._disk.counts()[kind], time.monotonic() + 3
        while self._disk.counts()[kind] == before and time.monotonic() < end:
            _wait(0.05)

    def _jump_clock(self) -> None:
        self.happened["jumps"] += 1
        year = self.random.choice((None, None, *YEARS))
        then = None if year is None else time.mktime((year, 6, 1, 0, 0, 0, 0, 0, 0))
        wrong_by = self.random.choice(JUMPS) if then is None else then - time.time()
        self._recorder.note_fault(f"clock wrong by {wrong_by:.0f} s")
        self._disk.set_clock(wrong_by)

    def calm_down(self) -> None:
        """End every condition but the wrong time."""
        self._recorder.note_fault("calm")
        self._network.weather = CALM
        self._disk.set_full(False)
        self._disk.set_failing(0)
        self._revive()

    # Endings.

    def _endings(self) -> tuple[Callable[[], None], ...]:
        return (self._pass_by, self._kill, self._kill_within, self._cut_power, self._cut_power,
                self._stop, self._start_second)  # fmt: skip

    def _pass_by(self) -> None:
        """Let the companion survive it."""
        self.happened["survived"] += 1

    def _kill(self) -> None:
        self.happened["kills"] += 1
        self._daemon.kill()
        self._start_after(power_cut=False)

    def _kill_within(self) -> None:
        """Kill it between two changes to its disk."""
        self.happened["kills"] += 1
        self._die_within()
        self._start_after(power_cut=False)

    def _die_within(self) -> None:
        self._disk.die_in(self.random.randint(1, 15))
        end = time.monotonic() + 3
        while self._daemon.is_running and time.monotonic() < end:
            _wait(0.01)
        self._daemon.kill()
        self._disk.die_in(0)

    def _cut_power(self) -> None:
        """Kill it, and leave of its folder what a power cut may leave."""
        self.happened["power cuts"] += 1
        if self.random.random() < 0.7:
            self._die_within()
        else:
            self._daemon.kill()
        self._disk.take_in_log()
        state = self._disk.disk.cut_power(self.random)
        self._disk.disk.lay_out(self._daemon.folder, state)
        self._start_after(power_cut=True)

    def _stop(self) -> None:
        self.happened["stops"] += 1
        self._revive()
        status = self._daemon.stop()
        if status != 0 and not self.is_disk_faulty:
            self._recorder.note(f"stopped with exit status {status}")
        self._start_after(power_cut=False)

    def _start_second(self) -> None:
        """Start another companion on this folder; it must refuse, and this one play on."""
        self._revive()
        command = self.random.choice(("play", "run"))
        self.happened["second companions"] += 1
        status, said = self._daemon.start_second(command)
        if status != REFUSES or not self._daemon.is_running:
            self._recorder.note(f"a second companion did not refuse: {status} {said!r}")

    def _revive(self) -> None:
        """Start the companion if it was to die between two changes, and has."""
        self._disk.die_in(0)
        if not self._daemon.is_running:
            self._note_death(power_cut=False)
            self.start()

    # Starting.

    @property
    def is_disk_faulty(self) -> bool:
        counts = self._disk.counts()
        return bool(counts["full"] or counts["failed"])

    def _start_after(self, power_cut: bool) -> None:
        """Start again; the conditions may last a while longer."""
        self._note_death(power_cut)
        self._recorder.note_fault("power cut" if power_cut else "killed or stopped")
        if self.random.random() < 0.7:
            self._disk.set_full(False)
            self._disk.set_failing(0)
        if self.random.random() < 0.15:
            self._disk.die_in(self.random.randint(1, 30))
        self.start()

    def _note_death(self, power_cut: bool) -> None:
        """Note that the companion is dead, when its clients have been told by their connections."""
        _wait(MOURNING)
        self._recorder.note_death(power_cut)

    def start(self, port: int = 0) -> None:
        """Start it; where the disk keeps it from starting, heal the disk and start again."""
        if self._pin.lost:
            self._make_pin()
        for count in range(STARTS):
            self._disk.take_in_log()
            try:
                self._note_pin(self._daemon.start(port or self._daemon.port))
            except StartFailed as failed:
                self.happened["failed starts"] += 1
                is_excused = failed.status in (KILLED, REFUSES) and count < STARTS - 1
                if not is_excused:
                    self._recorder.note(f"does not start: {failed}")
                self._heal()
            else:
                self._network.lead_to(self._daemon.port)
                return
        raise StartFailed(0, "It never started again.")

    def _heal(self) -> None:
        self._disk.set_full(False)
        self._disk.set_failing(0)
        self._disk.die_in(0)

    def _note_pin(self, pin: str | None) -> None:
        """Note a PIN that was printed: the first start of all makes one, later ones none.

        A PIN that a host made on their page just then is printed, too; `check_printed_pins` sees.
        """
        if pin is None:
            return
        kind = "pin_printed" if self._pin.digits or self._pin.lost else "pin_made"
        attempt = self._recorder.begin(Attempt("console", kind))
        if kind == "pin_made":
            self._record_pin(attempt, pin)
        else:
            self._recorder.end(attempt, 200, {"pin": pin})

    def _make_pin(self) -> None:
        """Have a new PIN made on the command line."""
        self._heal()
        attempt = self._recorder.begin(Attempt("console", "pin_made"))
        pin = self._daemon.make_pin()
        if pin is None:
            self._recorder.note("companion pin made no PIN")
        else:
            self.happened["lost PINs"] += 1
            self._record_pin(attempt, pin)

    def _record_pin(self, attempt: Attempt, pin: str) -> None:
        self._recorder.end(attempt, 200, {"pin": pin})
        assert attempt.outcome == OK
        assert math.isfinite(attempt.returned)
        self._pin.digits, self._pin.lost = pin, False


def _wait(seconds: float) -> None:
    threading.Event().wait(seconds)
