"""The chip's FIFO buffer and timer.

Law: data sheet 8.3. HiAlert means at most WaterLevel bytes are free, LoAlert at most that many
are stored; each notes in ComIrqReg the moment it became true. Data sheet 8.5: one step of the timer
takes (2 × prescaler + 1) carrier cycles, + 2 with TPrescalEven, and it rings after reload + 1
steps. It measures; it never stops a reception.
"""

from hardware.simulator import registers as r
from hardware.simulator.clock import NEVER
from hardware.simulator.frame import CARRIER_HZ

_EVEN = 0x10
_SECOND = 1_000_000_000


class Timer:
    """Counts down on the virtual clock; `due` is when it rings."""

    __slots__ = ("_left", "_regs", "due")

    def __init__(self, regs: bytearray) -> None:
        self._regs = regs
        self._left = 0
        self.due = NEVER

    @property
    def is_running(self) -> bool:
        return self.due < NEVER

    def start(self, now: int) -> None:
        """Start from the reload value."""
        self.due = now + (self._reload_value() + 1) * self._step_cycles() // CARRIER_HZ

    def stop(self, now: int) -> None:
        """Stop at the value reached."""
        if self.is_running:
            self._left = self.counter(now)
            self.due = NEVER

    def ring(self) -> None:
        """Reach zero: set TimerIRq, then rest or start again."""
        self._regs[r.COM_IRQ] |= r.TIMER_IRQ
        self._left, now, self.due = 0, self.due, NEVER
        if self._regs[r.T_MODE] & r.T_AUTO_RESTART:
            self.start(now)

    def counter(self, now: int) -> int:
        """Return TCounterVal."""
        if not self.is_running:
            return self._left
        return min(self._reload_value(), (self.due - now) * CARRIER_HZ // self._step_cycles())

    def _reload_value(self) -> int:
        return self._regs[r.T_RELOAD_HIGH] << 8 | self._regs[r.T_RELOAD_LOW]

    def _step_cycles(self) -> int:
        """Return the length of one step, in carrier cycles times a second."""
        regs = self._regs
        prescaler = (regs[r.T_MODE] & 0x0F) << 8 | regs[r.T_PRESCALER]
        even = 1 if regs[r.DEMOD] & _EVEN else 0
        return (2 * prescaler + 1 + even) * _SECOND


SIZE = 64


class Fifo:
    """The buffer between host and air. It sets its own bits in the chip's registers."""

    __slots__ = ("_stored", "regs")

    def __init__(self, regs: bytearray) -> None:
        self.regs = regs
        self._stored = bytearray()

    def __len__(self) -> int:
        return len(self._stored)

    def push(self, byte: int) -> None:
        """Store one byte; into a full buffer it is lost, and that is an error."""
        stored, regs = self._stored, self.regs
        if len(stored) >= SIZE:
            regs[r.ERROR] |= r.BUFFER_OVFL
            regs[r.COM_IRQ] |= r.ERR_IRQ
            return
        stored.append(byte)
        if len(stored) == SIZE - regs[r.WATER_LEVEL]:
            regs[r.COM_IRQ] |= r.HI_ALERT_IRQ

    def take(self) -> int:
        """Return the oldest byte; an empty buffer gives zero."""
        stored = self._stored
        if not stored:
            return 0
        byte = stored.pop(0)
        if len(stored) == self.regs[r.WATER_LEVEL]:
            self.regs[r.COM_IRQ] |= r.LO_ALERT_IRQ
        return byte

    def drain(self, count: int = SIZE) -> bytes:
        """Return the oldest bytes, all of them unless fewer are asked for."""
        data = bytes(self._stored[:count])
        was = len(self._stored)
        del self._stored[:count]
        if len(self._stored) <= self.regs[r.WATER_LEVEL] < was:
            self.regs[r.COM_IRQ] |= r.LO_ALERT_IRQ
        return data

    def flush(self) -> None:
        """Empty the buffer and clear the overflow."""
        self.drain()
        self.regs[r.ERROR] &= ~r.BUFFER_OVFL

    def alert_bits(self) -> int:
        """Return HiAlert and LoAlert as Status1Reg shows them."""
        water, stored = self.regs[r.WATER_LEVEL], len(self._stored)
        return (SIZE - stored <= water) << 1 | (stored <= water)
