"""The examination of one stage of soldering: the parts so far, and the next ones.

Laws: a stage is examined with nothing but what the stages before it have built. The report ends
with one verdict: what to put right, or what to solder next and the command that tests it.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from companion.core.errors import Malformed
from companion.core.i18n import N_, Message, message
from hardware.doctor.examine import Workplace, examine_reader_wires, examine_seat_pins
from hardware.doctor.machine import examine_machine
from hardware.doctor.report import DoctorReport, Person, ReportLine
from hardware.errors import quote_text
from hardware.wiring.joints import (
    STAGE_TITLES,
    Joint,
    Net,
    Stage,
    decoder_devices,
    header_joint,
    joint_of,
    list_nets,
    reader_part,
    stages_of,
)
from hardware.wiring.wires import ENABLES, SpiAddress, Wiring

LEAST, MOST = 3.2, 3.4
"""Volts between which the supply of the readers is right."""
MOST_NAMED = 8
"""Joints that the verdict names; the wiring picture shows all."""


class StageOfWork(NamedTuple):
    """A stage, and the reader if the readers are soldered one by one."""

    stage: Stage
    place: int = 0

    @property
    def words(self) -> str:
        """The value of the option --stage: its name, and the place of a reader."""
        return f"{self.stage} {self.place}" if self.place else self.stage

    @property
    def command(self) -> str:
        return f"companion doctor --stage {self.words}"


def parse_stage(words: Sequence[str], wiring: Wiring) -> StageOfWork:
    """Return the stage that is meant by its name and, for a reader, its place; Malformed if this
    wiring has no such stage or reader."""
    order = {work.words: work for work in list_stages(wiring)}
    if not order:
        raise Malformed("--stage", N_("{field}: nothing is soldered in this wiring."))
    stage = " ".join(words)
    if stage not in order:
        text = N_("{field}: this wiring has no stage '{stage}'; write one of {options}.")
        raise Malformed("--stage", text, stage=quote_text(stage), options=", ".join(order))
    return order[stage]


def list_stages(wiring: Wiring) -> list[StageOfWork]:
    """Return the stages of a wiring in the order of work, each reader by itself."""
    work: list[StageOfWork] = []
    for stage in () if wiring.is_lone_module else stages_of(wiring):
        if stage == "reader":
            work += [StageOfWork(stage, place) for place in wiring.spi_readers()]
        else:
            work.append(StageOfWork(stage))
    return work


def examine_stage(
    wiring: Wiring,
    work: StageOfWork,
    person: Person,
    workplace: Workplace | None = None,
    on_line: Callable[[ReportLine], object] = lambda line: None,
) -> DoctorReport:
    """Examine one stage; `on_line` is called with each line as soon as it is known."""
    lines: list[ReportLine] = []
    for line in _examine_wiring(wiring, work, person, workplace or Workplace()):
        lines.append(line)
        on_line(line)
    good = bool(lines) and not any(line.state in ("bad", "skipped") for line in lines)
    return DoctorReport(tuple(lines), _next_step(wiring, work) if good else _once_more(work))


def _examine_wiring(
    wiring: Wiring, work: StageOfWork, person: Person, at: Workplace
) -> Iterator[ReportLine]:
    match work.stage:
        case "power":
            yield from examine_machine(at.machine, wiring)
            yield from _check_supply(wiring, person)
        case "bus":
            yield from _examine_buses(wiring, person, at)
        case "decoder":
            yield from _without_card(_examine_decoders(wiring, person, at))
        case "reader":
            alone = _with_readers(wiring, {work.place: wiring.spi_readers()[work.place]})
            yield from examine_reader_wires(alone, person, at.clock)
        case "buttons":
            yield from examine_seat_pins(msgspec.structs.replace(wiring, lamps={}), person, at)
        case "lamps":
            yield from examine_seat_pins(msgspec.structs.replace(wiring, buttons={}), person, at)


def _check_supply(wiring: Wiring, person: Person) -> Iterator[ReportLine]:
    """Have the supply measured, and every socket, before the first reader is plugged in."""
    what = message("3.3 V of the readers")
    high, low = (joint_of(wiring, "C1", pin).name for pin in "+-")
    line = _judge_supply(wiring, what, high, person.reads_voltage(high, low))
    yield line
    for place in wiring.spi_readers() if line.state == "good" else ():
        high, low = (joint_of(wiring, reader_part(place), pin).name for pin in ("3.3V", "GND"))
        what = message("reader {place}, 3.3 V", place=place)
        yield _judge_socket(what, high, low, person.reads_voltage(high, low))


def _judge_supply(wiring: Wiring, what: Message, high: str, volts: float | None) -> ReportLine:
    source, ground, out = (joint_of(wiring, "VR", pin).name for pin in ("IN", "GND", "OUT"))
    if volts is not None and LEAST <= volts <= MOST:
        return ReportLine(what, "good", message("measured at {joint}", joint=high))
    if volts is not None and volts > MOST:
        text = "more than 3.3 V: look for solder between {joint} and {other}; plug nothing in"
        return ReportLine(what, "bad", message(text, joint=source, other=out))
    text = "not 3.3 V: check 5 V at {joint}, the ground at {ground}, and that {high} shorts nothing"
    return ReportLine(what, "bad", message(text, joint=source, ground=ground, high=high))


def _judge_socket(what: Message, high: str, low: str, volts: float | None) -> ReportLine:
    if volts is None:
        return ReportLine(what, "skipped", message("left out"))
    if LEAST <= volts <= MOST:
        return ReportLine(what, "good", message("measured at {joint}", joint=high))
    if volts > MOST:
        text = "on the wrong rail: lead {joint} to the regulator's 3.3 V; plug nothing in"
        return ReportLine(what, "bad", message(text, joint=high))
    if volts < 0:
        text = "the wrong way round: swap {joint} and {other}; plug nothing in"
        return ReportLine(what, "bad", message(text, joint=high, other=low))
    return ReportLine(what, "bad", message("solder {several} again", several=[high, low]))


def _examine_buses(wiring: Wiring, person: Person, at: Workplace) -> Iterator[ReportLine]:
    """Examine each bus with one reader that the Pi selects by itself, over a lead if need be."""
    direct = bus_wiring(wiring)
    for place, address in direct.spi_readers().items():
        lead = (header_joint(ENABLES[address.spi_device]), Joint(reader_part(place), "SDA"))
        if not (person.lays_lead(lead[0].name, lead[1].name) and person.plugs_in(place)):
            what = message("reader {place}, chip", place=place)
            yield ReportLine(what, "skipped", message("left out"))
            continue
        alone = _with_readers(direct, {place: address})
        yield from _without_card(examine_reader_wires(alone, _NoCards(person), at.clock))


def _examine_decoders(wiring: Wiring, person: Person, at: Workplace) -> Iterator[ReportLine]:
    """Examine each 74HC138 with the first reader behind it."""
    for device in decoder_devices(wiring):
        behind = {p: a for p, a in wiring.spi_readers().items() if a.spi_device == device}
        place = next(place for place, a in behind.items() if a.kind == "mux")
        alone = _with_readers(wiring, {place: behind[place]})
        yield from examine_reader_wires(alone, _NoCards(person), at.clock)


def bus_wiring(wiring: Wiring) -> Wiring:
    """Return the wiring with one reader at each bus, selected by the Pi itself."""
    first: dict[int, tuple[int, SpiAddress]] = {}
    for place, address in wiring.spi_readers().items():
        direct = SpiAddress("spidev", address.bus, address.device)
        first.setdefault(address.bus, (place, direct))
    return msgspec.structs.replace(_with_readers(wiring, dict(first.values())), address_lines=())


def _with_readers(wiring: Wiring, readers: dict[int, SpiAddress]) -> Wiring:
    return msgspec.structs.replace(wiring, readers=readers)


class _NoCards:
    """The same person, not asked for a card yet."""

    def __init__(self, person: Person) -> None:
        self.ask_for_press, self.lit_lamps = person.ask_for_press, person.lit_lamps
        self.reads_voltage, self.lays_lead = person.reads_voltage, person.lays_lead
        self.plugs_in = person.plugs_in

    def lays_card(self, place: int) -> bool:
        return False


def _without_card(lines: Iterator[ReportLine]) -> Iterator[ReportLine]:
    """Leave out the check that needs a card: it belongs to the stage of the reader."""
    return (line for line in lines if line.state != "skipped")


def _next_step(wiring: Wiring, work: StageOfWork) -> Message:
    """Return the joints of the next stage, and the command that tests them."""
    order = list_stages(wiring)
    later = order[order.index(work) + 1 :]
    if not later:
        text = "This stage is good, and it was the last. Test the whole table: companion doctor"
        return message(text)
    joints = [joint.name for net in _nets_of(wiring, later[0]) for joint in net.joints]
    more = ", …" if len(joints) > MOST_NAMED else ""
    text = "This stage is good. Solder next: {use}, {joints}. Then type: {command}"
    return message(
        text,
        use=STAGE_TITLES[later[0].stage],
        joints=", ".join(joints[:MOST_NAMED]) + more,
        command=later[0].command,
    )


def _nets_of(wiring: Wiring, work: StageOfWork) -> list[Net]:
    """Return the nets of a stage; bus or decoder is tested with the first reader."""
    nets = list_nets(wiring)
    if work.stage == "reader":
        return [net for net in nets if net.stage == "reader" and net.place == work.place]
    mine = [net for net in nets if net.stage == work.stage]
    if work.stage == ("bus" if wiring.gates else "decoder"):
        mine += [net for net in nets if net.stage == "reader"][:1]
    return mine


def _once_more(work: StageOfWork) -> Message:
    text = "This stage is not good yet. Put right what is bad, then type again: {command}"
    return message(text, command=work.command)
