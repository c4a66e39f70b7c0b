"""The chip behind a reader: started, tuned, asked how it is, and asked to test itself.

Law: the package's own start-up runs first; what a table needs differently is written after it,
and read back before anybody trusts it. The field stays off until somebody asks for it.
"""

from typing import Literal

import msgspec

from hardware.clock import Clock
from hardware.rc522.exchange import PATIENCE, TICK
from hardware.rc522.link import Link, reading

MAKES = {
    0x90: "NXP 0.0",
    0x91: "NXP 1.0",
    0x92: "NXP 2.0",
    0x88: "FM17522 (clone)",
    0x12: "counterfeit (clone)",
    0xB2: "FM17522E (clone)",
}
GAINS = {18: 0, 23: 1, 33: 4, 38: 5, 43: 6, 48: 7}
"""Receiver gain in dB, and the code the chip knows it by."""

ANTENNA, CRYPTO, POWER_DOWN = 0x03, 0x08, 0x10
TIMER_MODE = 0x80  # starts by itself at the end of what is sent
PRESCALER = 0xA9  # 25 µs
WAKE_UP = 0.02
SPEEDS = (1_000_000, 500_000, 250_000)
PATTERNS = (0x00, 0xFF, 0x55, 0xAA, 0x01, 0x80, 0x7E, 0x3C)

Finding = Literal["well", "forgetful", "dead"]


class Vitals(msgspec.Struct, frozen=True):
    """Four registers that tell, in one transfer, whether a chip lives and remembers."""

    version: int
    tx_control: int
    status2: int
    timer_mode: int

    def finding(self, version: int) -> Finding:
        """Compared with the version it started with, 0 if it never did. A brown-out forgets
        what was written while the version still reads well."""
        if not version:
            return "forgetful" if self.version in MAKES else "dead"
        if self.version != version:
            return "dead"
        awake = self.tx_control & ANTENNA == ANTENNA and not self.status2 & CRYPTO
        return "well" if awake and self.timer_mode == TIMER_MODE else "forgetful"


class Chip:
    """One MFRC522 and how this table wants it."""

    def __init__(self, link: Link, clock: Clock, gain: int = 33) -> None:
        stock = link.stock
        self.link, self._clock, self.gain = link, clock, gain
        self.version = 0x00
        self._paced = False
        self._vitals = reading(
            (stock.VersionReg, stock.TxControlReg, stock.Status2Reg, stock.TModeReg)
        )

    def start(self) -> bool:
        """Reset and set up, field off; whether the chip remembers what it was told."""
        self.link.attend()
        self.link.stock.MFRC522_Init()
        self._wait_awake()
        self._paced = self._paced or self.find_speed(self.link.hertz) is not None
        self._set_up()
        version, mode = self.link.read(self.link.stock.VersionReg, self.link.stock.TModeReg)
        if not self._paced or version in (0x00, 0xFF) or mode != TIMER_MODE:
            return False
        self.version = version
        return True

    def forget_pace(self) -> None:
        """Find the speed anew at the next start: somebody has been at the wires."""
        self._paced = False

    def vitals(self) -> Vitals:
        return Vitals(*self.link.ask(self._vitals))

    def field(self, on: bool) -> None:
        """Both drivers at once; the bits above them keep the value the chip starts with."""
        self.link.write(self.link.stock.TxControlReg, 0x80 | (ANTENNA if on else 0))

    def tune(self, gain: int) -> None:
        """How strongly the receiver amplifies, in dB."""
        self.link.write(self.link.stock.RFCfgReg, GAINS[gain] << 4 | 0x08)

    def echoes(self, hertz: int) -> bool:
        """Whether what is written at this speed can be read back."""
        chip, self.link.hertz = self.link.stock, hertz
        self.link.attend()
        for pattern in PATTERNS:
            self.link.write(chip.TReloadRegL, pattern)
            self.link.write(chip.TReloadRegH, pattern ^ 0xFF)
            if self.link.read(chip.TReloadRegL, chip.TReloadRegH) != [pattern, pattern ^ 0xFF]:
                return False
        return True

    def find_speed(self, fastest: int) -> int | None:
        """The fastest SPI clock that echoes; None when none does."""
        for hertz in SPEEDS:
            if hertz <= fastest and self.echoes(hertz):
                return hertz
        self.link.hertz = fastest
        return None

    def _set_up(self) -> None:
        chip, write = self.link.stock, self.link.write
        write(chip.TxControlReg, 0x80)
        write(chip.TModeReg, TIMER_MODE)
        write(chip.TPrescalerReg, PRESCALER)
        write(chip.TReloadRegH, 0)
        write(chip.TReloadRegL, round(PATIENCE / TICK) - 1)
        write(chip.TxAutoReg, 0x40)  # full modulation depth
        write(chip.ModeReg, 0x3D)  # CRC_A starts from 6363
        write(chip.TxModeReg, 0)
        write(chip.RxModeReg, 0)
        write(chip.CollReg, 0)  # nothing after a collision is worth keeping
        self.tune(self.gain)

    def _wait_awake(self) -> None:
        """After a reset the oscillator needs a moment; until then writes may be lost."""
        deadline = self._clock.monotonic() + WAKE_UP
        while self._clock.monotonic() < deadline:
            if not self.link.read(self.link.stock.CommandReg)[0] & POWER_DOWN:
                return
            self._clock.sleep(0.0005)
