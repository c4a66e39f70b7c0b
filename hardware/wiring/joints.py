"""The joints that are soldered: every pin that a wire of the table ends at, each with a name.

Laws: a name never changes with the language: J, the part, the pin as it is printed or counted on
the part. The wiring picture shows these names, and every fault is reported by one of them.
"""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from companion.core.i18n import Message, message
from hardware.errors import WiringError
from hardware.wiring.table import (
    DECODER_PINS,
    GATE_PINS,
    LONE_GROUND,
    LONE_SUPPLY,
    MODULE_PINS,
    OUTPUT_PINS,
    gate_part,
)
from hardware.wiring.wires import BUSES, ENABLES, HEADER, SpiAddress, Wiring

Stage = Literal["power", "bus", "decoder", "reader", "buttons", "lamps"]
STAGE_TITLES: dict[Stage, Message] = {
    "power": message("Power"),
    "bus": message("Bus"),
    "decoder": message("Decoder"),
    "reader": message("Readers, one after the other"),
    "buttons": message("Buttons"),
    "lamps": message("Lamps"),
}
STAGES = tuple(STAGE_TITLES)
"""The order of soldering the table; a stage without parts is left out."""

FIVE_VOLTS = 2
GROUNDS: dict[Stage, int] = {"power": 6, "decoder": 14, "buttons": 39, "lamps": 30}
"""The pin of the header that is each stage's ground."""
SERIES = ("SCK", "MOSI")
"""The signals that have a resistor at the Pi."""


class Joint(NamedTuple):
    """A pin of a part."""

    part: str
    pin: str

    @property
    def name(self) -> str:
        return f"J-{self.part}-{self.pin}"


class Net(NamedTuple):
    """Joints that are connected, from the source on, and the stage in which they are soldered."""

    use: Message
    stage: Stage
    joints: tuple[Joint, ...]
    place: int = 0
    """The place of the reader, or the seat, whose net it is alone; else 0."""


class Gate(NamedTuple):
    """A gate of a 74HC125: while its enable is low, its output follows its input."""

    part: str
    enable: Joint
    input: Joint
    output: Joint


def joint_of(wiring: Wiring, part: str, pin: str) -> Joint:
    """Return the joint of a pin that this wiring solders; WiringError if it has none there.

    A pin of a decoder may be named (/G2A) or counted (4).
    """
    if part.startswith("U"):
        counted = {name: str(number) for number, name in DECODER_PINS.items()}
        pin = counted.get(pin, pin)
    wanted = Joint(part, pin)
    if not any(wanted in net.joints for net in list_nets(wiring)):
        text = "Wiring profile {name} has no joint {joint}."
        raise WiringError(message(text, name=wiring.name, joint=wanted.name))
    return wanted


def list_nets(wiring: Wiring) -> list[Net]:
    """Return every net, in the order of soldering."""
    nets = [
        *(_power_nets(wiring) if wiring.spi_devices() else ()),
        *_bus_nets(wiring),
        *_decoder_nets(wiring),
        *_select_nets(wiring),
        *_button_nets(wiring),
        *_lamp_nets(wiring),
    ]
    return sorted(nets, key=lambda net: STAGES.index(net.stage))


def stages_of(wiring: Wiring) -> list[Stage]:
    """Return the stages of soldering this wiring, in order."""
    found = {net.stage for net in list_nets(wiring)}
    return [stage for stage in STAGES if stage in found]


def reader_part(place: int) -> str:
    return f"RC{place}"


def decoder_part(wiring: Wiring, address: SpiAddress) -> str:
    """Return the decoder that selects a reader."""
    return f"U{decoder_devices(wiring).index((address.bus, address.device)) + 1}"


def decoder_devices(wiring: Wiring) -> list[tuple[int, int]]:
    """Return bus and device of every 74HC138."""
    return sorted({a.spi_device for a in wiring.spi_readers().values() if a.kind == "mux"})


