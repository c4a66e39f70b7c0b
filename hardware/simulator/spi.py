"""A stand-in for the package `spidev`, wired to a simulated bus.

Law: it looks like the original from outside: the same names, the same errors. It finds its bus
when it is opened: the table installed last, or the one it was made for.
"""

from collections.abc import Sequence

from hardware.simulator.bus import Bus, ChipSelect

LONGEST = 4096
_EMPTY = "Argument must be a list of at least one, but not more than 4096 integers"


class SpiDev:
    """`spidev.SpiDev`: one opened chip select."""

    buses: list[Bus] = []  # noqa: RUF012  one list for all, on purpose
    """The buses of the tables installed, the innermost last."""

    def __init__(self, bus: int | None = None, client: int | None = None) -> None:
        self.max_speed_hz = 125_000_000
        self.mode = 0
        self.bits_per_word = 8
        self.lsbfirst = self.cshigh = self.threewire = self.loop = self.no_cs = False
        self._bus: Bus | None = None
        self._select: ChipSelect | None = None
        if bus is not None and client is not None:
            self.open(bus, client)

    @classmethod
    def open_on(cls, bus: Bus, select: ChipSelect, hz: int = 1_000_000) -> "SpiDev":
        """Return a device already open on a select line, without a number."""
        device = cls()
        device._bus, device._select, device.max_speed_hz = bus, select, hz
        return device

    def open(self, bus: int, client: int) -> None:
        """Open /dev/spidev<bus>.<client>."""
        found = self.buses[-1].selects.get((bus, client)) if self.buses else None
        if found is None:
            raise FileNotFoundError(2, "No such file or directory")
        self._bus, self._select = self.buses[-1], found

    def close(self) -> None:
        """Close the device; a second time does nothing."""
        self._bus = self._select = None

    def __enter__(self) -> "SpiDev":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def xfer2(
        self, values: Sequence[int], speed_hz: int = 0, delay_us: int = 0, bits: int = 0
    ) -> list[int]:
        """One transfer, chip select low all the while."""
        if self._bus is None or self._select is None:
            raise OSError(9, "Bad file descriptor")
        if not 0 < len(values) <= LONGEST:
            raise TypeError(_EMPTY)
        hz = speed_hz or self.max_speed_hz
        answer = self._bus.transfer(self._select, values, hz, self.mode)
        if delay_us:
            self._bus.clock.sleep(delay_us / 1e6)
        return answer
