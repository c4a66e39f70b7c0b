"""The diagnosis of the readers' wires: from measurements to the faulty joint. Pure.

Laws: a cause is named in one sentence, with its joints as the drawing names them. What explains
many readers at once is asked for before what is wrong at one of them.
"""

from collections.abc import Iterator, Mapping
from itertools import combinations, product
from typing import NamedTuple

from companion.core.i18n import Message, message
from hardware.doctor.report import LineState
from hardware.rc522.wire_check import OUTPUTS, BusFacts
from hardware.wiring.joints import (
    Joint,
    decoder_devices,
    decoder_part,
    gate_of,
    header_joint,
    reader_part,
)
from hardware.wiring.table import OUTPUT_PINS
from hardware.wiring.wires import BUSES, ENABLES, SpiAddress, Wiring

LINES = range(3)


class Cause(NamedTuple):
    """A fault, its place, and the readers whose trouble it explains."""

    what: Message
    state: LineState
    said: Message
    places: tuple[int, ...]


class DecoderFault(NamedTuple):
    """A fault of the address lines, and the output that it selects for each address."""

    kind: str
    lines: tuple[int, ...]
    selects: tuple[int, ...]


def find_shared_causes(wiring: Wiring, facts: BusFacts) -> list[Cause]:
    """Find single causes for the trouble of many readers."""
    return [
        *_explain_loop(wiring, facts),
        *_explain_echoes(wiring, facts),
        *_explain_gripping(wiring, facts),
        *_explain_reset(wiring, facts),
    ]


def explain_crossing(wiring: Wiring, heard_at: Mapping[int, int]) -> list[Cause]:
    """Explain cards that are heard at other places than they lie at."""
    readers = wiring.spi_readers()
    crossed = {p: q for p, q in heard_at.items() if p != q}
    for device in decoder_devices(wiring):
        mine = {p: a for p, a in readers.items() if a.kind == "mux" and a.spi_device == device}
        found = {mine[p].channel: mine[q].channel for p, q in crossed.items() if p in mine}
        part = decoder_part(wiring, next(iter(mine.values())))
        for one, other in combinations(LINES, 2):
            swapped = {a.channel: _swap_bits(a.channel, one, other) for a in mine.values()}
            moved = {c: d for c, d in swapped.items() if c != d}
            if found and moved == found:
                text = "address lines A{one} and A{other} are swapped: swap {several}"
                joints = _line_joints(part, (one, other))
                said = message(text, one=one, other=other, several=joints)
                return [Cause(_address_title(part), "bad", said, tuple(sorted(crossed)))]
    return [_explain_swapped_selects(wiring, p, q) for p, q in crossed.items() if p < q]


def _explain_swapped_selects(wiring: Wiring, one: int, other: int) -> Cause:
    what = message("select of reader {place}", place=one)
    text = "swapped with that of reader {place}: swap the wires at {several}"
    joints = [Joint(reader_part(p), "SDA").name for p in (one, other)]
    if wiring.gates:  # They are swapped along with the selects.
        joints = [select_source(wiring, wiring.spi_readers()[p]).name for p in (one, other)]
    return Cause(what, "bad", message(text, place=other, several=joints), (one, other))


def _explain_echoes(wiring: Wiring, facts: BusFacts) -> Iterator[Cause]:
    """Explain chips that are found at more than one address."""
    places = {address: place for place, address in wiring.spi_readers().items()}
    left = {pair for pair in facts.echoes if pair[0] != pair[1]}
    for device in decoder_devices(wiring):
        own = {(w, r) for w, r in left if w.kind == "mux" and w.spi_device == device}
        mine = {a.channel for a in places if a.kind == "mux" and a.spi_device == device}
        fault = _find_decoder_fault({(w.channel, r.channel) for w, r in own}, mine)
        if fault is not None:
            left -= own
            part = f"U{decoder_devices(wiring).index(device) + 1}"
            touched = [places[a] for a in places if a.spi_device == device]
            said = _say_decoder_fault(wiring, part, fault)
            yield Cause(_address_title(part), "bad", said, tuple(sorted(touched)))
    for pair in sorted(
        {tuple(sorted((places[w], places[r]))) for w, r in left & _known_pairs(places)}
    ):
        what = message("selects of readers {several}", several=[str(p) for p in pair])
        joints = [Joint(reader_part(p), "SDA") for p in pair]
        joints += [select_source(wiring, wiring.spi_readers()[p]) for p in pair]
        text = "touch each other: look for solder between {several}"
        yield Cause(what, "bad", message(text, several=[j.name for j in joints]), pair)


def _known_pairs(places: Mapping[SpiAddress, int]) -> set[tuple[SpiAddress, SpiAddress]]:
    return set(product(places, places))


