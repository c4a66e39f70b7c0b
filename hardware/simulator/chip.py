"""The MFRC522 as a host sees it over SPI: registers that act.

Law: the data sheet and nothing else; the chip knows no driver. It lives lazily: whatever should
have happened since the last access happens just before the next one, at its own time.
"""

import random
from collections.abc import Callable, Iterator

from hardware.simulator import registers as r
from hardware.simulator import selftest
from hardware.simulator.clock import NEVER, Clock
from hardware.simulator.field import Antenna
from hardware.simulator.fifo import Fifo
from hardware.simulator.frame import crc, cycles
from hardware.simulator.timer import Timer
from hardware.simulator.transceiver import WAIT_FOR_DATA, WAIT_FOR_START, Make, Transceiver

IDLE, MEM, RANDOM_ID, CALC_CRC, TRANSMIT = 0x0, 0x1, 0x2, 0x3, 0x4
NO_CHANGE, RECEIVE, TRANSCEIVE, AUTHENTICATE, SOFT_RESET = 0x7, 0x8, 0xC, 0xE, 0xF

WAKE_UP_NS = 37_740
"""1024 clocks of 27.12 MHz until the chip is ready."""
OSCILLATOR_NS = 1_000_000
"""What the crystal needs to start after a hard reset; it depends on the crystal."""
SELF_TEST_NS = 1_000_000
"""The data sheet does not say how long the self-test takes."""
_PRESETS = (0x0000, 0x6363, 0xA671, 0xFFFF)


