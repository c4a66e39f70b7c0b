"""The FIFO buffer: 64 bytes, the two alerts, and what happens when it is full.

Law: data sheet 8.3. HiAlert means at most WaterLevel bytes are free, LoAlert at most that many
are stored; each notes in ComIrqReg the moment it became true.
"""

from hardware.simulator import registers as r

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