def gate_of(wiring: Wiring, place: int) -> Gate | None:
    """Return the gate between the MISO of a reader and that of its bus."""
    if not wiring.gates:
        return None
    part = gate_part(place)
    return Gate(part, *(Joint(part, pin) for pin in GATE_PINS[(place - 1) % len(GATE_PINS)]))


def gate_parts(wiring: Wiring) -> dict[str, tuple[int, ...]]:
    """Return every 74HC125, with the places of its readers."""
    parts: dict[str, tuple[int, ...]] = {}
    for place in sorted(wiring.spi_readers()) if wiring.gates else ():
        part = gate_part(place)
        parts[part] = (*parts.get(part, ()), place)
    return parts


def bus_joint(wiring: Wiring, place: int, signal: str) -> Joint:
    """Return the joint of a bus signal at a reader."""
    gate = gate_of(wiring, place)
    return gate.output if gate and signal == "MISO" else Joint(reader_part(place), signal)


def supply_joints(wiring: Wiring) -> tuple[Joint, Joint]:
    """Return the source of the readers' 3.3 V and ground."""
    if wiring.is_lone_module:
        return _at_header(LONE_SUPPLY), _at_header(LONE_GROUND)
    return Joint("VR", "OUT"), Joint("VR", "GND")


def series_joints(wiring: Wiring, bus: int, signal: str) -> list[Joint]:
    """Return the joints of the resistor in a signal at the Pi, if it has one."""
    if signal not in SERIES or wiring.is_lone_module:
        return []
    return [Joint(f"R{signal}{bus}", end) for end in "12"]


def header_joint(bcm: int) -> Joint:
    return Joint("P", str(HEADER[bcm]))


def ground_joint(stage: Stage) -> Joint:
    """Return the header's joint for the ground of a stage."""
    return _at_header(GROUNDS[stage])


def _at_header(place: int) -> Joint:
    return Joint("P", str(place))


def _power_nets(wiring: Wiring) -> Iterator[Net]:
    readers = [reader_part(place) for place in wiring.spi_readers()]
    if wiring.is_lone_module:
        uses = message("3.3 V of the readers"), message("ground")
        for use, source, pin in zip(uses, supply_joints(wiring), ("3.3V", "GND"), strict=True):
            yield Net(use, "power", (source, Joint(readers[0], pin)))
        return
    chips = [f"U{n + 1}" for n in range(len(decoder_devices(wiring)))]
    gates = gate_parts(wiring)
    pulled = [f"RSDA{place}" for place in _pulled_up(wiring)]
    yield Net(message("5 V of the regulator"), "power", (_at_header(FIVE_VOLTS), Joint("VR", "IN")))
    yield Net(message("3.3 V of the readers"), "power", (
        Joint("VR", "OUT"), Joint("C1", "+"),
        *(Joint(part, MODULE_PINS[7]) for part in readers),
        *(Joint(f"C{part}", "1") for part in (*readers, *chips, *gates)),
        *(Joint(chip, pin) for chip in chips for pin in ("16", "6")),
        *(Joint(gate, "14") for gate in gates),
        *(Joint(part, "1") for part in pulled),
    ))  # fmt: skip
    yield Net(message("ground"), "power", (
        _at_header(GROUNDS["power"]), Joint("VR", "GND"), Joint("C1", "-"),
        *(Joint(part, "GND") for part in readers),
        *(Joint(gate, "7") for gate in gates),
        *(Joint(f"C{part}", "2") for part in (*readers, *gates)),
    ))  # fmt: skip
    if chips:
        yield Net(message("74HC138 ground"), "decoder", (
            _at_header(GROUNDS["decoder"]),
            *(Joint(chip, pin) for chip in chips for pin in ("8", "5")),
            *(Joint(f"C{chip}", "2") for chip in chips),
        ))  # fmt: skip


