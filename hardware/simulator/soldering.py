"""A simulated table with the wires as they were soldered, mistakes included.

Law: every mistake is one of connection (`Circuit`). What a chip hears, which output of the 74HC138
reaches which reader, what a finger on a button and a lamp do: all of it follows from the circuit.
Where two outputs fight, low wins; an address input without a wire reads low, an enable without one
high.
"""

from hardware.simulator.bus import ChipSelect, ReaderBoard
from hardware.simulator.circuit import FIVE_VOLTS, GROUND, PI_3V3, REGULATED, Circuit
from hardware.simulator.world import World
from hardware.wiring.joints import decoder_devices, header_joint, reader_part
from hardware.wiring.table import OUTPUT_PINS
from hardware.wiring.wires import BUSES, ENABLES, HEADER, Wiring

SIGNALS = ("SCK", "MOSI", "MISO")


class Soldering:
    """The circuit of a table, and what follows from it for its boards, buttons and lamps."""

    def __init__(self, world: World, wiring: Wiring, numbers: dict[int, int]) -> None:
        self.circuit = Circuit(wiring)
        self.world, self._wiring = world, wiring
        self._selected: dict[tuple[tuple[int, int], frozenset[str]], tuple[ReaderBoard, ...]] = {}
        self._boards = {place: world.boards[number] for place, number in numbers.items()}
        for device in wiring.spi_devices():
            world.bus.selects[device] = SolderedSelect(self, device)

    def lay_lead(self, one: str, other: str) -> None:
        """Hold a loose lead to two joints."""
        self.circuit.lay_lead(one, other)
        self.take_effect()

    def measure(self, high: str, low: str) -> float:
        """Return what a multimeter shows between two joints."""
        above, below = self._volts(high), self._volts(low)
        return 0.0 if above is None or below is None else above - below

    def _volts(self, joint: str) -> float | None:
        """Return the voltage of a joint by the supplies, or else by the pins that the Pi drives."""
        volts, pins = self.circuit.volts_at(joint), self.world.pins
        driven = [
            p for p in self._pins_among(self.circuit.connected_joints(joint)) if pins.is_output(p)
        ]
        return 3.3 * min(map(pins.level, driven)) if volts is None and driven else volts

    def take_effect(self) -> None:
        """Wire the boards, buttons and lamps of the world as the circuit is now."""
        self._selected.clear()
        for place, board in self._boards.items():
            self._wire_board(place, board)
        self._wire_reset()
        self._wire_buttons()
        self._wire_lamps()

    def selected_boards(self, device: tuple[int, int]) -> tuple[ReaderBoard, ...]:
        """Return the boards whose select is low while the Pi talks to a device."""
        low = frozenset({header_joint(ENABLES[device]).name, *self._low_outputs(device)})
        if (device, low) not in self._selected:
            self._selected[device, low] = tuple(
                board
                for place, board in self._boards.items()
                if low & self.circuit.connected_joints(f"J-{reader_part(place)}-SDA")
            )
        return self._selected[device, low]

    def _low_outputs(self, device: tuple[int, int]) -> set[str]:
        """Return the output that each 74HC138 pulls low at its present address."""
        enable = header_joint(ENABLES[device]).name
        low = set()
        for number in range(len(decoder_devices(self._wiring))):
            chip, volts = f"J-U{number + 1}", self.circuit.volts_at
            powered = self.circuit.is_powered(f"{chip}-16", f"{chip}-8")
            others = volts(f"{chip}-6") == 3.3 and volts(f"{chip}-5") == 0.0
            if powered and others and enable in self.circuit.connected_joints(f"{chip}-4"):
                address = sum(self._address_bit(f"{chip}-{n + 1}") << n for n in range(3))
                low.add(f"{chip}-{OUTPUT_PINS[address]}")
        return low

    def _address_bit(self, joint: str) -> int:
        reached = self.circuit.connected_joints(joint)
        levels = [self.world.pins.level(pin) for pin in self._pins_among(reached)]
        if self.circuit.volts_at(joint) is not None:
            levels.append(0 if GROUND in reached else 1)
        return min(levels, default=0)

    def _pins_among(self, joints: frozenset[str]) -> list[int]:
        return [pin for pin, place in HEADER.items() if f"J-P-{place}" in joints]

    def _wire_board(self, place: int, board: ReaderBoard) -> None:
        part = f"J-{reader_part(place)}"
        bus = self._wiring.spi_readers()[place].bus
        at_pi = {s: header_joint(p).name for s, p in zip(SIGNALS, BUSES[bus], strict=True)}
        lacks = {s for s in SIGNALS if at_pi[s] not in self.circuit.connected_joints(f"{part}-{s}")}
        if not self.circuit.is_powered(f"{part}-3.3V", f"{part}-GND"):
            lacks.add("3.3V")
        board.lacks = frozenset(lacks)
        self.world.bus.looped = at_pi["MISO"] in self.circuit.connected_joints(at_pi["MOSI"])

    def _wire_reset(self) -> None:
        """Connect the reset inputs; one without a wire is held high by the pull-up of its board."""
        pin = self._wiring.reset
        if pin is None:
            return
        at_pi = self.circuit.connected_joints(header_joint(pin).name)
        pulled_up = False
        for place, board in self._boards.items():
            reached = self.circuit.connected_joints(f"J-{reader_part(place)}-RST")
            board.hears_reset = reached == at_pi and GROUND not in reached
            pulled_up = pulled_up or reached == at_pi
            board.chip.hold_reset(GROUND in reached)
        self.world.pins.force(pin, 0 if GROUND in at_pi else 1 if pulled_up else None)

    def _wire_buttons(self) -> None:
        for pin in self._wiring.buttons.values():
            self.world.pins.force(pin, None)
        for seat, button in self.world.buttons.items():
            near = self._pins_among(self.circuit.connected_joints(f"J-S{seat}-1"))
            volts = self.circuit.volts_at(f"J-S{seat}-2")
            tied = self.circuit.volts_at(f"J-S{seat}-1")
            if tied is not None:
                for pin in near:
                    self.world.pins.force(pin, int(tied > 0))
            reached = near if tied is None and volts is not None else []
            button.connect(reached, int(bool(volts)))

    def _wire_lamps(self) -> None:
        for seat in self.world.lamp_pins:
            feeding = self.circuit.connected_joints(f"J-L{seat}-A")
            grounded = GROUND in self.circuit.connected_joints(f"J-L{seat}-K")
            self.world.lamp_pins[seat] = self._pins_among(feeding) if grounded else []
            supplied = grounded and bool(feeding & {FIVE_VOLTS, REGULATED, PI_3V3})
            (self.world.always_lit.add if supplied else self.world.always_lit.discard)(seat)


class SolderedSelect(ChipSelect):
    """A chip enable of the Pi, with whatever it selects through the wires."""

    __slots__ = ("_device", "_soldering")

    def __init__(self, soldering: Soldering, device: tuple[int, int]) -> None:
        super().__init__(None)
        self._soldering, self._device = soldering, device

    def boards(self) -> tuple[ReaderBoard, ...]:
        return self._soldering.selected_boards(self._device)