def _find_decoder_fault(echoes: set[tuple[int, int]], populated: set[int]) -> DecoderFault | None:
    """Return the fault of the address lines that merges exactly these outputs."""
    for fault in _decoder_faults() if echoes else ():
        at = fault.selects
        same = {(w, r) for w, r in product(OUTPUTS, OUTPUTS) if w != r and at[w] == at[r]}
        if {(w, r) for w, r in same if at[w] in populated} == echoes:
            return fault
    return None


def _decoder_faults() -> Iterator[DecoderFault]:
    """Yield every fault of the address lines that makes outputs one, the simplest first."""
    for count in (1, 2, 3):
        for lines in combinations(LINES, count):
            mask = sum(1 << line for line in lines)
            if count == 2:
                joined = tuple(n if n & mask == mask else n & ~mask for n in OUTPUTS)
                yield DecoderFault("joined", lines, joined)
            for high in {0, mask}:
                yield DecoderFault("stuck", lines, tuple(n & ~mask | high for n in OUTPUTS))


def _say_decoder_fault(wiring: Wiring, part: str, fault: DecoderFault) -> Message:
    joints = _line_joints(part, fault.lines)
    if fault.kind == "joined":
        text = "touch each other: look for solder between {several}"
        return message(text, several=joints)
    at_pi = [header_joint(wiring.address_lines[line]).name for line in fault.lines]
    text = "does not hear its address lines: check {several}, and {others} at the other end"
    return message(text, several=joints, others=at_pi)


def _explain_loop(wiring: Wiring, facts: BusFacts) -> Iterator[Cause]:
    """Explain buses on which the Pi hears its own bytes."""
    for bus in sorted({wiring.spi_readers()[p].bus for p, c in facts.chips.items() if c.loops}):
        places = tuple(p for p, a in wiring.spi_readers().items() if a.bus == bus)
        _, mosi, miso = (header_joint(bcm).name for bcm in BUSES[bus])
        text = "the Pi hears itself: look for solder between {several}, and at every reader"
        said = message(text, several=[mosi, miso])
        yield Cause(message("MOSI and MISO"), "bad", said, places)


def _explain_gripping(wiring: Wiring, facts: BusFacts) -> Iterator[Cause]:
    if facts.gripping is not None:
        place, gate = facts.gripping, gate_of(wiring, facts.gripping)
        text = (
            "only reader {place} answers, because it does not let go of the line: cut {joint} and "
            "lead it through a 74HC125"
        )
        said = message(text, place=place, joint=Joint(reader_part(place), "MISO").name)
        if gate:
            text = "only reader {place} answers, as its gate stays open: look for GND at {joint}"
            said = message(text, place=place, joint=gate.enable.name)
        yield Cause(message("MISO"), "bad", said, tuple(facts.chips))


def _explain_reset(wiring: Wiring, facts: BusFacts) -> Iterator[Cause]:
    what = message("reset line of the readers")
    at_pi = "" if wiring.reset is None else header_joint(wiring.reset).name
    places = tuple(facts.chips)
    if facts.reset_level == 0:
        text = "touches GND, so that no reader starts: check {joint} and the RST of every reader"
        yield Cause(what, "bad", message(text, joint=at_pi), places)
        return
    deaf = tuple(p for p, chip in facts.chips.items() if chip.answers and chip.keeps_at_reset)
    answering = [p for p, chip in facts.chips.items() if chip.answers]
    joints = [Joint(reader_part(p), "RST").name for p in deaf]
    if deaf and list(deaf) == answering:
        text = "reaches no reader: check {joint} and {several}, and that RST does not touch 3.3 V"
        yield Cause(what, "bad", message(text, joint=at_pi, several=joints[:1]), deaf)
    elif deaf:
        text = "does not reach every reader: check {several}"
        yield Cause(what, "bad", message(text, several=joints), deaf)


def select_source(wiring: Wiring, address: SpiAddress) -> Joint:
    """Return the joint that selects a reader: an output of its decoder, or a pin of the Pi."""
    if address.kind == "mux":
        return Joint(decoder_part(wiring, address), str(OUTPUT_PINS[address.channel]))
    return header_joint(ENABLES[address.spi_device])


def _swap_bits(number: int, one: int, other: int) -> int:
    differ = (number >> one ^ number >> other) & 1
    return number ^ (differ << one | differ << other)


def _line_joints(part: str, lines: tuple[int, ...]) -> list[str]:
    return [Joint(part, str(line + 1)).name for line in lines]


def _address_title(part: str) -> Message:
    return message("74HC138 {part}, address lines", part=part)
