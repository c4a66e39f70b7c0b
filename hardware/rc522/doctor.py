"""Examination of MFRC522 readers: wires, chip, make, SPI speed, self-test and a card.

Laws: one reader's trouble never keeps the next from being examined. The wires come first, and what
is not known of them is asked for: a voltage, or a loose lead in place of a wire.
"""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from companion.core.i18n import Message, message
from hardware.clock import Clock
from hardware.doctor.report import Person, ReportLine, explain_failure
from hardware.drivers import OpenedReaders
from hardware.rc522.anticollision import TagSearch
from hardware.rc522.chip import MAKES, SPEEDS
from hardware.rc522.exchange import ask_for_tag
from hardware.rc522.reader import Rc522Reader
from hardware.rc522.selftest import run_self_test
from hardware.rc522.silence import (
    chips_before,
    find_causes,
    is_held,
    lacking_pins,
    lacks_supply,
    list_leads,
    module_points,
    silent_groups,
    supply_points,
)
from hardware.rc522.wire_check import (
    BusFacts,
    ChipFacts,
    Lead,
    Points,
    answers_now,
    measure_bus,
    send_marks,
)
from hardware.rc522.wire_faults import explain_crossing
from hardware.wiring.joints import bus_joint
from hardware.wiring.wires import Wiring

ORIGINAL = (0x90, 0x91, 0x92)
CLONES = {0x88: "FM17522", 0x89: "FM17522E", 0xB2: "FM17522_1"}
ASKINGS, WELL = 20, 19
SLOW = 0.005
"""Seconds after which a crystal that has not started is a slow one."""
SEARCHES = 5


def examine_chips(
    wiring: Wiring,
    opened: OpenedReaders[Rc522Reader],
    reset_level: int,
    clock: Clock,
    person: Person,
) -> Iterator[ReportLine]:
    """Examine the wires, then reader by reader those that a fault of the wires does not explain."""
    facts = measure_bus(wiring, opened, reset_level, clock)
    facts = _ask_about_silence(wiring, opened, facts, person)
    causes = find_causes(wiring, facts)
    for cause in causes:
        yield ReportLine(cause.what, cause.state, cause.said)
    explained = {place for cause in causes for place in cause.places}
    alive = {p: opened.by_place[p] for p, chip in facts.chips.items() if chip.answers}
    table = _CardsOnTable(alive)
    for place, chip in facts.chips.items():
        if chip.answers or place not in explained:
            line = _judge_chip(place, chip)
            yield line
            if line.state != "bad" and place not in explained:
                reader = opened.by_place[place]
                try:
                    yield from _check_working_chip(place, reader, clock, wiring.hertz)
                    yield _check_card(place, reader, table, person)
                except OSError as trouble:
                    yield ReportLine(line.what, "bad", explain_failure(trouble))
    for cause in explain_crossing(wiring, table.heard_at):
        yield ReportLine(cause.what, cause.state, cause.said)


def _ask_about_silence(
    wiring: Wiring, opened: OpenedReaders[Rc522Reader], facts: BusFacts, person: Person
) -> BusFacts:
    """Have voltages measured and leads laid to tell faults apart: the supply first; readers that no
    lead cures are measured further."""
    for group in silent_groups(wiring, facts):
        place, reader = group[0], opened.by_place[group[0]]
        facts = _measure_volts(facts, supply_points(wiring, place), person)
        if not lacks_supply(wiring, facts, place):
            chips = chips_before(wiring, group)
            for chip in chips:
                facts = _measure_volts(facts, chip.points, person)
            if not any(lacking_pins(facts, chip) for chip in chips):
                facts = _lay_leads(facts, list_leads(wiring, group), place, reader, person)
        if facts.cures.get(place) is None:
            facts = _measure_volts(facts, module_points(wiring, facts, group), person)
        mosi, miso = (bus_joint(wiring, place, signal).name for signal in ("MOSI", "MISO"))
        if is_held(wiring, facts, group) and person.lays_lead(mosi, miso):
            loops = {**facts.loops, place: send_marks(reader.chip)}
            facts = msgspec.structs.replace(facts, loops=loops)
    return facts


def _measure_volts(facts: BusFacts, asked: Sequence[Points], person: Person) -> BusFacts:
    """Have voltages measured, until one is skipped."""
    volts = dict(facts.volts)
    for points in asked:
        measured = person.reads_voltage(points.high.name, points.low.name)
        if measured is None:
            break
        volts[points] = measured
    return msgspec.structs.replace(facts, volts=volts)


def _lay_leads(
    facts: BusFacts, leads: Sequence[Lead], place: int, reader: Rc522Reader, person: Person
) -> BusFacts:
    """Have leads laid, until one makes the reader answer or is skipped."""
    cures = dict(facts.cures)
    for lead in leads:
        if cures.get(place) is not None or not person.lays_lead(lead.start.name, lead.end.name):
            break
        cures[place] = lead if answers_now(reader) else None
    return msgspec.structs.replace(facts, cures=cures)


