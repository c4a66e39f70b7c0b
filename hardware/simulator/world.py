"""The simulated table: readers, tags, buttons, lamps and time, for tests and for the page.

Law: the world is moved by hands (`put`, `lift`, `press`) and watched by eyes (`lamp`); programs
meet it only through its wires: SPI, pins, and the clock they are given.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from hardware.simulator.air.airs import Air, IdealAir
from hardware.simulator.air.poses import MIDDLE, Pose
from hardware.simulator.bus import Bus, ChipSelect, Decoder, ReaderBoard
from hardware.simulator.chip import SimulatedChip
from hardware.simulator.clock import SimulatedClock
from hardware.simulator.field import Antenna, Field
from hardware.simulator.pins import Pins, SimulatedButton
from hardware.simulator.stand_ins import SpiDev, install_stand_ins
from hardware.simulator.tag import Classic1K, Ntag213, Tag
from hardware.simulator.transceiver import Make
from hardware.wiring.wires import BUSES

if TYPE_CHECKING:
    from hardware.simulator.mock_pins import PinsFactory

__all__ = ["Make", "SimulatedWires", "World", "tag_of"]


@dataclass(frozen=True)
class SimulatedWires:
    """The pin of every wire, in BCM numbers; by default the table with one decoder."""

    wiring: Literal["mux", "ce"] = "mux"
    address: tuple[int, ...] = (22, 27, 17)
    """A0, A1, A2 of the decoder."""
    lines: tuple[tuple[int, int], ...] = ((0, 0), (0, 1), (1, 0), (1, 1), (1, 2))
    """The chip selects of the readers in order; with a decoder, only its own counts."""
    reset: int | None = 25
    buttons: Mapping[int, int] = field(
        default_factory=lambda: {1: 4, 2: 5, 3: 6, 4: 12, 5: 13, 6: 16}
    )
    lamps: Mapping[int, int] = field(
        default_factory=lambda: {1: 18, 2: 19, 3: 20, 4: 21, 5: 23, 6: 24}
    )


class World:
    """Everything on and under the table. Readers are numbered from 0 as their wires are."""

    def __init__(
        self,
        readers: int = 8,
        *,
        make: Make | None = None,
        wires: "SimulatedWires | None" = None,
        host_ns: int = 30_000,
        seed: int = 0,
        air: Air | None = None,
    ) -> None:
        self.clock = SimulatedClock()
        self.pins = Pins()
        self.air = air = air or IdealAir()
        antennas = [Antenna(self.clock, n, air, seed=seed * 1000 + n) for n in range(readers)]
        self.field = Field(self.clock, antennas, air)
        self.field.settle = self.settle
        self.chips = [SimulatedChip(self.clock, antenna, make) for antenna in antennas]
        self.boards = [ReaderBoard(chip) for chip in self.chips]
        self.bus = Bus(self.clock, self.boards, host_ns)
        self.bus.floating = 0xFF * self.pins.level(BUSES[0][2])
        self.wires = wires or SimulatedWires()
        self.buttons = {
            seat: SimulatedButton(self.clock, self.pins, pin)
            for seat, pin in self.wires.buttons.items()
        }
        self.lamp_pins: dict[int, Sequence[int]] = {s: [p] for s, p in self.wires.lamps.items()}
        """The pins that feed the lamp of a seat; with it those lamps that are lit by a rail."""
        self.always_lit: set[int] = set()
        if self.wires.wiring == "mux":
            self._wire_decoder(self.wires.address)
        else:
            self._wire_lines(self.wires.lines)
        if self.wires.reset is not None:
            self._wire_reset(self.wires.reset)

    # Hands

    def put(self, tag: Tag | str | bytes, reader: int, coupling: float = 1.0) -> Tag:
        """Lay a tag on a reader, coupled by decree. A UID makes a sticker (7 bytes) or a Classic
        card (4)."""
        tag = tag if isinstance(tag, Tag) else tag_of(tag)
        self.field.remove_tag(tag)
        self.field.place_tag(tag, reader, coupling)
        return tag

    def lay(self, tag: Tag | str | bytes, reader: int, pose: Pose = MIDDLE) -> Tag:
        """Lay a card with a tag on the pile over a reader; the air says how well it is met."""
        tag = tag if isinstance(tag, Tag) else tag_of(tag)
        self.field.remove_tag(tag)
        self.field.lay_tag(tag, reader, pose)
        return tag

    def lift(self, tag: Tag) -> None:
        """Take a tag off the table."""
        self.field.remove_tag(tag)

    def tags_on(self, reader: int) -> list[Tag]:
        """Return the tags that lie on a reader, or near enough to be heard there."""
        return self.field.tags_at(reader)

    def press(self, seat: int) -> None:
        """Push a seat's button down; `tap` also releases it."""
        self.buttons[seat].press()

    def release(self, seat: int) -> None:
        """Release a seat's button."""
        self.buttons[seat].release()

    def tap(self, seat: int, seconds: float = 0.12) -> None:
        """Press a seat's button and release it after this many seconds."""
        self.buttons[seat].tap(seconds)

    # Eyes

    def is_lamp_lit(self, seat: int) -> bool:
        return seat in self.always_lit or any(
            self.pins.is_output(pin) and self.pins.level(pin) for pin in self.lamp_pins[seat]
        )

    def fields_on(self) -> list[int]:
        """Return the readers whose field is on."""
        return [antenna.number for antenna in self.field.antennas if antenna.drive]

    @property
    def now(self) -> float:
        """Seconds since the table was built."""
        return self.clock.monotonic()

    # Wires

    def open_spi(self, reader: int, hz: int = 1_000_000) -> SpiDev:
        """Return an opened device with a chip select of its own, for any wiring."""
        return SpiDev.open_on(self.bus, ChipSelect(self.boards[reader]), hz)

    @contextmanager
    def install_stand_ins(self) -> Iterator["World"]:
        """Have programs that import `spidev` or `RPi.GPIO` find this table."""
        with install_stand_ins(self.bus, self.pins):
            yield self

    def pin_factory(self) -> "PinsFactory":
        """Return the factory for gpiozero: `Device.pin_factory = world.pin_factory()`."""
        from hardware.simulator.mock_pins import PinsFactory  # noqa: PLC0415  only the panel needs it

        return PinsFactory(self.clock, self.pins)

    def sleep(self, seconds: float) -> None:
        """Let this many seconds pass."""
        self.clock.sleep(seconds)
        self.settle()

    def settle(self) -> None:
        """Bring every chip up to now."""
        for chip in self.chips:
            if self.clock.now >= chip.due:
                chip.settle()

    def _wire_decoder(self, address_pins: Sequence[int]) -> None:
        level = self.pins.level
        decoder = Decoder(
            self.boards, lambda: sum(level(pin) << n for n, pin in enumerate(address_pins))
        )
        for pin in address_pins:
            self.pins.watch(pin, decoder.update_selection)
        self.bus.selects[self.wires.lines[0]] = decoder.select

    def _wire_lines(self, lines: Sequence[tuple[int, int]]) -> None:
        for line, board in zip(lines, self.boards, strict=False):
            self.bus.selects[line] = ChipSelect(board)

    def _wire_reset(self, pin: int) -> None:
        """Wire one RST line for all; the boards' pull-ups hold it high unless it is driven."""
        self.pins.force(pin, 1)

        def changed(level: int) -> None:
            for board in self.boards:
                if board.hears_reset:
                    board.chip.hold_reset(not level)

        self.pins.watch(pin, changed)


def tag_of(uid: str | bytes) -> Tag:
    """Return a tag for a UID, hex or bytes: seven bytes are a sticker, four a Classic."""
    data = bytes.fromhex(uid) if isinstance(uid, str) else uid
    return Ntag213(data) if len(data) == 7 else Classic1K(data) if len(data) == 4 else Tag(data)
