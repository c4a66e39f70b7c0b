"""One exchange on the air, as the chip lives through it.

Law: data sheet 9.3.1 and 10.3.1. The frame leaves, TxIRq; the timer starts by itself (TAuto) and
stops with the fifth bit of an answer; bytes reach the FIFO as they arrive; RxIRq at the end,
errors noted before it. Without an answer the chip goes on listening until it is told otherwise.

Where the data sheet can be read in two ways the chip's `Make` chooses.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from hardware.simulator import registers as r
from hardware.simulator.clock import SimulatedClock
from hardware.simulator.echo import Reception
from hardware.simulator.field import Antenna
from hardware.simulator.fifo import Fifo, Timer
from hardware.simulator.frame import Frame, bit_times_ns, compute_crc
from hardware.simulator.tag import SELECTORS

GAIN_DB = (18, 23, 18, 23, 33, 38, 43, 48)
IDLE, WAIT_FOR_START, TRANSMITTING, WAIT_FOR_DATA, RECEIVING = 0, 1, 3, 5, 6
"""ModemState of Status2Reg."""


@dataclass(frozen=True)
class Make:
    """The make of a chip, and its reading of gaps in the data sheet."""

    version: int = 0x92
    """VersionReg: 91h and 92h from NXP; 88h, 12h and B2h are seen on other chips."""
    coll_pos: Literal["fifo", "absolute"] = "fifo"
    """CollPos counts from bit 0 of the first FIFO byte, or from the first bit of the UID part."""
    idles_after_answer: bool = False
    """Whether Transceive ends with an answer, and must be written again before the next frame."""


class Transceiver:
    """Sender and receiver between FIFO and antenna."""

    def __init__(
        self,
        clock: SimulatedClock,
        fifo: Fifo,
        timer: Timer,
        antenna: Antenna,
        make: Make,
    ) -> None:
        self.make = make
        self.modem = IDLE
        self._clock = clock
        self._regs = fifo.regs
        self._fifo = fifo
        self._timer = timer
        self._antenna = antenna
        self._known = 0

    def run_exchange(self, listens: bool) -> Iterator[int]:
        """Send the FIFO's bytes, then listen; yield the next moment something happens."""
        regs, started = self._regs, self._clock.now
        frame = self._load_frame()
        self.modem = TRANSMITTING
        ended = started + frame.sent_ns()
        yield ended
        regs[r.COM_IRQ] |= r.TX_IRQ
        if regs[r.T_MODE] & r.T_AUTO:
            self._timer.start(ended)
        echo = self._send_frame(frame, started, ended)
        self.modem = WAIT_FOR_DATA if listens else IDLE
        deaf = regs[r.COMMAND] & r.RCV_OFF or regs[r.RX_MODE] & 0x70
        if listens and echo and not deaf:
            yield from self._receive_answer(echo, ended + echo.wait_ns)

    def _load_frame(self) -> Frame:
        """Return the frame in the FIFO; TxLastBits shortens its last byte."""
        regs, data = self._regs, self._fifo.drain()
        last = regs[r.BIT_FRAMING] & 7
        missing = 8 - last if last and data else 0
        bits = int.from_bytes(data, "little")
        frame = Frame(bits & ((1 << 8 * len(data) - missing) - 1), 8 * len(data) - missing)
        if regs[r.TX_MODE] & r.CRC_EN:
            frame = Frame(frame.bits | compute_crc(data) << frame.length, frame.length + 16)
        anticollision = bool(data) and data[0] in SELECTORS and frame.length >= 16
        self._known = frame.length - 16 if anticollision else 0
        return frame

    def _send_frame(self, frame: Frame, started: int, ended: int) -> Reception | None:
        """Return the tags' answer; they need full modulation at 106 kbit/s, unencrypted."""
        regs = self._regs
        if not regs[r.TX_ASK] & r.FORCE_100_ASK or regs[r.TX_MODE] & 0x78:
            return None
        if not ~regs[r.TX_CONTROL] & (r.TX2_CW | r.TX2_RF_EN):
            return None  # TX2 goes on with the bare carrier in the pauses
        if not self._antenna.drive or not frame.length:
            return None
        if regs[r.STATUS2] & r.CRYPTO_ON:
            frame = Frame(frame.bits ^ ((1 << frame.length) - 1), frame.length)
        gain = GAIN_DB[regs[r.RF_CFG] >> 4 & 7]
        return self._antenna.send_frame(frame, started, ended, gain)

    def _receive_answer(self, echo: Reception, begins: int) -> Iterator[int]:
        """Receive the answer byte by byte."""
        regs = self._regs
        regs[r.ERROR] &= r.WR_ERR | r.TEMP_ERR | r.BUFFER_OVFL
        self.modem = RECEIVING
        yield begins + bit_times_ns(5)
        if regs[r.T_MODE] & r.T_AUTO:
            self._timer.stop(self._clock.now)
        align = regs[r.BIT_FRAMING] >> 4 & 7
        errors, data = self._check_answer(echo, align)
        for n, byte in enumerate(data):
            arrived = min(8 * (n + 1) - align, echo.length)
            yield begins + bit_times_ns(1 + arrived + n)
            self._fifo.push(byte)
        yield begins + Frame(0, echo.length).answered_ns() - bit_times_ns(1)
        errors |= regs[r.ERROR]
        regs[r.ERROR] = errors
        self.modem = WAIT_FOR_START
        if self.make.idles_after_answer:
            self.modem, regs[r.COMMAND] = IDLE, regs[r.COMMAND] & 0xF0
        regs[r.CONTROL] = regs[r.CONTROL] & ~7 | (align + echo.length) % 8
        regs[r.COM_IRQ] |= r.RX_IRQ | (r.ERR_IRQ if errors else 0)

    def _check_answer(self, echo: Reception, align: int) -> tuple[int, bytes]:
        """Return the errors of an answer, and the bytes that go into the FIFO."""
        if echo.false_start:
            return r.PROTOCOL_ERR, b""
        bits, errors, sound = echo.bits, 0, echo.length
        if echo.collided:
            sound = (echo.collided & -echo.collided).bit_length() - 1
            bits = self._note_collision(echo, sound, align)
            errors |= r.COLL_ERR
        else:
            self._regs[r.COLL] = self._regs[r.COLL] & r.VALUES_AFTER_COLL | r.COLL_POS_NOT_VALID
        if self._parity_fails(echo.odd, align, sound):
            errors |= r.PARITY_ERR
        data = Frame(bits << align, align + echo.length).to_bytes()
        if self._regs[r.RX_MODE] & r.CRC_EN:
            errors, data = self._strip_crc(errors, data, (align + echo.length) % 8 == 0)
        return errors, data

    def _note_collision(self, echo: Reception, first: int, align: int) -> int:
        """Note the position of the first collision; return the bits as they read then."""
        position = first + 1 + (align if self.make.coll_pos == "fifo" else self._known)
        keep = self._regs[r.COLL] & r.VALUES_AFTER_COLL
        where = position & 0x1F if position <= 32 else r.COLL_POS_NOT_VALID
        self._regs[r.COLL] = keep | where
        return echo.bits if keep else echo.bits & ((1 << first + 1) - 1)

    def _parity_fails(self, odd: int, align: int, sound: int) -> bool:
        """Return whether a whole byte before the first collision has the wrong parity."""
        whole = (1 << (align + sound) // 8) - 1
        return bool(odd & whole & (~1 if align else ~0))

    def _strip_crc(self, errors: int, data: bytes, whole: bool) -> tuple[int, bytes]:
        if not whole or len(data) < 3 or compute_crc(data):
            return errors | r.CRC_ERR, data
        return errors, data[:-2]
