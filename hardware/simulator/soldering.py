"""A simulated table with the wires as they were soldered, mistakes included.

Law: every mistake is one of connection (`Circuit`). What a chip hears, which output of the 74HC138
reaches which reader, what a finger on a button and a lamp do: all of it follows from the circuit.
Where two outputs fight, low wins, and a supply wins over both; an address input without a wire
reads low, an enable without one high, and so does that of a gate.
"""

from collections.abc import Iterator

from hardware.simulator.bus import ChipSelect, ReaderBoard
from hardware.simulator.circuit import FIVE_VOLTS, GROUND, PI_3V3, REGULATED, Circuit
from hardware.simulator.world import World
from hardware.wiring.joints import decoder_devices, gate_of, header_joint, reader_part
from hardware.wiring.table import OUTPUT_PINS
from hardware.wiring.wires import BUSES, ENABLES, HEADER, Wiring

SIGNALS = ("SCK", "MOSI", "MISO")
DRIVEN = ("SCK", "MOSI")
"""The signals that the Pi drives."""


class Soldering:
    """The circuit of a table, and its effect on boards, buttons and lamps."""

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

    def take_lead(self) -> None:
        """Take the loose lead away."""
        self.circuit.take_lead()
        self.take_effect()

    def measure(self, high: str, low: str) -> float:
        """Return a multimeter's reading between two joints."""
        above, below = self._volts(high), self._volts(low)
        return 0.0 if above is None or below is None else above - below

    def _volts(self, joint: str) -> float | None:
        """Return the voltage of a joint by the supplies, or else by the outputs at rest."""
        volts, reached = self.circuit.volts_at(joint), self.circuit.connected_joints(joint)
        return min(self._rest_levels(reached), default=None) if volts is None else volts

    def _rest_levels(self, reached: frozenset[str]) -> Iterator[float]:
        """Yield the volts of every output among some joints while no transfer goes on."""
        pins = self.world.pins
        yield from (3.3 * pins.level(p) for p in self._pins_among(reached) if pins.is_output(p))
        for bus, device in self._wiring.spi_devices():
            yield from (0.0 for name in self._at_pi(bus, *DRIVEN) if name in reached)
            yield from (
                3.3 for name in [header_joint(ENABLES[bus, device]).name] if name in reached
            )
        if self._wiring.reset is not None and header_joint(self._wiring.reset).name in reached:
            yield 3.3
        for number in range(len(decoder_devices(self._wiring))):
            outputs = {f"J-U{number + 1}-{pin}" for pin in OUTPUT_PINS.values()}
            yield from (3.3 for _ in outputs & reached)

    def _at_pi(self, bus: int, *signals: str) -> list[str]:
        """Return the joints of signals of a bus at the Pi."""
        return [header_joint(BUSES[bus][SIGNALS.index(signal)]).name for signal in signals]

    def take_effect(self) -> None:
        """Wire the boards, buttons and lamps of the world as the circuit is now."""
        self._selected.clear()
        for place, board in self._boards.items():
            self._wire_board(place, board)
        self.world.bus.update_faults()
        for device in self._wiring.spi_devices():
            self._wire_miso(device[0], self.world.bus.selects[device])
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
                if self._is_selected(f"J-{reader_part(place)}-SDA", low)
            )
        return self._selected[device, low]

    def _is_selected(self, joint: str, low: frozenset[str]) -> bool:
        volts = self.circuit.volts_at(joint)
        return bool(low & self.circuit.connected_joints(joint)) if volts is None else not volts

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
        part, circuit = f"J-{reader_part(place)}", self.circuit
        at_pi = self._at_pi(self._wiring.spi_readers()[place].bus, *SIGNALS)
        reached = {s: circuit.connected_joints(f"{part}-{s}") for s in SIGNALS}
        lacks = {s for s, name in zip(SIGNALS, at_pi, strict=True) if name not in reached[s]}
        lacks |= {s for s in DRIVEN if circuit.volts_at(f"{part}-{s}") is not None}
        enable = header_joint(ENABLES[self._wiring.spi_readers()[place].spi_device]).name
        if reached["SCK"] & {enable, *(f"{part}-{pin}" for pin in ("SDA", "MOSI", "MISO"))}:
            lacks.add("SCK")  # held low while it is selected, or by the data
        if not self.circuit.is_powered(f"{part}-3.3V", f"{part}-GND"):
            lacks.add("3.3V")
        opened = self._find_open_gate(
            reached["MISO"], at_pi[2], circuit.connected_joints(f"{part}-SDA")
        )
        is_drowned = at_pi[1] in reached["MISO"] or circuit.volts_at(f"{part}-MISO") is not None
        if opened is not None and not is_drowned:
            lacks.discard("MISO")
        if self._wiring.gates:
            board.grips = bool(opened)
        board.lacks = frozenset(lacks)

    def _find_open_gate(
        self, module: frozenset[str], bus: str, select: frozenset[str]
    ) -> bool | None:
        """Return whether the gate from the MISO of a module to the bus is always open, and not just
        while its module is selected; None if there is none that opens."""
        for place in self._boards:
            gate = gate_of(self._wiring, place)
            if gate and self.circuit.is_powered(f"J-{gate.part}-14", f"J-{gate.part}-7"):
                enable = self.circuit.connected_joints(gate.enable.name)
                drives = bus in self.circuit.connected_joints(gate.output.name)
                if gate.input.name in module and drives and enable & {GROUND, *select}:
                    return GROUND in enable
        return None

    def _wire_miso(self, bus: int, select: ChipSelect) -> None:
        """Tie the MISO of a bus to the joints it touches; a clock there reads high, as it is
        sampled."""
        clock, mosi, miso = self._at_pi(bus, *SIGNALS)
        reached, volts = self.circuit.connected_joints(miso), self.circuit.volts_at(miso)
        select.looped = mosi in reached
        select.held = 0xFF if clock in reached and not select.looped else None
        if volts is not None:
            select.held = 0xFF if volts else 0x00

    def _wire_reset(self) -> None:
        """Connect the reset inputs; one without a wire is held high by the pull-up of its board."""
        pin = self._wiring.reset
        if pin is None:
            return
        at_pi = self.circuit.connected_joints(header_joint(pin).name)
        pulled_up = False
        for place, board in self._boards.items():
            reached = self.circuit.connected_joints(f"J-{reader_part(place)}-RST")
            wired = reached == at_pi
            board.hears_reset = wired and self.circuit.volts_at(header_joint(pin).name) is None
            pulled_up = pulled_up or wired
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
    """A chip enable of the Pi, with the boards it selects through the wires."""

    __slots__ = ("_device", "_soldering")

    def __init__(self, soldering: Soldering, device: tuple[int, int]) -> None:
        super().__init__(None)
        self._soldering, self._device = soldering, device

    def boards(self) -> tuple[ReaderBoard, ...]:
        return self._soldering.selected_boards(self._device)
