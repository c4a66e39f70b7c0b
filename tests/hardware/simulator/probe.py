"""A bare host on a chip's wires, to look at the chip with: registers, and one exchange.

Law: no driver. It sets up what the data sheet asks for, sends what it is told and reports what
the registers say, errors and all. Tests and measurements hold it against the chip.
"""

from typing import NamedTuple

from hardware.simulator import registers as r
from hardware.simulator.commands import TRANSCEIVE
from hardware.simulator.frame import Frame
from hardware.simulator.world import World


class ProbeResult(NamedTuple):
    """The registers after an exchange."""

    irq: int
    error: int
    coll: int
    answer: Frame


class Probe:
    """Talks to one reader of a table, its chip set up and its field on."""

    def __init__(self, world: World, reader: int = 0, timeout_us: int = 1000) -> None:
        self.world = world
        self.spi = world.open_spi(reader)
        self.set_up(timeout_us)

    def set_up(self, timeout_us: int) -> None:
        """Set the timer to 25 µs steps, full modulation, values after a collision cleared, field
        on."""
        steps = timeout_us // 25
        for register, value in (
            (r.T_MODE, 0x80),
            (r.T_PRESCALER, 0xA9),
            (r.T_RELOAD_HIGH, steps >> 8),
            (r.T_RELOAD_LOW, steps & 0xFF),
            (r.TX_ASK, 0x40),
            (r.COLL, 0x00),
            (r.TX_CONTROL, 0x83),
        ):
            self.write_register(register, value)
        self.world.sleep(0.005)

    def read_registers(self, *registers: int) -> list[int]:
        """Return several registers, read in one transfer."""
        return self.spi.xfer2([*(0x80 | register << 1 for register in registers), 0])[1:]

    def read_register(self, register: int) -> int:
        return self.read_registers(register)[0]

    def write_register(self, register: int, *values: int) -> None:
        """Write one value, or a burst to the same register."""
        self.spi.xfer2([register << 1, *values])

    def send_frame(self, data: bytes, last_bits: int = 0, align: int = 0) -> ProbeResult:
        """Send a frame, wait for the answer or the timer, and read everything."""
        self.write_register(r.COMMAND, 0)
        self.write_register(r.COM_IRQ, 0x7F)
        self.write_register(r.FIFO_LEVEL, r.FLUSH_BUFFER)
        self.write_register(r.FIFO_DATA, *data)
        self.write_register(r.COMMAND, TRANSCEIVE)
        self.write_register(r.BIT_FRAMING, r.START_SEND | align << 4 | last_bits)
        while not self.read_register(r.COM_IRQ) & (r.RX_IRQ | r.TIMER_IRQ):
            pass
        if self._is_receiving():
            self.world.sleep(0.02)
        return self._read_result(align)

    def _is_receiving(self) -> bool:
        irq, state = self.read_registers(r.COM_IRQ, r.STATUS2)
        return not irq & r.RX_IRQ and state & 7 == 6

    def _read_result(self, align: int) -> ProbeResult:
        irq, error, level, control, coll = self.read_registers(
            r.COM_IRQ, r.ERROR, r.FIFO_LEVEL, r.CONTROL, r.COLL
        )
        data = bytes(self.read_registers(*[r.FIFO_DATA] * level)) if level else b""
        bits = 8 * level - (8 - (control & 7) if control & 7 else 0) - align
        frame = Frame(int.from_bytes(data, "little") >> align, max(bits, 0))
        return ProbeResult(irq, error, coll, frame)
