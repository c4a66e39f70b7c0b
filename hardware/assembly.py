"""Readers and panel of one table, assembled from a wiring.

Law: the wires are visited in one place, one reader after the other, the buttons and lamps in
between; `sense` returns what is there and never waits for a reader.
"""

from collections import deque
from collections.abc import Callable, Sequence

from companion.core.sensor_events import ButtonPressed, Evidence, Lamp, ReaderCondition, ReaderFound
from hardware.clock import Clock
from hardware.debounce import sort_presses
from hardware.drivers import open_readers
from hardware.panel import Panel
from hardware.reader_loop import Readers
from hardware.wiring import Wiring

IDLE = 0.01
WARM_UP = 1.5
"""Seconds that a started reader needs to find the tags there, even in much noise."""


class Hardware:
    """A wired table: `backends.Senses` and `backends.Lamps` in one, advanced by `step`."""

    def __init__(self, readers: Readers, panel: Panel, clock: Clock) -> None:
        self.readers, self.panel, self.clock = readers, panel, clock
        self._sensed: deque[Evidence] = deque()
        self._warm_up_ends = clock.monotonic() + WARM_UP
        self.steps = 0
        self._to_close: list[Callable[[], None]] = [panel.close, readers.close]

    def step(self) -> None:
        """Visit one reader, all buttons and all lamps; takes about twenty milliseconds."""
        self.steps += 1
        self._sensed.extend(self.readers.step())
        self._sensed.extend(self.panel.read_presses())
        self.panel.update_lamps()
        if self._warm_up_ends and self.clock.monotonic() >= self._warm_up_ends:
            self._sensed.extend(self._report_working_readers())

    def _report_working_readers(self) -> list[Evidence]:
        """Return ReaderFound for every healthy reader: it has reported its tags by now."""
        now, self._warm_up_ends = self.clock.monotonic(), 0.0
        return [ReaderFound(now, c.place) for c in self.conditions() if c.word == "well"]

    def sense(self) -> Sequence[Evidence]:
        """Everything noticed since the last call, oldest first."""
        news = [self._sensed.popleft() for _ in range(len(self._sensed))]
        presses = iter(sort_presses(press for press in news if isinstance(press, ButtonPressed)))
        in_time = sorted(news, key=lambda evidence: evidence.at)
        # Of presses that count as simultaneous the lower seat stays first.
        return [next(presses) if isinstance(event, ButtonPressed) else event for event in in_time]

    def light(self, seat: int, lamp: Lamp) -> None:
        self.panel.light(seat, lamp)

    def conditions(self) -> list[ReaderCondition]:
        return self.readers.conditions()

    def stuck_buttons(self) -> list[int]:
        return self.panel.stuck_buttons()

    def on_close(self, callback: Callable[[], None]) -> None:
        """Register one more callback for `close`."""
        self._to_close.append(callback)

    def close(self) -> None:
        """Switch lamps and fields off and release the wires."""
        while self._to_close:
            self._to_close.pop(0)()


def assemble_hardware(wiring: Wiring, clock: Clock, pin_factory: object = None) -> Hardware:
    """Return the hardware of a profile, its readers started."""
    panel = Panel(wiring.buttons, wiring.lamps, clock, pin_factory)
    try:
        opened = open_readers(wiring, clock)
    except OSError:
        panel.close()
        raise
    readers = Readers(opened.by_place, clock, opened.reset_lines)
    hardware = Hardware(readers, panel, clock)
    hardware.on_close(opened.close)
    hardware.readers.start()
    return hardware
