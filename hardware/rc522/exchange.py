"""One question on air and its answer, in a bounded number of transfers.

Law: three things can come of a question, and only one of them is silence. The chip's own timer
must have run out with nothing received and no error raised; anything else that is not an answer
is garbled, and a garbled answer is a sign that a tag is there. Every frame is sent as all published
drivers send it: Idle, Transceive, StartSend. A chip that waits for the next frame by itself after
an answer needs only the last of them, but some chips are idle then and would stay silent.

A tag that answers a SELECT with its whole UID is that tag, even when the answer is garbled. It is
absent only for a reader to which it stayed silent, cleanly, every time.
"""

from typing import NamedTuple

from hardware.clock import Clock
from hardware.presence import Sign
from hardware.rc522.frames import (
    BIT,
    HALT,
    MORE_UID,
    WUPA,
    Airtime,
    has_valid_crc,
    level_parts,
    select_frame,
)
from hardware.rc522.link import Link, read_frame

RX_DONE, TIMER_DONE = 0x20, 0x01
NONSENSE = 0x80  # the top bit of the interrupt register always reads 0 on a living chip
WRONG = 0xD3  # FIFO misuse, overheated antenna, overflow, parity, protocol
COLLIDED, NOWHERE = 0x08, 0x20  # bits of ErrorReg and of CollReg
TICK = 25e-6  # the timer's step at prescaler 0xA9
PATIENCE = 14 * TICK  # an answer's fifth bit, which stops the timer, comes after 0.14 ms
SLACK = 2 * BIT  # the chip notices the end of a frame a bit or two late
MOST_DRAINED = 5  # bytes of an answer that are read in one transfer with what became of it
OVERTIME = 1e-3  # a chip that has not made up its mind by then never will


class HeardBits(NamedTuple):
    """The received data, the bits of its last byte (0: all), and where answers first differ."""

    data: bytes
    last_bits: int = 0
    collision: int | None = None  # 1…32, as the chip counts

    @property
    def is_whole(self) -> bool:
        return self.collision is None and not self.last_bits


class Silence:
    """A clean timeout: nothing was received and no error raised."""


class Garbled:
    """An answer, or noise, that cannot be understood."""


SILENCE, GARBLED = Silence(), Garbled()
AirAnswer = HeardBits | Silence | Garbled


class ExchangeOutcome(NamedTuple):
    """The registers that show how an exchange went, read in one transfer; where answers differ,
    `coll` in a second one."""

    irq: int
    error: int
    control: int
    level: int
    coll: int = NOWHERE

    @property
    def is_settled(self) -> bool:
        return bool(self.irq & (RX_DONE | TIMER_DONE | NONSENSE))

    @property
    def is_silent(self) -> bool:
        """True if the timer ran out alone; a late answer may set both bits."""
        return self.irq & (RX_DONE | TIMER_DONE | NONSENSE) == TIMER_DONE and not (
            self.error or self.level
        )

    @property
    def collision(self) -> int | None:
        if not self.error & COLLIDED or self.coll & NOWHERE:
            return None
        return self.coll & 0x1F or 32

    @property
    def is_understood(self) -> bool:
        """True if the data can be used; a collision explains the parity that it breaks."""
        if not self.irq & RX_DONE or self.irq & NONSENSE or not 0 < self.level <= 64:
            return False
        return self.collision is not None or not self.error & (WRONG | COLLIDED)


