"""The chip's commands, and their effect on FIFO, air and time (data sheet, section 10).

Law: one command at a time. Writing another ends the first; one that ends by itself leaves Idle
and sets IdleIRq, one that is stopped does not. Transceive and CalcCRC never end by themselves.
"""

from collections.abc import Iterator

from hardware.simulator import registers as r
from hardware.simulator.clock import NEVER, SimulatedClock
from hardware.simulator.fifo import Fifo
from hardware.simulator.frame import compute_crc, cycles_ns
from hardware.simulator.transceiver import WAIT_FOR_START, Transceiver

SIZE = 64
PUBLISHED = {
    0x90: bytes.fromhex(
        "0087980f49ff0719bf2230495963adca7fe34e035c4e4950479a3761e7e2c62e"
        "755aed043d024b7832ff583b7ce90094b44a595bfdc929df3596989e4f30328d"
    ),
    0x91: bytes.fromhex(
        "00c637d532b7575cc2d87c4dd970c77310e6d2aa5ea13e5a14af3061c970db2e"
        "642272b5bd65f4ec22bcd37235cdaa411fa7f35314de7e02d90fb55e251d2979"
    ),
    0x92: bytes.fromhex(
        "00eb66ba57bf2395d0e30d3d27895cde9d3ba700215b8982513aeb020ca50049"
        "7c844db3ccd21b815d4876d5716121a986968338cf9d5b6ddc15ba3e7d953b2f"
    ),
    0x88: bytes.fromhex(
        "00d6788ce2aa0c182ab87a7fd36acf0bb137634b69ae91c7c397ae77f437d79b"
        "7cf53c118f15c3d7c15b002ad075de9e5164ab3ee915b5ab569a988226ea2a62"
    ),
}
"""Bytes of the digital self-test (data sheet 16.1.1) by version."""


def self_test_bytes(version: int, prepared: bool) -> bytes:
    """Return the self-test's bytes in the FIFO; zeros where none are published.

    Without the preparation that the data sheet asks for the bytes differ.
    """
    known = PUBLISHED.get(version, bytes(SIZE))
    return known if prepared else bytes(byte ^ 0xA5 for byte in known)


IDLE, MEM, CALC_CRC, TRANSMIT = 0x0, 0x1, 0x3, 0x4
NO_CHANGE, RECEIVE, TRANSCEIVE, SOFT_RESET = 0x7, 0x8, 0xC, 0xF

SELF_TEST_NS = 1_000_000
"""The data sheet does not say how long the self-test takes."""
_PRESETS = (0x0000, 0x6363, 0xA671, 0xFFFF)


class CommandUnit:
    """Runs the chip's current command as a generator that yields when it goes on."""

    def __init__(self, clock: SimulatedClock, fifo: Fifo, air: Transceiver) -> None:
        self.due = NEVER
        self._clock = clock
        self._regs = fifo.regs
        self._fifo = fifo
        self._air = air
        self._process: Iterator[int] | None = None
        self._buffer = bytearray(25)

    def start_command(self, command: int) -> None:
        """Start the command that the host has written."""
        regs = self._regs
        self.stop()
        regs[r.COMMAND] = regs[r.COMMAND] & 0xF0 | command
        if command != IDLE:
            regs[r.ERROR] &= r.TEMP_ERR
            self._begin_command(command)

    def resume_with_data(self) -> None:
        """Resume a command that waits for the FIFO, which the host has written to."""
        command = self._regs[r.COMMAND] & 0xF
        if command == CALC_CRC and self.due == NEVER:
            self.run_step()
        elif command in (TRANSMIT, MEM) and self._process is None:
            self._begin_command(command)

    def start_send(self) -> None:
        """Handle StartSend: Transceive sends the bytes in the FIFO."""
        if self._regs[r.COMMAND] & 0xF == TRANSCEIVE and len(self._fifo):
            self._start_process(self._air.run_exchange(listens=True))

    def stop(self) -> None:
        """Stop the current command without setting any bit."""
        self._process, self.due = None, NEVER
        self._air.modem = 0

    def run_step(self) -> None:
        """Run the current command to its next moment."""
        process = self._process
        due = next(process, None) if process else None
        if due is not None:
            self.due = due
        elif self._process is process:
            self._process, self.due = None, NEVER

    def _begin_command(self, command: int) -> None:
        """Begin a command; an unknown one ends at once."""
        stored = len(self._fifo)
        if command == TRANSCEIVE:
            self._air.modem = WAIT_FOR_START
        elif command == CALC_CRC:
            self._start_process(self._calc_crc())
        elif command == TRANSMIT and stored:
            self._start_process(self._run_transmit())
        elif command == MEM and (stored == 0 or stored >= len(self._buffer)):
            self._move_memory()
        elif command not in (RECEIVE, TRANSMIT, MEM):
            self._finish_command()

    def _start_process(self, process: Iterator[int]) -> None:
        self._process = process
        self.run_step()

    def _finish_command(self) -> None:
        """End a command that finished by itself."""
        self.stop()
        self._regs[r.COMMAND] &= 0xF0
        self._regs[r.COM_IRQ] |= r.IDLE_IRQ

    def _run_transmit(self) -> Iterator[int]:
        yield from self._air.run_exchange(listens=False)
        self._finish_command()

    def _calc_crc(self) -> Iterator[int]:
        """Take in the bytes in the FIFO and all later ones; or run the self-test."""
        regs = self._regs
        if regs[r.AUTO_TEST] & 0xF == 0x9:
            yield from self._self_test()
            return
        value = _PRESETS[regs[r.MODE] & 3]
        while True:
            data = self._fifo.drain()
            yield self._clock.now + cycles_ns(8 * len(data))
            value = compute_crc(data, value)
            regs[r.CRC_RESULT_HIGH], regs[r.CRC_RESULT_LOW] = divmod(value, 256)
            regs[r.DIV_IRQ] |= r.CRC_IRQ
            while not len(self._fifo):
                yield NEVER

    def _self_test(self) -> Iterator[int]:
        prepared = not any(self._buffer) and self._fifo.drain() == b"\0"
        yield self._clock.now + SELF_TEST_NS
        for byte in self_test_bytes(self._regs[r.VERSION], prepared):
            self._fifo.push(byte)
        self._regs[r.DIV_IRQ] |= r.CRC_IRQ

    def _move_memory(self) -> None:
        """Mem: 25 bytes into the internal buffer, or out of it when the FIFO is empty."""
        if len(self._fifo):
            self._buffer[:] = self._fifo.drain(len(self._buffer))
        else:
            for byte in self._buffer:
                self._fifo.push(byte)
        self._finish_command()
