"""The MFRC522 as a host sees it over SPI: registers that act.

Law: the data sheet and nothing else; the chip knows no driver. It lives lazily: whatever should
have happened since the last access happens just before the next one, at its own time.
"""

from collections.abc import Callable

from hardware.simulator import registers as r
from hardware.simulator.clock import NEVER, SimulatedClock
from hardware.simulator.commands import CALC_CRC, NO_CHANGE, SOFT_RESET, CommandUnit
from hardware.simulator.field import Antenna, field_strength
from hardware.simulator.fifo import Fifo, Timer
from hardware.simulator.transceiver import WAIT_FOR_DATA, Make, Transceiver

WAKE_UP_NS = 37_740
"""1024 clocks of 27.12 MHz until the chip is ready."""
OSCILLATOR_NS = 1_000_000
"""Time that the crystal needs to start after a hard reset; it depends on the crystal."""


class SimulatedChip:
    """One MFRC522 with its antenna."""

    def __init__(self, clock: SimulatedClock, antenna: Antenna, make: Make | None = None) -> None:
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
        self._commands = CommandUnit(clock, self.fifo, self._air)
        self._ready_at = NEVER
        self.oscillator_ns = OSCILLATOR_NS
        self._kept: dict[int, int] = {}
        self._wire_registers()
        self.reset()

    # What a host does

    def read_register(self, address: int) -> int:
        """Return the value of a register now."""
        if self.clock.now >= self.due:
            self.settle()
        act = self.on_read[address]
        return self.regs[address] if act is None else act()

    def write_register(self, address: int, value: int) -> None:
        """Write a register now."""
        if self.clock.now >= self.due:
            self.settle()
        mask = 0 if address in self._kept else r.WRITABLE[address]
        self.regs[address] = self.regs[address] & ~mask | value & mask
        act = self._on_write[address]
        if act is not None:
            act(value)
            self._look_ahead()

    def settle(self) -> None:
        """Handle everything that has become due, each thing at its own time."""
        clock = self.clock
        now = clock.now
        while self.due <= now:
            clock.now = self.due
            if self.timer.due == self.due:
                self.timer.ring()
            elif self._ready_at == self.due:
                self._be_ready()
            else:
                self._commands.run_step()
            self._look_ahead()
        clock.now = now

    def reset(self) -> None:
        """Set every register to its reset value, stop every command, switch the field off."""
        self._commands.stop()
        self.timer.stop(self.clock.now)
        self.fifo.flush()
        self.regs[:] = r.RESET
        self.regs[r.VERSION] = self.make.version
        for address, value in self._kept.items():
            self.regs[address] = value
        self._ready_at = NEVER
        self._power_field()
        self._look_ahead()

    def fix_register(self, address: int, value: int) -> None:
        """Have a register ignore all writes, as in chips of other makers."""
        self._kept[address] = self.regs[address] = value

    def hold_reset(self, held: bool) -> None:
        """Hold or release NRSTPD; after a hard power-down the oscillator has to start first."""
        self.settle()
        if held:
            self.reset()
            self.asleep = True
        elif self.asleep:
            self._wake_after(self.oscillator_ns + WAKE_UP_NS)

    def _look_ahead(self) -> None:
        self.due = min(self.timer.due, self._commands.due, self._ready_at)

    def _wake_after(self, wait: int) -> None:
        """Read PowerDown as 1 until the chip is ready."""
        self.regs[r.COMMAND] |= r.POWER_DOWN
        self._ready_at = self.clock.now + wait
        self._look_ahead()

    def _be_ready(self) -> None:
        self.regs[r.COMMAND] &= ~r.POWER_DOWN
        self._ready_at, self.asleep = NEVER, False
        self._power_field()

    # Registers that act

    def _wire_registers(self) -> None:
        self.on_read[r.FIFO_DATA] = self.fifo.take
        self.on_read[r.FIFO_LEVEL] = self.fifo.__len__
        self.on_read[r.STATUS1] = self._status1
        self.on_read[r.STATUS2] = self._status2
        self.on_read[r.T_COUNTER_HIGH] = lambda: self.timer.counter(self.clock.now) >> 8
        self.on_read[r.T_COUNTER_LOW] = lambda: self.timer.counter(self.clock.now) & 0xFF
        for address, act in {
            r.COMMAND: self._write_command,
            r.COM_IRQ: self._com_irq,
            r.DIV_IRQ: self._div_irq,
            r.STATUS2: self._clear_crypto,
            r.FIFO_DATA: self._fill_fifo,
            r.FIFO_LEVEL: self._flush_fifo,
            r.CONTROL: self._timer_control,
            r.BIT_FRAMING: self._start_send,
            r.TX_CONTROL: lambda _: self._power_field(),
            r.GS_N: lambda _: self._power_field(),
            r.CW_GS_P: lambda _: self._power_field(),
        }.items():
            self._on_write[address] = act

    def _status1(self) -> int:
        regs = self.regs
        irq = regs[r.COM_IRQ] & regs[r.COM_IEN] & 0x7F or regs[r.DIV_IRQ] & regs[r.DIV_IEN] & 0x14
        crc_ok = regs[r.CRC_RESULT_HIGH] == regs[r.CRC_RESULT_LOW] == 0
        computing = regs[r.COMMAND] & 0xF == CALC_CRC and not regs[r.DIV_IRQ] & r.CRC_IRQ
        bits = (
            0x40 * crc_ok | 0x20 * (not computing) | 0x10 * bool(irq) | 0x08 * self.timer.is_running
        )
        return bits | self.fifo.alert_bits()

    def _status2(self) -> int:
        return self.regs[r.STATUS2] | self._air.modem

    def _com_irq(self, value: int) -> None:
        self._set_marked_bits(r.COM_IRQ, value)

    def _div_irq(self, value: int) -> None:
        self._set_marked_bits(r.DIV_IRQ, value & 0x94)

    def _set_marked_bits(self, address: int, value: int) -> None:
        """Set1 and Set2: the marked bits are set when bit 7 is, else cleared."""
        marked = value & 0x7F
        if value & r.SET1:
            self.regs[address] |= marked
        else:
            self.regs[address] &= ~marked

    def _clear_crypto(self, value: int) -> None:
        self.regs[r.STATUS2] &= value | ~r.CRYPTO_ON

    def _fill_fifo(self, value: int) -> None:
        regs = self.regs
        if self._air.modem >= WAIT_FOR_DATA:
            regs[r.ERROR] |= r.WR_ERR
            regs[r.COM_IRQ] |= r.ERR_IRQ
        self.fifo.push(value)
        self._commands.resume_with_data()

    def _flush_fifo(self, value: int) -> None:
        if value & r.FLUSH_BUFFER:
            self.fifo.flush()

    def _timer_control(self, value: int) -> None:
        if value & r.T_STOP_NOW:
            self.timer.stop(self.clock.now)
        elif value & r.T_START_NOW:
            self.timer.start(self.clock.now)

    def _start_send(self, value: int) -> None:
        if value & r.START_SEND:
            self._commands.start_send()

    def _power_field(self) -> None:
        """Drive the antenna as the transmitter's registers say."""
        regs = self.regs
        asleep = regs[r.COMMAND] & r.POWER_DOWN
        strength = field_strength(regs[r.TX_CONTROL], regs[r.GS_N], regs[r.CW_GS_P])
        self.antenna.set_drive(0.0 if asleep else strength)

    def _write_command(self, value: int) -> None:
        """Handle CommandReg: a command, the receiver's switch and soft power-down in one."""
        regs, command = self.regs, value & 0xF
        if command == SOFT_RESET:
            self.reset()
            self._wake_after(WAKE_UP_NS)
            return
        slept = regs[r.COMMAND] & r.POWER_DOWN
        regs[r.COMMAND] = regs[r.COMMAND] & 0xF | value & (r.RCV_OFF | r.POWER_DOWN)
        if command != NO_CHANGE:
            self._commands.start_command(command)
        if slept and not value & r.POWER_DOWN:
            self._wake_after(WAKE_UP_NS)
        self._power_field()