def _bus_nets(wiring: Wiring) -> Iterator[Net]:
    for bus in sorted({bus for bus, _ in wiring.spi_devices()}):
        places = [place for place, a in wiring.spi_readers().items() if a.bus == bus]
        for signal, bcm in zip(("SCK", "MOSI", "MISO"), BUSES[bus], strict=True):
            use = message("SPI{bus} {signal}", bus=bus, signal=signal)
            at_readers = tuple(bus_joint(wiring, place, signal) for place in places)
            resistor = series_joints(wiring, bus, signal)
            if resistor:
                yield Net(use, "bus", (header_joint(bcm), resistor[0]))
                yield Net(use, "bus", (resistor[1], *at_readers))
            else:
                yield Net(use, "bus", (header_joint(bcm), *at_readers))
    for place in wiring.spi_readers():
        gate, use = (
            gate_of(wiring, place),
            message("{signal} of reader {place}", signal="MISO", place=place),
        )
        if gate:
            yield Net(use, "bus", (Joint(reader_part(place), "MISO"), gate.input), place)
    if wiring.reset is not None:
        at_readers = tuple(Joint(reader_part(place), "RST") for place in wiring.spi_readers())
        use = message("reset line of the readers")
        yield Net(use, "bus", (header_joint(wiring.reset), *at_readers))


def _decoder_nets(wiring: Wiring) -> Iterator[Net]:
    devices = decoder_devices(wiring)
    chips = [f"U{n + 1}" for n in range(len(devices))]
    for number, bcm in enumerate(wiring.address_lines if chips else ()):
        use = message("address line A{number}", number=number)
        at_chips = tuple(Joint(chip, str(number + 1)) for chip in chips)
        yield Net(use, "decoder", (header_joint(bcm), *at_chips))
    for chip, device in zip(chips, devices, strict=True):
        use = message("SPI{bus} {signal}", bus=device[0], signal=f"CE{device[1]}")
        yield Net(use, "decoder", (header_joint(ENABLES[device]), Joint(chip, "4")))


def _pulled_up(wiring: Wiring) -> list[int]:
    """Return the places whose select comes straight from the Pi and needs a pull-up."""
    readers = {} if wiring.is_lone_module else wiring.spi_readers()
    return [place for place, a in readers.items() if a.kind == "spidev"]


def _select_nets(wiring: Wiring) -> Iterator[Net]:
    for place, address in wiring.spi_readers().items():
        at_reader = Joint(reader_part(place), "SDA")
        use = message("select of reader {place}", place=place)
        if address.kind == "mux":
            pin = str(OUTPUT_PINS[address.channel])
            joints = [Joint(decoder_part(wiring, address), pin), at_reader]
        else:
            joints = [header_joint(ENABLES[address.spi_device]), at_reader]
        if place in _pulled_up(wiring):
            joints.append(Joint(f"RSDA{place}", "2"))
        gate = gate_of(wiring, place)
        yield Net(use, "reader", (*joints, *([gate.enable] if gate else [])), place)


def _button_nets(wiring: Wiring) -> Iterator[Net]:
    for seat, bcm in wiring.buttons.items():
        use = message("button of seat {seat}", seat=seat)
        yield Net(use, "buttons", (header_joint(bcm), Joint(f"S{seat}", "1")), seat)
    if wiring.buttons:
        at_seats = tuple(Joint(f"S{seat}", "2") for seat in wiring.buttons)
        ground = _at_header(GROUNDS["buttons"])
        yield Net(message("ground of the buttons"), "buttons", (ground, *at_seats))


def _lamp_nets(wiring: Wiring) -> Iterator[Net]:
    for seat, bcm in wiring.lamps.items():
        use = message("lamp of seat {seat}", seat=seat)
        yield Net(use, "lamps", (header_joint(bcm), Joint(f"RL{seat}", "1")), seat)
        yield Net(use, "lamps", (Joint(f"RL{seat}", "2"), Joint(f"L{seat}", "A")), seat)
    if wiring.lamps:
        at_seats = tuple(Joint(f"L{seat}", "K") for seat in wiring.lamps)
        ground = _at_header(GROUNDS["lamps"])
        yield Net(message("ground of the lamps"), "lamps", (ground, *at_seats))
