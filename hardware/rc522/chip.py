"""The MFRC522 chip of a reader: start-up, settings, health registers and SPI speed.

Law: the package's own start-up runs first; what a table needs differently is written after it,
and read back before it is relied on. The field stays off until it is asked for.
"""

from typing import NamedTuple

import msgspec

from hardware.clock import Clock
from hardware.rc522.exchange import PATIENCE, TICK
from hardware.rc522.link import Link, read_frame
from hardware.reader import Finding

MAKES = {
    0x90: "NXP 0.0",
    0x91: "NXP 1.0",
    0x92: "NXP 2.0",
    0x88: "FM17522 (clone)",
    0x12: "counterfeit (clone)",
    0x89: "FM17522E (clone)",
    0xB2: "FM17522_1 (clone)",
}
GAINS = {18: 0, 23: 1, 33: 4, 38: 5, 43: 6, 48: 7}
"""Receiver gain in dB, and the code the chip knows it by."""

ANTENNA, CRYPTO, POWER_DOWN = 0x03, 0x08, 0x10
TIMER_MODE = 0x80  # starts by itself at the end of what is sent
PRESCALER = 0xA9  # 25 µs
RELOAD = round(PATIENCE / TICK) - 1
WAKE_UP = 0.05
"""Seconds that a crystal may need after a reset; most need one or two milliseconds."""
NO_HOPE = 0.005
"""Seconds that are waited for a chip that did not answer the last time: the others wait with it."""
MOST_ALTERED = 2
"""Settings that may be altered in a clone; more of them are lost writes."""
SPEEDS = (1_000_000, 500_000, 250_000)
PATTERNS = (0x00, 0xFF, 0x55, 0xAA, 0x01, 0x80, 0x7E, 0x3C)


def is_answering(version: int) -> bool:
    """Return whether a version byte shows that a chip answers."""
    return version not in (0x00, 0xFF)


class Vitals(msgspec.Struct, frozen=True):
    """The registers that show, in one transfer, whether a chip lives and remembers."""

    version: int
    tx_control: int
    status2: int
    timer_mode: int
    settings_kept: bool = True
    """Whether every other setting reads as it was written: a chip may lose a single one."""

    def assess_finding(self, version: int) -> Finding:
        """Judge the vitals by the version at the start, 0 if there was none. After a brown-out the
        registers are lost while the version still reads well."""
        if not version:
            return "forgetful" if is_answering(self.version) else "dead"
        if self.version != version:
            return "dead"
        awake = self.tx_control & ANTENNA == ANTENNA and not self.status2 & CRYPTO
        return "well" if awake and self.remembers else "forgetful"

    @property
    def remembers(self) -> bool:
        """True if every setting reads as it was written."""
        return self.timer_mode == TIMER_MODE and self.settings_kept


class Setting(NamedTuple):
    """A register's value, and the mask of the bits that a chip must give back."""

    register: int
    value: int
    mask: int = 0xFF

    def is_in(self, read: int) -> bool:
        return (read ^ self.value) & self.mask == 0


class TransmitPower(NamedTuple):
    """The drivers switched on, and their conductance: n of 15, p of 63."""

    drivers: int = ANTENNA
    n: int = 8
    p: int = 32