class Exchange:
    """Sends frames through one chip and reads the answers. It does not switch the field."""

    def __init__(self, link: Link, clock: Clock) -> None:
        chip = link.stock
        self._link, self._clock = link, clock
        self._look = read_frame(
            (chip.CommIrqReg, chip.ErrorReg, chip.ControlReg, chip.FIFOLevelReg)
        )
        self._draining = {
            count: [*self._look[:-1], *read_frame([chip.FIFODataReg] * count)]
            for count in range(1, MOST_DRAINED + 1)
        }
        self._leftovers = True
        self._is_idle = False
        self._framing = 0
        self.quiet_until = float("-inf")
        """The moment before which no frame may start; what leads up to one is written meanwhile."""
        self._timed_until = float("-inf")
        self.stalled = 0

    def ask_tag(self, question: bytes, expect: int, known: int = 0) -> AirAnswer:
        """Send a frame and return this many bytes of answer. With `known` bits an anticollision
        frame ends, and its answer starts, inside a byte."""
        some = known % 8
        air = Airtime.of(8 * len(question) - (8 - some if some else 0), expect)
        self._send_frame(question, some << 4 | some)
        outcome, data = self._await_outcome(air, expect)
        if not outcome.is_understood:
            return self._silence_or_garbled(outcome)
        if outcome.level > len(data):
            left = [self._link.stock.FIFODataReg] * (outcome.level - len(data))
            data += self._link.read_registers(*left)
        return HeardBits(bytes(data[: outcome.level]), outcome.control & 7, outcome.collision)

    def call_tags(self, call: bytes) -> AirAnswer:
        """Send a seven-bit call. Only whether a tag answers matters; the two bytes are drained in
        the same transfer and dropped."""
        self._send_frame(call, 7)
        outcome, data = self._await_outcome(Airtime.of(7, 2), 2)
        if not outcome.is_understood:
            return self._silence_or_garbled(outcome)
        self._leftovers = outcome.level > len(data)
        return HeardBits(b"", collision=outcome.collision)

    def send_order(self, order: bytes) -> None:
        """Send a frame that has no answer, with the receiver off."""
        chip, write = self._link.stock, self._link.write_register
        if self._framing:
            write(chip.BitFramingReg, 0)
            self._framing = 0
        self._free_fifo()
        write(chip.FIFODataReg, *order)
        write(chip.CommandReg, chip.PCD_TRANSMIT)
        self._is_idle = True  # A chip that has sent a frame without an answer is.
        self._clock.sleep(Airtime.of(8 * len(order), 0).question + SLACK)
        # The timer that starts with the end of a frame must be through before the next one.
        self._timed_until = self._clock.monotonic() + PATIENCE

    def note_set_up(self) -> None:
        """Note that the chip was set up again."""
        self._leftovers, self._is_idle, self._framing = True, False, 0

    def _send_frame(self, question: bytes, framing: int) -> None:
        """Clear StartSend first, so that no stale bit starts it too early."""
        chip, write = self._link.stock, self._link.write_register
        write(chip.BitFramingReg, framing)
        self._framing = framing
        self._free_fifo()
        write(chip.FIFODataReg, *question)
        self._wait_until(self._timed_until)
        write(chip.CommIrqReg, 0x7F)
        write(chip.CommandReg, chip.PCD_TRANSCEIVE)
        self._wait_until(self.quiet_until)
        write(chip.BitFramingReg, 0x80 | framing)
        self._is_idle = False

    def _wait_until(self, moment: float) -> None:
        self._clock.sleep(max(0.0, moment - self._clock.monotonic()))

    def _free_fifo(self) -> None:
        """Keep the receiver from the FIFO, and empty it if anything may be left there."""
        chip, write = self._link.stock, self._link.write_register
        if not self._is_idle:
            write(chip.CommandReg, chip.PCD_IDLE)
            self._is_idle = True
        if self._leftovers:
            write(chip.FIFOLevelReg, 0x80)
            self._leftovers = False

    def _await_outcome(self, air: Airtime, expect: int) -> tuple[ExchangeOutcome, list[int]]:
        """Sleep while the answer is on air, then read the outcome, with this many bytes; one read
        is nearly always enough. An unfinished answer is dropped."""
        given_up = air.question + PATIENCE + SLACK
        end = air.answer + SLACK
        self._clock.sleep(max(end, given_up))
        drains = expect in self._draining
        values = self._link.transfer_frame(self._draining[expect] if drains else self._look)
        outcome, data = ExchangeOutcome(*values[:4]), values[4:]
        if outcome.is_settled:
            return self._locate_collision(outcome), data
        self._leftovers = True
        deadline = self._clock.monotonic() + given_up + OVERTIME
        while not outcome.is_settled and self._clock.monotonic() < deadline:
            outcome = ExchangeOutcome(*self._link.transfer_frame(self._look))
        self.stalled += not outcome.is_settled
        if drains and not outcome.is_silent:
            return outcome._replace(irq=outcome.irq & ~RX_DONE), []
        return self._locate_collision(outcome), []

    def _locate_collision(self, outcome: ExchangeOutcome) -> ExchangeOutcome:
        if not outcome.error & COLLIDED:
            return outcome
        return outcome._replace(coll=self._link.read_registers(self._link.stock.CollReg)[0])

    def _silence_or_garbled(self, outcome: ExchangeOutcome) -> AirAnswer:
        if outcome.is_silent:
            return SILENCE
        self._leftovers = True
        return GARBLED


def select_tag(exchange: Exchange, level: int, part: bytes) -> int | None:
    """Select the tag with this part of a UID; return its SAK, None if none was understood."""
    return _parse_sak(exchange.ask_tag(select_frame(level, part), 3))


def ask_for_tag(exchange: Exchange, uid: bytes) -> Sign:
    """Return the sign of this tag in the field; it is halted afterwards."""
    if not _wake_tags(exchange):
        return "silent"
    sign = _select_by_uid(exchange, uid)
    exchange.send_order(HALT)
    return sign


def leave_selected(exchange: Exchange, uid: bytes) -> Sign:
    """Return the sign of this tag in the field, which stays selected: it drops the next call, and
    may answer the one after that."""
    return _select_by_uid(exchange, uid) if _wake_tags(exchange) else "silent"


def _wake_tags(exchange: Exchange) -> bool:
    """Call twice: a half selected tag drops the first call and hears the second."""
    return any(not isinstance(exchange.call_tags(WUPA), Silence) for _ in range(2))


def _select_by_uid(exchange: Exchange, uid: bytes) -> Sign:
    levels = list(level_parts(uid))
    for level, part in enumerate(levels):
        answer = exchange.ask_tag(select_frame(level, part), 3)
        if isinstance(answer, Silence):
            return "silent"
        sak, last = _parse_sak(answer), level == len(levels) - 1
        if sak is None or bool(sak & MORE_UID) is last:
            return "unclear"
    return "seen"


def _parse_sak(answer: object) -> int | None:
    """Return the one byte that ends a level, if it came whole and with its check bytes."""
    if isinstance(answer, HeardBits) and answer.is_whole and len(answer.data) == 3:
        return answer.data[0] if has_valid_crc(answer.data) else None
    return None
