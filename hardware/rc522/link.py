"""One chip as its host reaches it: registers over SPI, several in a transfer.

Law: a transfer costs more than the bytes in it, so whatever can share one does. A read frame may
name a new register with every byte; a write frame sends all its bytes to one register.
"""

from collections.abc import Callable, Sequence
from typing import Protocol


class SpiPort(Protocol):
    """The part of an opened `spidev` device that we use."""

    max_speed_hz: int

    def xfer2(self, values: Sequence[int], /) -> Sequence[int]: ...
    def close(self) -> None: ...


class StockDriver(Protocol):
    """The part of the `mfrc522` package that we use: registers, start-up and transport."""

    spi: SpiPort
    CommandReg: int
    CommIrqReg: int
    ErrorReg: int
    Status2Reg: int
    FIFODataReg: int
    FIFOLevelReg: int
    ControlReg: int
    BitFramingReg: int
    CollReg: int
    TxModeReg: int
    RxModeReg: int
    TxControlReg: int
    RFCfgReg: int
    GsNReg: int
    CWGsPReg: int
    TModeReg: int
    TPrescalerReg: int
    TReloadRegH: int
    TReloadRegL: int
    AutoTestReg: int
    VersionReg: int
    PCD_IDLE: int
    PCD_TRANSCEIVE: int
    PCD_CALCCRC: int
    PCD_TRANSMIT: int
    TxAutoReg: int
    ModeReg: int

    def MFRC522_Init(self) -> None: ...
    def Write_MFRC522(self, address: int, value: int, /) -> None: ...


def read_frame(registers: Sequence[int]) -> list[int]:
    """Return the frame that reads these registers in this order."""
    return [0x80 | register << 1 for register in registers] + [0]


class Link:
    """The way to one chip; `choose` makes it the one that hears the bus."""

    def __init__(self, stock: StockDriver, choose: Callable[[], None] = lambda: None) -> None:
        self.stock = stock
        self.hertz = 1_000_000
        self._choose = choose

    def select_chip(self) -> None:
        """Point the bus to this chip, at its working speed."""
        self._choose()
        if self.stock.spi.max_speed_hz != self.hertz:
            self.stock.spi.max_speed_hz = self.hertz

    def transfer_frame(self, frame: list[int]) -> list[int]:
        """Send a frame made by `read_frame` and return the values in its order."""
        return list(self.stock.spi.xfer2(frame)[1:])

    def read_registers(self, *registers: int) -> list[int]:
        """Return the values of some registers, read in one transfer."""
        return self.transfer_frame(read_frame(registers))

    def write_register(self, register: int, *values: int) -> None:
        """Write one value, or several in a row to the same register, in one transfer."""
        self.stock.spi.xfer2([register << 1, *values])