def _judge_chip(place: int, chip: ChipFacts) -> ReportLine:
    what = message("reader {place}, chip", place=place)
    if chip.trouble is not None:
        return ReportLine(what, "bad", chip.trouble)
    if not chip.started:
        said = message("forgets what is written; check its 3.3 V and shorten its wires")
        return ReportLine(what, "bad", said)
    if chip.altered:
        text = "gives back {several} in its own way, twice alike: a clone, and taken as it is"
        several = [f"0x{register:02X}" for register in chip.altered]
        return ReportLine(what, "doubtful", message(text, several=several))
    if chip.awake_after is not None and chip.awake_after > SLOW:
        text = "its crystal takes {ms} ms to start, where 2 are usual; it works"
        return ReportLine(what, "doubtful", message(text, ms=round(chip.awake_after * 1000)))
    if chip.version in ORIGINAL:
        return ReportLine(what, "good", message("{make}", make=MAKES[chip.version]))
    return ReportLine(what, "doubtful", _describe_clone(chip.version))


def _describe_clone(version: int) -> Message:
    """Describe a chip that is not NXP's."""
    make = CLONES.get(version, f"0x{version:02X}")
    return message("a clone ({make}); it works, often less far", make=make)


def _check_working_chip(
    place: int, reader: Rc522Reader, clock: Clock, hertz: int
) -> Iterator[ReportLine]:
    """Run the checks that need a chip that answers."""
    yield _check_speed(place, reader, hertz)
    yield _check_self_test(place, reader, clock)
    reader.start()


def _check_speed(place: int, reader: Rc522Reader, hertz: int) -> ReportLine:
    """Check the SPI speeds for writing and reading back."""
    what = message("reader {place}, speed", place=place)
    right = [speed for speed in SPEEDS if reader.chip.echoes_at(speed)]
    reader.chip.link.hertz = right[0] if right else SPEEDS[-1]
    if not right:
        said = message("nothing can be read back at any speed; shorten the wires")
        return ReportLine(what, "bad", said)
    speeds = ", ".join(str(speed // 1000) for speed in right)
    if hertz in right:
        reader.chip.link.hertz = hertz
        return ReportLine(what, "good", message("{speeds} kHz", speeds=speeds))
    text = "only {speeds} kHz; shorten the wires, or leave it: slower works too"
    return ReportLine(what, "doubtful", message(text, speeds=speeds))


def _check_self_test(place: int, reader: Rc522Reader, clock: Clock) -> ReportLine:
    what, verdict = (
        message("reader {place}, self-test", place=place),
        run_self_test(reader.chip, clock),
    )
    if verdict == "passed":
        return ReportLine(what, "good", message("fine"))
    if verdict == "no reference" or reader.chip.version not in ORIGINAL:
        said = message("says nothing of a clone, which may be well all the same")
        return ReportLine(what, "doubtful", said)
    return ReportLine(what, "bad", message("failed; replace this reader"))


class _CardsOnTable:
    """Tags heard by each reader so far, to tell a card that was laid just now."""

    def __init__(self, readers: Mapping[int, Rc522Reader]) -> None:
        self._readers = readers
        self._heard: dict[int, set[bytes]] = {place: set() for place in readers}
        self.heard_at: dict[int, int] = {}
        """Places where the card laid at a place was heard."""

    def find_new(self, place: int) -> set[bytes]:
        """Return the cards at a place that were not heard there before; a weak reader is asked more
        than once."""
        reader = self._readers[place]
        found: set[bytes] = set()
        if reader.switch_on() == "well":
            for _ in range(SEARCHES):
                found |= set(TagSearch(reader.exchange, reader.positions).find_all())
                if found:
                    break
        reader.switch_off()
        new = found - self._heard[place]
        self._heard[place] |= found
        return new

    def find_elsewhere(self, place: int) -> int | None:
        """Return the other place where a laid card was heard."""
        others = (other for other in self._readers if other != place)
        return next((other for other in others if self.find_new(other)), None)

    def cards_at(self, place: int) -> list[bytes]:
        return sorted(self._heard[place])


def _check_card(
    place: int, reader: Rc522Reader, table: _CardsOnTable, person: Person
) -> ReportLine:
    """Ask for a card, and count how often it answers where it was laid."""
    what = message("reader {place}, card", place=place)
    if not person.lays_card(place):
        return ReportLine(what, "skipped", message("left out"))
    if reader.switch_on() != "well":
        said = message("its field does not stay on; check its 3.3 V under load")
        return ReportLine(what, "bad", said)
    reader.switch_off()
    if not table.find_new(place):
        other = table.find_elsewhere(place)
        if other is not None:
            table.heard_at[place] = other
            text = "the card is read at reader {place}: their wires are crossed"
            return ReportLine(what, "bad", message(text, place=other))
    cards = table.cards_at(place)
    if not cards:
        said = message(
            "no card is read; move it to the coil's middle, ≤ 3 mm of wood and the module's bare "
            "back against it"
        )
        return ReportLine(what, "bad", said)
    reader.switch_on()
    answers = sum(ask_for_tag(reader.exchange, cards[0]) == "seen" for _ in range(ASKINGS))
    reader.switch_off()
    facts = {"heard": len(cards), "answers": answers, "askings": ASKINGS}
    if answers >= WELL:
        text = "cards read: {heard}; questions answered: {answers} of {askings}"
        return ReportLine(what, "good", message(text, **facts))
    text = (
        "reads weakly, cards read: {heard}; questions answered: {answers} of {askings}; less "
        "wood, no metal, stickers side by side"
    )
    return ReportLine(what, "doubtful", message(text, **facts))
