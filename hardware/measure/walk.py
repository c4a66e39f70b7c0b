"""The walk through twelve measurements, with one reader or two and six stickers.

Law: the stickers are met once, one by one, and asked by name from then on; their numbers stay in
memory. What a person skips is left out of the result, and so is what needs a second reader where
there is one. Every instrument leaves the field off, and power and gain as they were.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from typing import NamedTuple, Protocol, TypeVar

from companion import __version__
from companion.core.i18n import N_, Message
from hardware.clock import Clock
from hardware.errors import HardwareError
from hardware.measure.file import CrossPoint, Measured, PilePoint, Power, RangePoint
from hardware.rc522.anticollision import TagSearch
from hardware.rc522.chip import GAINS, POWER_DOWN, TransmitPower
from hardware.rc522.exchange import Silence, ask_for_tag
from hardware.rc522.frames import REQA
from hardware.rc522.reader import Rc522Reader

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
        """Return the share of questions that a tag answers at usual power and gain."""
        return self._in_field(
            lambda: sum(self._is_heard(uid) for _ in range(ASKINGS)) / ASKINGS, 0.0
        )

    def least_power(self, uid: bytes) -> tuple[Power | None, Power | None]:
        """Return the weakest power that reaches a tag, and the first that does not."""

        def set_power(step: int) -> None:
            self._reader.chip.set_gain(GAIN_STEPS[0])
            self._reader.chip.set_power(POWER_STEPS[step])

        steps = self._count_steps(uid, len(POWER_STEPS), set_power)
        return _pair_at(steps, [Power(step.drivers, step.n, step.p) for step in POWER_STEPS])

    def least_gain(self, uid: bytes) -> tuple[int | None, int | None]:
        """Return the lowest gain that hears a tag, and the highest that does not."""

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
        """Return the overhead of a transfer besides its bits, in microseconds."""
        link, registers = self._reader.chip.link, [self._reader.chip.link.stock.VersionReg]
        link.select_chip()
        begun = self._clock.monotonic()
        for _ in range(TRANSFERS):
            link.read_registers(*registers)
        each = (self._clock.monotonic() - begun) / TRANSFERS
        return max(0.0, each - 8 * (len(registers) + 1) / link.hertz) * 1e6

    def wake_ms(self) -> float:
        """Return the chip's wake-up time from power-down, in milliseconds."""
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
        """Count the steps down that a tag is still heard on."""

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


MEASUREMENTS = 12
STICKERS = 6
SLOTS = (1, 2, 3, 4)
CLOSE, MIDWAY = 4.0, 8.0
"""Heights in mm: a card on 3 mm of wood, and one where weak stickers end."""
HEIGHTS = (CLOSE, 6.0, MIDWAY, 10.0, 12.0, 15.0)
DISTANCES = (100.0, 80.0)


class Laid(NamedTuple):
    """One sticker, counted from 1: in which slot (0: the middle), and how high above the coil."""

    sticker: int
    slot: int = 0
    height: float = CLOSE


class Arrangement(NamedTuple):
    """Stack over the first module, from below, and the distance of the second one."""

    asks: Message
    cards: Sequence[Laid] = ()
    distance: float = DISTANCES[0]


class BenchPerson(Protocol):
    """A person at the bench, laying the stickers asked for."""

    def arranges(self, arrangement: Arrangement, number: int) -> bool:
        """Lay this for the measurement of this number; False to leave it out."""


def measure_bench(
    readers: Sequence[Rc522Reader], clock: Clock, person: BenchPerson, *, simulated: bool
) -> Measured:
    """Run all measurements with the first readers, two at most; HardwareError if one of them does
    not start."""
    if not all(reader.start() for reader in readers[:2]):
        text = N_("A reader does not answer: let companion doctor examine it first.")
        raise HardwareError(Message(text, {}))
    return BenchWalk(readers, clock, person).run(simulated)