class Chip:
    """One MFRC522 with its antenna."""

    def __init__(
        self,
        clock: Clock,
        antenna: Antenna,
        make: Make | None = None,
    ) -> None:
        self.clock = clock
        self.antenna = antenna
        self.make = make or Make()
        self.regs = bytearray(r.COUNT)
        self.fifo = Fifo(self.regs)
        self.timer = Timer(self.regs)
        self.due = NEVER
        self.asleep = False
        """Held in hard power-down, or its oscillator has not started yet."""
        self.on_read: list[Callable[[], int] | None] = [None] * r.COUNT
        self._on_write: list[Callable[[int], None] | None] = [None] * r.COUNT
        self._air = Transceiver(clock, self.fifo, self.timer, antenna, self.make)
        self._buffer = bytearray(25)
        self._process: Iterator[int] | None = None
        self._process_due = NEVER
        self._random = random.Random(antenna.number)
        self._wire_registers()
        self.reset()

    # What a host does

    def read(self, address: int) -> int:
        """Read a register now."""
        if self.clock.now >= self.due:
            self.settle()
        act = self.on_read[address]
        return self.regs[address] if act is None else act()

    def write(self, address: int, value: int) -> None:
        """Write a register now."""
        if self.clock.now >= self.due:
            self.settle()
        mask = r.WRITABLE[address]
        self.regs[address] = self.regs[address] & ~mask | value & mask
        act = self._on_write[address]
        if act is not None:
            act(value)
            self.due = min(self.timer.due, self._process_due)

    def settle(self) -> None:
        """Live through everything that has become due, each thing at its own time."""
        clock = self.clock
        now = clock.now
        while self.due <= now:
            clock.now = self.due
            if self.timer.due <= self._process_due:
                self.timer.ring()
            else:
                self._go_on()
            self.due = min(self.timer.due, self._process_due)
        clock.now = now

    def reset(self) -> None:
        """Every register back to its reset value, every command stopped; the field goes off."""
        self._stop()
        self.timer.stop(self.clock.now)
        self.fifo.flush()
        self.regs[:] = r.RESET
        self.regs[r.VERSION] = self.make.version
        self._power_field()
        self.due = NEVER

    def hold_reset(self, held: bool) -> None:
        """NRSTPD low: hard power-down. Released, the oscillator has to start first."""
        self.settle()
        if held:
            self.reset()
            self.asleep = True
        elif self.asleep:
            self._start(self._waking(OSCILLATOR_NS + WAKE_UP_NS))
            self.due = self._process_due

    # Registers that act

    def _wire_registers(self) -> None:
        self.on_read[r.FIFO_DATA] = self.fifo.take
        self.on_read[r.FIFO_LEVEL] = self.fifo.__len__
        self.on_read[r.STATUS1] = self._status1
        self.on_read[r.STATUS2] = self._status2
        self.on_read[r.T_COUNTER_HIGH] = lambda: self.timer.counter(self.clock.now) >> 8
        self.on_read[r.T_COUNTER_LOW] = lambda: self.timer.counter(self.clock.now) & 0xFF
        for address, act in {
            r.COMMAND: self._command,
            r.COM_IRQ: self._com_irq,
            r.DIV_IRQ: self._div_irq,
            r.STATUS2: self._clear_crypto,
            r.FIFO_DATA: self._fill,
            r.FIFO_LEVEL: self._flush,
            r.CONTROL: self._timer_control,
            r.BIT_FRAMING: self._start_send,
            r.TX_CONTROL: lambda _: self._power_field(),
        }.items():
            self._on_write[address] = act

    def _status1(self) -> int:
        regs = self.regs
        irq = regs[r.COM_IRQ] & regs[r.COM_IEN] & 0x7F or regs[r.DIV_IRQ] & regs[r.DIV_IEN] & 0x14
        crc_ok = regs[r.CRC_RESULT_HIGH] == regs[r.CRC_RESULT_LOW] == 0
        computing = regs[r.COMMAND] & 0xF == CALC_CRC and not regs[r.DIV_IRQ] & r.CRC_IRQ
        bits = 0x40 * crc_ok | 0x20 * (not computing) | 0x10 * bool(irq) | 0x08 * self.timer.running
        return bits | self.fifo.alerts()

    def _status2(self) -> int:
        return self.regs[r.STATUS2] | self._air.modem

    def _com_irq(self, value: int) -> None:
        self._mark(r.COM_IRQ, value)

    def _div_irq(self, value: int) -> None:
        self._mark(r.DIV_IRQ, value & 0x94)

    def _mark(self, address: int, value: int) -> None:
        """Set1 and Set2: the marked bits are set when bit 7 is, else cleared."""
        marked = value & 0x7F
        if value & r.SET1:
            self.regs[address] |= marked
        else:
            self.regs[address] &= ~marked

    def _clear_crypto(self, value: int) -> None:
        self.regs[r.STATUS2] &= value | ~r.CRYPTO_ON

    def _fill(self, value: int) -> None:
        regs = self.regs
        command = regs[r.COMMAND] & 0xF
        if command == AUTHENTICATE or self._air.modem >= WAIT_FOR_DATA:
            regs[r.ERROR] |= r.WR_ERR
            regs[r.COM_IRQ] |= r.ERR_IRQ
        self.fifo.push(value)
        if command == CALC_CRC and self._process_due == NEVER:
            self._go_on()
        elif command in (TRANSMIT, MEM) and self._process is None:
            self._begin(command)

    def _flush(self, value: int) -> None:
        if value & r.FLUSH_BUFFER:
            self.fifo.flush()

    def _timer_control(self, value: int) -> None:
        if value & r.T_STOP_NOW:
            self.timer.stop(self.clock.now)
        elif value & r.T_START_NOW:
            self.timer.start(self.clock.now)

    def _start_send(self, value: int) -> None:
        if value & r.START_SEND and self.regs[r.COMMAND] & 0xF == TRANSCEIVE and len(self.fifo):
            self._start(self._air.exchange(listens=True))

    def _power_field(self) -> None:
        """Each of the two drivers gives half of the field."""
        on = self.regs[r.TX_CONTROL] & 3 if not self.regs[r.COMMAND] & r.POWER_DOWN else 0
        self.antenna.switch((0.0, 0.5, 0.5, 1.0)[on])

    # Commands

    def _command(self, value: int) -> None:
        regs, command = self.regs, value & 0xF
        if command == SOFT_RESET:
            self.reset()
            self._start(self._waking(WAKE_UP_NS))
            return
        woke = regs[r.COMMAND] & ~value & r.POWER_DOWN
        regs[r.COMMAND] = regs[r.COMMAND] & 0xF | value & (r.RCV_OFF | r.POWER_DOWN)
        if command != NO_CHANGE:
            self._stop()
            regs[r.COMMAND] = regs[r.COMMAND] & 0xF0 | command
            if command != IDLE:
                regs[r.ERROR] &= r.TEMP_ERR
                self._begin(command)
        if woke:
            self._start(self._waking(WAKE_UP_NS))
        self._power_field()

    def _begin(self, command: int) -> None:
        """Set a command going; one the chip does not know ends at once."""
        if command == TRANSCEIVE:
            self._air.modem = WAIT_FOR_START
        elif command == CALC_CRC:
            test = self.regs[r.AUTO_TEST] & 0xF == 0x9
            self._start(self._self_test() if test else self._calculate())
        elif command == TRANSMIT and len(self.fifo):
            self._start(self._then_idle(self._air.exchange(listens=False)))
        elif command == MEM and (len(self.fifo) == 0 or len(self.fifo) >= 25):
            self._move_memory()
        elif command == RANDOM_ID:
            self._buffer[:10] = self._random.randbytes(10)
            self._finish()
        elif command == AUTHENTICATE and len(self.fifo) >= 12:
            self._start(self._authenticate())
        elif command not in (RECEIVE, TRANSMIT, MEM, AUTHENTICATE):
            self._finish()

    def _start(self, process: Iterator[int]) -> None:
        self._process = process
        self._go_on()

    def _go_on(self) -> None:
        """One step of what is under way; it says itself when the next is due."""
        process = self._process
        if process is None:
            self._process_due = NEVER
            return
        due = next(process, None)
        if due is not None:
            self._process_due = due
        elif self._process is process:
            self._process, self._process_due = None, NEVER

    def _stop(self) -> None:
        self._process, self._process_due = None, NEVER
        self._air.modem = 0

    def _finish(self) -> None:
        """A command ends by itself: Idle, and IdleIRq."""
        self._stop()
        self.regs[r.COMMAND] &= 0xF0
        self.regs[r.COM_IRQ] |= r.IDLE_IRQ

    def _then_idle(self, process: Iterator[int]) -> Iterator[int]:
        yield from process
        self._finish()

    def _waking(self, wait: int) -> Iterator[int]:
        """PowerDown reads 1 until the chip is ready."""
        self.regs[r.COMMAND] |= r.POWER_DOWN
        yield self.clock.now + wait
        self.regs[r.COMMAND] &= ~r.POWER_DOWN
        self.asleep = False
        self._power_field()

    def _calculate(self) -> Iterator[int]:
        """CalcCRC: everything in the FIFO, and whatever is written to it later."""
        regs = self.regs
        value = _PRESETS[regs[r.MODE] & 3]
        while True:
            data = self.fifo.drain()
            yield self.clock.now + cycles(8 * len(data))
            value = crc(data, value)
            regs[r.CRC_RESULT_HIGH], regs[r.CRC_RESULT_LOW] = self._as_shown(value)
            regs[r.DIV_IRQ] |= r.CRC_IRQ
            while not len(self.fifo):
                yield NEVER

    def _as_shown(self, value: int) -> tuple[int, int]:
        high, low = value >> 8, value & 0xFF
        if self.regs[r.MODE] & 0x80:
            return int(f"{high:08b}"[::-1], 2), int(f"{low:08b}"[::-1], 2)
        return high, low

    def _self_test(self) -> Iterator[int]:
        prepared = not any(self._buffer) and self.fifo.drain() == b"\0"
        yield self.clock.now + SELF_TEST_NS
        for byte in selftest.result(self.make.version, prepared):
            self.fifo.push(byte)
        self.regs[r.DIV_IRQ] |= r.CRC_IRQ

    def _move_memory(self) -> None:
        """Mem: 25 bytes into the internal buffer, or out of it when the FIFO is empty."""
        if len(self.fifo):
            self._buffer[:] = self.fifo.drain(25)
        else:
            for byte in self._buffer:
                self.fifo.push(byte)
        self._finish()

    def _authenticate(self) -> Iterator[int]:
        """MFAuthent as far as a tag without keys lets it come.

        The chip sends command, block and CRC; four bytes must come back. They never do here: a
        silent tag leaves the command running, any other answer is a protocol error.
        """
        told = self.fifo.drain(12)
        self.fifo.push(told[0])
        self.fifo.push(told[1])
        crc_was, self.regs[r.TX_MODE] = self.regs[r.TX_MODE], self.regs[r.TX_MODE] | r.CRC_EN
        exchange = self._air.exchange(listens=True)
        due = next(exchange)
        self.regs[r.TX_MODE] = crc_was
        yield due
        yield from exchange
        if self.regs[r.COM_IRQ] & r.RX_IRQ:
            self.fifo.flush()
            self.regs[r.ERROR] |= r.PROTOCOL_ERR
            self.regs[r.COM_IRQ] |= r.ERR_IRQ
            self._finish()