class Chip:
    """One MFRC522, set up for this table."""

    def __init__(self, link: Link, clock: Clock, gain: int = 33) -> None:
        stock = link.stock
        self.link, self._clock, self.gain = link, clock, gain
        self.version = 0x00
        self._speed_found = False
        self._patience = WAKE_UP
        self.altered: dict[int, int] = {}
        """Registers that this chip gives back otherwise than they were written, each time alike."""
        self._settings = (
            Setting(stock.TPrescalerReg, PRESCALER),
            Setting(stock.TReloadRegH, 0),
            Setting(stock.TReloadRegL, RELOAD),
            Setting(stock.TxAutoReg, 0x40, 0x40),  # full modulation depth
            Setting(stock.ModeReg, 0x3D, 0xA3),  # CRC_A starts from 6363
            Setting(stock.TxModeReg, 0, 0xF8),
            Setting(stock.RxModeReg, 0, 0xFC),
            Setting(stock.RFCfgReg, GAINS[gain] << 4 | 0x08, 0x70),
            Setting(stock.GsNReg, TransmitPower().n << 4 | 0x08),
            Setting(stock.CWGsPReg, TransmitPower().p, 0x3F),
        )
        self._vitals_frame = read_frame(
            (
                *(stock.VersionReg, stock.TxControlReg, stock.Status2Reg, stock.TModeReg),
                *(setting.register for setting in self._settings),
            )
        )

    def start(self) -> bool:
        """Reset and set up, field off; return whether the chip keeps its settings. A clone's
        registers that differ alike after two resets are taken as its normal ones."""
        self.altered = {}
        if self._set_up_anew():
            return True
        altered = self._read_altered() if self._speed_found else {}
        if not 0 < len(altered) <= MOST_ALTERED:
            return False
        self._set_up_anew()
        if self._read_altered() != altered:
            return False
        self.altered = altered
        return self._has_settings()

    def _set_up_anew(self) -> bool:
        """Reset and set up; return whether every setting reads as it was written."""
        self.link.select_chip()
        self._reset_chip()
        if not self._speed_found:
            self._find_working_speed()
        self._set_up()
        return self._has_settings()

    def _has_settings(self) -> bool:
        vitals = self.read_vitals()
        if not self._speed_found or not is_answering(vitals.version) or not vitals.remembers:
            return False
        self.version = vitals.version
        return True

    def forget_speed(self) -> None:
        """Be patient and find the speed anew at the next start: the wires may have changed."""
        self._speed_found, self._patience = False, WAKE_UP

    def read_vitals(self) -> Vitals:
        version, tx_control, status2, timer_mode, *settings = self.link.transfer_frame(
            self._vitals_frame
        )
        kept = all(map(self._is_as_set, self._settings, settings))
        return Vitals(version, tx_control, status2, timer_mode, kept)

    def _is_as_set(self, setting: Setting, read: int) -> bool:
        usual = self.altered.get(setting.register)
        return setting.is_in(read) if usual is None else read == usual

    def _read_altered(self) -> dict[int, int]:
        """Return the settings that read back differently, with the values read."""
        read = self.link.read_registers(*(setting.register for setting in self._settings))
        pairs = zip(self._settings, read, strict=True)
        return {setting.register: value for setting, value in pairs if not setting.is_in(value)}

    def switch_field(self, on: bool) -> None:
        """Switch both drivers at once; the bits above them keep their start value."""
        self.link.write_register(self.link.stock.TxControlReg, 0x80 | (ANTENNA if on else 0))

    def set_gain(self, gain: int) -> None:
        """Set the receiver gain, in dB."""
        self.link.write_register(self.link.stock.RFCfgReg, GAINS[gain] << 4 | 0x08)

    def set_power(self, power: TransmitPower) -> None:
        """Set the transmit power while the field is on."""
        stock, write = self.link.stock, self.link.write_register
        write(stock.GsNReg, power.n << 4 | 0x08)
        write(stock.CWGsPReg, power.p)
        write(stock.TxControlReg, 0x80 | power.drivers)

    def echoes_at(self, hertz: int) -> bool:
        """Return whether patterns written at this speed read back unchanged."""
        chip, self.link.hertz = self.link.stock, hertz
        self.link.select_chip()
        for pattern in PATTERNS:
            self.link.write_register(chip.TReloadRegL, pattern)
            self.link.write_register(chip.TReloadRegH, pattern ^ 0xFF)
            if self.link.read_registers(chip.TReloadRegL, chip.TReloadRegH) != [
                pattern,
                pattern ^ 0xFF,
            ]:
                return False
        return True

    def find_speed(self, fastest: int) -> int | None:
        """Return the fastest SPI clock that echoes; None when none does."""
        for hertz in SPEEDS:
            if hertz <= fastest and self.echoes_at(hertz):
                return hertz
        self.link.hertz = fastest
        return None

    def _reset_chip(self) -> None:
        self.link.stock.MFRC522_Init()
        self.wait_awake()

    def _find_working_speed(self) -> None:
        """Find the speed, and reset after a change: too fast a write may have hit any register."""
        fastest = self.link.hertz
        self._speed_found = self.find_speed(fastest) is not None
        if self.link.hertz != fastest:
            self.link.select_chip()
            self._reset_chip()

    def _set_up(self) -> None:
        chip, write = self.link.stock, self.link.write_register
        write(chip.TxControlReg, 0x80)
        write(chip.TModeReg, TIMER_MODE)
        for setting in self._settings:
            write(setting.register, setting.value)
        write(chip.CollReg, 0)  # nothing after a collision is worth keeping

    def wait_awake(self) -> float | None:
        """Wait for the oscillator after a reset, because until then writes may be lost; return the
        seconds, or None if the chip did not answer sensibly in time."""
        stock, begun = self.link.stock, self._clock.monotonic()
        while True:
            command, version = self.link.read_registers(stock.CommandReg, stock.VersionReg)
            waited = self._clock.monotonic() - begun
            if is_answering(version) and not command & POWER_DOWN:
                self._patience = WAKE_UP
                return waited
            if waited >= self._patience:
                self._patience = NO_HOPE
                return None
            self._clock.sleep(0.0005)
