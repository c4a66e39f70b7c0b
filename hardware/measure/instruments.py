"""What can be measured with one MFRC522: answers, least power, least gain, transfers, wake-up.

Law: every instrument leaves the field off, and power and gain as they were.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

from hardware.clock import Clock
from hardware.measure.file import Power
from hardware.rc522.anticollision import TagSearch
from hardware.rc522.chip import GAINS, POWER_DOWN, TransmitPower
from hardware.rc522.exchange import Silence
from hardware.rc522.frames import REQA
from hardware.rc522.reader import Rc522Reader
from hardware.rc522.select import ask_for_tag

Step = TypeVar("Step")
Result = TypeVar("Result")

ASKINGS, MISSED = 20, 3
TRANSFERS = 200
LONGEST_WAKE = 0.2
"""Seconds after which a chip that is still asleep will not wake."""
GAIN_STEPS = tuple(sorted(GAINS, reverse=True))
POWER_STEPS = (
    *(TransmitPower(p=p) for p in (32, 24, 18, 14, 11, 9, 7, 6, 5, 4, 3, 2, 1)),
    *(TransmitPower(1, p=p) for p in (3, 2, 1)),
)


class Instruments:
    """The measurements of one reader."""

    def __init__(self, reader: Rc522Reader, clock: Clock) -> None:
        self._reader, self._clock = reader, clock

    def find_tags(self) -> list[bytes]:
        """Return the tags that are met over this coil."""
        return self._in_field(lambda: list(self._search_tags()), [])

    def share_heard(self, uid: bytes) -> float:
        """Return which share of the questions a tag answers at usual power and gain."""
        return self._in_field(
            lambda: sum(self._is_heard(uid) for _ in range(ASKINGS)) / ASKINGS, 0.0
        )

    def least_power(self, uid: bytes) -> tuple[Power | None, Power | None]:
        """Return the weakest power at which a tag is heard, and the first at which it is not."""

        def set_power(step: int) -> None:
            self._reader.chip.set_gain(GAIN_STEPS[0])
            self._reader.chip.set_power(POWER_STEPS[step])

        steps = self._count_steps(uid, len(POWER_STEPS), set_power)
        return _pair_at(steps, [Power(step.drivers, step.n, step.p) for step in POWER_STEPS])

    def least_gain(self, uid: bytes) -> tuple[int | None, int | None]:
        """Return the lowest gain at which a tag is heard, and the highest at which it is not."""

        def set_gain(step: int) -> None:
            self._reader.chip.set_gain(GAIN_STEPS[step])

        return _pair_at(self._count_steps(uid, len(GAIN_STEPS), set_gain), GAIN_STEPS)

    def obeys_halt(self, uid: bytes) -> bool:
        """Return whether a halted tag stays silent to REQA and still answers to its name."""

        def is_silent_once_halted() -> bool:
            before = self._is_heard(uid)  # It is halted afterwards.
            silent = isinstance(self._reader.exchange.call_tags(REQA), Silence)
            return before and silent and self._is_heard(uid)

        return self._in_field(is_silent_once_halted, False)

    def transfer_us(self) -> float:
        """Return what a transfer costs besides its bits, in microseconds."""
        link, registers = self._reader.chip.link, [self._reader.chip.link.stock.VersionReg]
        link.select_chip()
        begun = self._clock.monotonic()
        for _ in range(TRANSFERS):
            link.read_registers(*registers)
        each = (self._clock.monotonic() - begun) / TRANSFERS
        return max(0.0, each - 8 * (len(registers) + 1) / link.hertz) * 1e6

    def wake_ms(self) -> float:
        """Return how long the chip needs to wake from power-down, in milliseconds."""
        link = self._reader.chip.link
        command = link.stock.CommandReg
        link.select_chip()
        link.write_register(command, POWER_DOWN)
        self._clock.sleep(0.005)
        begun = self._clock.monotonic()
        link.write_register(command, 0)
        while self._clock.monotonic() - begun < LONGEST_WAKE:
            if not link.read_registers(command)[0] & POWER_DOWN:
                break
        woken = self._clock.monotonic() - begun
        self._reader.start()
        return woken * 1000

    def _search_tags(self) -> Sequence[bytes]:
        return TagSearch(self._reader.exchange, self._reader.positions).find_all()

    def _is_heard(self, uid: bytes) -> bool:
        return ask_for_tag(self._reader.exchange, uid) == "seen"

    def _count_steps(self, uid: bytes, most: int, set_step: Callable[[int], None]) -> int:
        """Return on how many steps down a tag is heard, until it is not."""

        def count_heard() -> int:
            for step in range(most):
                set_step(step)
                if not any(self._is_heard(uid) for _ in range(MISSED)):
                    return step
            return most

        return self._in_field(count_heard, 0)

    def _in_field(self, act: Callable[[], Result], otherwise: Result) -> Result:
        """Run this with the field on; afterwards it is off, and power and gain are as they were."""
        if self._reader.switch_on() != "well":
            return otherwise
        try:
            return act()
        finally:
            self._reader.chip.set_gain(self._reader.chip.gain)
            self._reader.chip.set_power(TransmitPower())
            self._reader.switch_off()


def _pair_at(heard: int, steps: Sequence[Step]) -> tuple[Step | None, Step | None]:
    """Return the last of the steps that were heard, and the first that was not."""
    last = steps[heard - 1] if heard else None
    return last, steps[heard] if heard < len(steps) else None
