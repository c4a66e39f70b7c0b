"""Examination of MFRC522 readers: chip, make, SPI speed, self-test and a card.

Law: one reader's trouble never keeps the next from being examined.
"""

from collections.abc import Iterator, Mapping

from companion.core.i18n import Message, message
from hardware.clock import Clock
from hardware.doctor.person import Person
from hardware.doctor.report import ReportLine, explain_failure
from hardware.rc522.anticollision import TagSearch
from hardware.rc522.chip import MAKES, SPEEDS
from hardware.rc522.reader import Rc522Reader
from hardware.rc522.select import ask_for_tag
from hardware.rc522.selftest import run_self_test

ORIGINAL = (0x90, 0x91, 0x92)
CLONES = {0x88: "FM17522", 0x89: "FM17522E", 0xB2: "FM17522_1"}
COUNTERFEIT = 0x12
ASKINGS, WELL = 20, 19
SILENT = {
    0x00: message("answers 00 to everything: no 3.3 V, or RST is not connected; check both"),
    0xFF: message("answers FF to everything: SDA, SCK or MISO is not connected; check them"),
}


def examine_chips(
    readers: Mapping[int, Rc522Reader], clock: Clock, person: Person, hertz: int
) -> Iterator[ReportLine]:
    """Examine reader by reader; one alone that answers among many is suspected to hold the line."""
    alive = []
    for place, reader in readers.items():
        chip = _check_chip(place, reader)
        yield chip
        if chip.state != "bad":
            alive.append(place)
            yield from _check_working_chip(place, reader, clock, person, hertz)
    if len(readers) > 2 and len(alive) == 1:
        text = (
            "only reader {place} answers: it may hold the line for itself; take it off and ask "
            "again, and if the others answer then, give it a 74HC125"
        )
        yield ReportLine(message("MISO"), "bad", message(text, place=alive[0]))


def _check_chip(place: int, reader: Rc522Reader) -> ReportLine:
    what = message("reader {place}, chip", place=place)
    try:
        started = reader.start()
        version = reader.chip.read_vitals().version
    except OSError as trouble:
        return ReportLine(what, "bad", explain_failure(trouble))
    if version in SILENT:
        return ReportLine(what, "bad", SILENT[version])
    if not started:
        said = message("forgets what is written; check its 3.3 V and shorten its wires")
        return ReportLine(what, "bad", said)
    if version in ORIGINAL:
        return ReportLine(what, "good", message("{make}", make=MAKES[version]))
    return ReportLine(what, "doubtful", _describe_clone(version))


def _describe_clone(version: int) -> Message:
    """Describe a chip that is not NXP's."""
    if version in CLONES:
        return message("a clone ({make}); it works, often less far", make=CLONES[version])
    if version == COUNTERFEIT:
        return message("a counterfeit; it works, often less far")
    return message("an unknown make ({make}); it works, often less far", make=f"0x{version:02X}")


def _check_working_chip(
    place: int, reader: Rc522Reader, clock: Clock, person: Person, hertz: int
) -> Iterator[ReportLine]:
    """Run the checks that need a chip that answers."""
    try:
        yield _check_speed(place, reader, hertz)
        yield _check_self_test(place, reader, clock)
        reader.start()
        yield _check_card(place, reader, person)
    except OSError as trouble:
        yield ReportLine(
            message("reader {place}, chip", place=place), "bad", explain_failure(trouble)
        )


def _check_speed(place: int, reader: Rc522Reader, hertz: int) -> ReportLine:
    """Check which SPI speeds can be written and read back."""
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
        return ReportLine(what, "good", message("all 64 bytes are right"))
    if verdict == "no reference":
        said = message("no reference to compare with; a clone may be well all the same")
        return ReportLine(what, "doubtful", said)
    if reader.chip.version not in ORIGINAL:
        return ReportLine(what, "doubtful", message("failed; a clone may be well all the same"))
    return ReportLine(what, "bad", message("failed; replace this reader"))


def _check_card(place: int, reader: Rc522Reader, person: Person) -> ReportLine:
    """Ask for a card and count how often it answers."""
    what = message("reader {place}, card", place=place)
    if not person.lays_card(place):
        return ReportLine(what, "skipped", message("no card was laid"))
    if reader.switch_on() != "well":
        said = message("its field does not stay on; check its 3.3 V under load")
        return ReportLine(what, "bad", said)
    found = TagSearch(reader.exchange, reader.positions).find_all()
    answers = (
        sum(ask_for_tag(reader.exchange, found[0]) == "seen" for _ in range(ASKINGS))
        if found
        else 0
    )
    reader.switch_off()
    if not found:
        said = message("no card is heard; move it to the coil's middle, ≤ 5 mm of wood")
        return ReportLine(what, "bad", said)
    facts = {"heard": len(found), "answers": answers, "askings": ASKINGS}
    if answers >= WELL:
        text = "cards heard: {heard}; questions answered: {answers} of {askings}"
        return ReportLine(what, "good", message(text, **facts))
    text = (
        "cards heard: {heard}; questions answered: {answers} of {askings}; less wood, no metal, "
        "stickers side by side"
    )
    return ReportLine(what, "doubtful", message(text, **facts))
