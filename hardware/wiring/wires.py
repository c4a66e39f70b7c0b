"""The wiring of a table: a profile's contents, and facts derived from it.

Law: pins are BCM numbers everywhere; their places on the header are looked up, never stored.
"""

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple, Protocol, TypeVar

import msgspec

from companion.core.i18n import Message, message
from companion.core.sensor_events import PlaceMode

HEADER = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19,
    9: 21, 25: 22, 11: 23, 8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35,
    16: 36, 26: 37, 20: 38, 21: 40,
}  # fmt: skip
"""BCM number -> place on the forty-pin header."""

BUSES = {0: (11, 10, 9), 1: (21, 20, 19)}
"""SPI bus -> its clock, MOSI and MISO."""
ENABLES = {(0, 0): 8, (0, 1): 7, (1, 0): 18, (1, 1): 17, (1, 2): 16}
"""SPI bus and device -> its chip enable."""

W = TypeVar("W")


class Address(Protocol):
    """Address of a reader; its driver parses it, and `str` of it is written in profiles."""

    @property
    def kind(self) -> str:
        """The word before the colon, which names its driver."""


class SpiAddress(msgspec.Struct, frozen=True):
    """The address of a reader on a bus of the Pi: `mux:0.0/5` or `spidev:0.1`."""

    kind: Literal["mux", "spidev"]
    bus: int = 0
    device: int = 0
    channel: int = 0

    def __str__(self) -> str:
        mux = f"/{self.channel}" if self.kind == "mux" else ""
        return f"{self.kind}:{self.bus}.{self.device}{mux}"

    @property
    def spi_device(self) -> tuple[int, int]:
        return self.bus, self.device


class PinUse(NamedTuple):
    """The purpose of a pin: a bus, an address line or a seat, and the signal of a bus."""

    kind: Literal["spi", "enable", "address", "reset", "button", "lamp", "eeprom"]
    number: int = 0
    signal: str = ""

    @property
    def say(self) -> Message:
        match self.kind:
            case "spi" | "enable":
                return message("SPI{bus} {signal}", bus=self.number, signal=self.signal)
            case "address":
                return message("address line A{number}", number=self.number)
            case "reset":
                return message("reset line of the readers")
            case "button":
                return message("button of seat {seat}", seat=self.number)
            case "lamp":
                return message("lamp of seat {seat}", seat=self.number)
        return message("EEPROM of a HAT")