class BenchWalk:
    """One walk: the stickers to lay, and the results."""

    def __init__(self, readers: Sequence[Rc522Reader], clock: Clock, person: BenchPerson) -> None:
        self._first, *self._beside = (Instruments(reader, clock) for reader in readers[:2])
        self._person = person
        self._uids: dict[int, bytes] = {}

    def run(self, simulated: bool) -> Measured:
        """Run the measurements in an order where each prepares the next."""
        made, transfer = date.today().isoformat(), self._first.transfer_us()
        wake = self._first.wake_ms()
        self._meet_stickers()
        return Measured(
            companion=__version__,
            made=made,
            simulated=simulated,
            transfer_us=round(transfer, 1),
            wake_ms=round(wake, 3),
            halt_is_obeyed=self._check_halt(),
            ranges=tuple(self._measure_ranges()),
            piles=tuple(self._measure_piles()),
            cross_reads=tuple(self._measure_cross_reads()),
        )

    def _meet_stickers(self) -> None:
        for n in range(1, STICKERS + 1):
            text = N_("Lay sticker {n} alone over the middle of the module.")
            if self._person.arranges(Arrangement(Message(text, {"n": n}), [Laid(n)]), 0):
                found = [uid for uid in self._first.find_tags() if uid not in self._uids.values()]
                self._uids |= dict(zip([n], found, strict=False))

    def _check_halt(self) -> bool | None:
        text = N_("Lay sticker {n} alone over the middle of the module.")
        asked = Arrangement(Message(text, {"n": 1}), [Laid(1)])
        return self._first.obeys_halt(self._uids[1]) if self._is_laid(asked, 3) else None

    def _measure_ranges(self) -> Iterator[RangePoint]:
        """Measure heights over the middle (4), each slot close (5) and midway (6); power (11) and
        gain (12) are lowered over every point."""
        points = [(4, 0, height) for height in HEIGHTS]
        points += [(5, slot, CLOSE) for slot in SLOTS] + [(6, slot, MIDWAY) for slot in SLOTS]
        for number, slot, height in points:
            text = N_("Lay sticker 1 alone over the middle, {height} mm above the coil.")
            if slot:
                text = N_("Lay sticker 1 alone in slot {slot}, {height} mm above the coil.")
            asks = Message(text, {"slot": slot, "height": f"{height:g}"})
            if self._is_laid(Arrangement(asks, [Laid(1, slot, height)]), number):
                uid, gauge = self._uids[1], self._first
                heard = gauge.share_heard(uid)
                power, gain = gauge.least_power(uid), gauge.least_gain(uid)
                yield RangePoint(slot, height, heard, power, gain)

    def _measure_piles(self) -> Iterator[PilePoint]:
        """Measure piles with every sticker in the middle (7), and over the four slots (8)."""
        for number, in_slots in ((7, False), (8, True)):
            for cards in range(1, STICKERS + 1):
                text = N_("Pile {n} cards, their stickers 1 to {n} all in the middle.")
                if in_slots:
                    text = N_("Pile {n} cards, their stickers in slots 1, 2, 3, 4, 1 and 2.")
                slots = [(n - 1) % len(SLOTS) + 1 if in_slots else 0 for n in range(1, cards + 1)]
                laid = [Laid(n, slot) for n, slot in enumerate(slots, 1)]
                if self._is_laid(Arrangement(Message(text, {"n": cards}), laid), number):
                    shares = [self._first.share_heard(self._uids[one.sticker]) for one in laid]
                    yield PilePoint(cards, in_slots, sum(s > 0.5 for s in shares) / cards)

    def _measure_cross_reads(self) -> Iterator[CrossPoint]:
        """Measure how often a second reader hears the first one's card (9, 10)."""
        for number, distance in enumerate(DISTANCES if self._beside else (), 9):
            text = N_(
                "Put the modules {distance} mm apart, sticker 1 over the middle of the first."
            )
            asks = Message(text, {"distance": f"{distance:g}"})
            if self._is_laid(Arrangement(asks, [Laid(1)], distance), number):
                yield CrossPoint(distance, self._beside[0].share_heard(self._uids[1]))

    def _is_laid(self, arrangement: Arrangement, number: int) -> bool:
        """Ask for this, unless one of its stickers was never met."""
        known = all(one.sticker in self._uids for one in arrangement.cards)
        return known and self._person.arranges(arrangement, number)
