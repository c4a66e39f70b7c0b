"""The chip's timer: prescaler, reload value, and the moment it reaches zero.

Law: data sheet 8.5. One step takes (2 × prescaler + 1) carrier cycles, + 2 with TPrescalEven,
and the timer rings after reload + 1 steps. It measures; it never stops a reception.
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