class Wiring(msgspec.Struct, frozen=True):
    """A checked profile."""

    name: str
    title: str
    readers: Mapping[int, Address]
    buttons: Mapping[int, int]
    lamps: Mapping[int, int]
    reset: int | None = None
    address_lines: tuple[int, ...] = ()
    hertz: int = 1_000_000
    gain: int = 33
    modes: Mapping[int, PlaceMode] = {}
    """Position of readers under their places, or beside them; elsewhere the game says."""
    gates: bool = False
    """Whether each module drives the MISO of its bus through a gate of a 74HC125."""
    by_turns: bool = False
    """Whether its one reader serves all places by turns; cards are tapped everywhere then."""
    learnt_from: str = ""
    """The profile whose wires these are, if it was learnt which of them leads where."""
    found: Mapping[str, tuple[int, ...]] = {}
    """The places and seats whose wires were found, by "banks", "buttons" and "lamps"."""

    def with_learnt(
        self,
        banks: Mapping[int, int] = {},
        buttons: Mapping[int, int] = {},
        lamps: Mapping[int, int] = {},
    ) -> "Wiring":
        """Return the same wires, each at the place or seat where it was found; the maps give the
        wire's number so far. A wire that was not found keeps its own number if that is free, else
        it takes a free one."""
        return msgspec.structs.replace(
            self,
            readers=_assign_wires(self.readers, banks),
            buttons=_assign_wires(self.buttons, buttons),
            lamps=_assign_wires(self.lamps, lamps),
        )

    def has_same_wires(self, other: "Wiring") -> bool:
        """Return whether another profile has the same wires, wherever they lead."""
        return _without_learnt(self) == _without_learnt(other)

    def leads_same(self, other: "Wiring") -> bool:
        """Return whether every wire leads to the same place or seat as in another."""
        return (
            self.readers == other.readers
            and self.buttons == other.buttons
            and self.lamps == other.lamps
        )

    def spi_readers(self) -> dict[int, SpiAddress]:
        """Return the readers on the buses of the Pi, by their place."""
        return {p: a for p, a in self.readers.items() if isinstance(a, SpiAddress)}

    def spi_devices(self) -> list[tuple[int, int]]:
        """Return the SPI devices in use."""
        return sorted({a.spi_device for a in self.spi_readers().values()})

    @property
    def is_lone_module(self) -> bool:
        """True if one module is plugged onto the Pi by plain wires and takes its 3.3 V."""
        return self.by_turns and bool(self.spi_readers()) and not self.address_lines

    def claimed_devices(self) -> list[tuple[int, int]]:
        """Return the SPI devices whose enable pins the kernel takes: up to the highest in use."""
        highest = dict(self.spi_devices())
        return [(bus, device) for bus, top in highest.items() for device in range(top + 1)]

    def spi_uses(self) -> Iterator[tuple[int, PinUse]]:
        """Yield the pins that belong to the SPI buses."""
        for bus in sorted({bus for bus, _ in self.spi_devices()}):
            for pin, signal in zip(BUSES[bus], ("SCLK", "MOSI", "MISO"), strict=True):
                yield pin, PinUse("spi", bus, signal)
        for bus, device in self.claimed_devices():
            yield ENABLES[bus, device], PinUse("enable", bus, f"CE{device}")

    def pin_uses(self) -> Iterator[tuple[int, PinUse]]:
        """Yield every pin and its use, those of the SPI bus first."""
        yield from self.spi_uses()
        for number, pin in enumerate(self.address_lines[:3]):
            yield pin, PinUse("address", number)
        if self.reset is not None:
            yield self.reset, PinUse("reset")
        for seat, pin in self.buttons.items():
            yield pin, PinUse("button", seat)
        for seat, pin in self.lamps.items():
            yield pin, PinUse("lamp", seat)

    def config_lines(self) -> list[str]:
        """Return the lines of config.txt that make these SPI devices exist."""
        highest = dict(self.spi_devices())
        lines = ["dtparam=spi=on"] if 0 in highest else []
        if highest.get(0) == 0:
            lines.append("dtoverlay=spi0-1cs")
        if 1 in highest:
            lines.append(f"dtoverlay=spi1-{highest[1] + 1}cs")
        return lines


def _assign_wires(wires: Mapping[int, W], found: Mapping[int, int]) -> dict[int, W]:
    """Return each number with the wire that was found there; no wire leads to two."""
    led: dict[int, W] = {}
    for number, called in sorted(found.items()):
        if number in wires and called in wires and wires[called] not in led.values():
            led[number] = wires[called]
    for number, wire in wires.items():
        if number not in led and wire not in led.values():
            led[number] = wire
    left = iter([wire for wire in wires.values() if wire not in led.values()])
    return {number: led[number] if number in led else next(left) for number in wires}


def _without_learnt(wiring: Wiring) -> Wiring:
    """Return a profile without its names, which wire leads where, and how the readers lie."""

    def sorted_out(wires: Mapping[int, W]) -> dict[int, W]:
        return dict(zip(sorted(wires), sorted(wires.values(), key=str), strict=True))

    return msgspec.structs.replace(
        wiring,
        name="",
        title="",
        learnt_from="",
        found={},
        readers=sorted_out(wiring.readers),
        buttons=sorted_out(wiring.buttons),
        lamps=sorted_out(wiring.lamps),
        modes={},
    )
