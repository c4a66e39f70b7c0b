"""Every reader: is there a chip, what make, how fast may it be spoken to, does it compute, and
does it hear a card?

Law: one reader's trouble never keeps the next from being looked at.
"""

from collections.abc import Iterator, Mapping

from companion.core.i18n import Message, message
from hardware.clock import Clock
from hardware.doctor.person import Person
from hardware.doctor.report import Line
from hardware.errors import NotConnected, quoted
from hardware.rc522.anticollision import Search
from hardware.rc522.chip import MAKES, SPEEDS
from hardware.rc522.reader import Reader
from hardware.rc522.select import ask_for
from hardware.rc522.selftest import self_test

ORIGINAL = (0x90, 0x91, 0x92)
CLONES = {0x88: "FM17522", 0x89: "FM17522E", 0xB2: "FM17522_1"}
COUNTERFEIT = 0x12
ASKINGS, WELL = 20, 19
SILENT = {
    0x00: message("answers 00 to everything: no 3.3 V, or RST is not connected; check both"),
    0xFF: message("answers FF to everything: SDA, SCK or MISO is not connected; check them"),
}


def examine_readers(
    readers: Mapping[int, Reader], clock: Clock, person: Person, hertz: int
) -> Iterator[Line]:
    """Reader by reader; then, if only one of many lives, the suspicion that it holds the line."""
    alive = []
    for place, reader in readers.items():
        chip = _chip(place, reader)
        yield chip
        if chip.state != "bad":
            alive.append(place)
            yield from _more(place, reader, clock, person, hertz)
    if len(readers) > 2 and len(alive) == 1:
        text = (
            "only reader {place} answers: it may hold the line for itself; take it off and ask "
            "again, and if the others answer then, give it a 74HC125"
        )
        yield Line(message("MISO"), "bad", message(text, place=alive[0]))


def why(trouble: OSError) -> Message:
    """What keeps a device from being used, and what to do."""
    if isinstance(trouble, NotConnected):
        return trouble.say
    text = "the SPI device fails ({reason}); reboot, then ask again"
    return message(text, reason=quoted(trouble.strerror or trouble))


def _chip(place: int, reader: Reader) -> Line:
    what = message("reader {place}, chip", place=place)
    try:
        started = reader.start()
        version = reader.chip.vitals().version
    except OSError as trouble:
        return Line(what, "bad", why(trouble))
    if version in SILENT:
        return Line(what, "bad", SILENT[version])
    if not started:
        said = message("forgets what is written; check its 3.3 V and shorten its wires")
        return Line(what, "bad", said)
    if version in ORIGINAL:
        return Line(what, "good", message("{make}", make=MAKES[version]))
    return Line(what, "doubtful", _strange(version))


def _strange(version: int) -> Message:
    """A chip that is not NXP's."""
    if version in CLONES:
        return message("a clone ({make}); it works, often less far", make=CLONES[version])
    if version == COUNTERFEIT:
        return message("a counterfeit; it works, often less far")
    return message("an unknown make ({make}); it works, often less far", make=f"0x{version:02X}")


def _more(place: int, reader: Reader, clock: Clock, person: Person, hertz: int) -> Iterator[Line]:
    """What only a chip that lives can be asked."""
    try:
        yield _speed(place, reader, hertz)
        yield _self_test(place, reader, clock)
        reader.start()
        yield _card(place, reader, person)
    except OSError as trouble:
        yield Line(message("reader {place}, chip", place=place), "bad", why(trouble))


def _speed(place: int, reader: Reader, hertz: int) -> Line:
    """Write and read back at every speed."""
    what = message("reader {place}, speed", place=place)
    right = [speed for speed in SPEEDS if reader.chip.echoes(speed)]
    reader.chip.link.hertz = right[0] if right else SPEEDS[-1]
    if not right:
        said = message("nothing can be read back at any speed; shorten the wires")
        return Line(what, "bad", said)
    speeds = ", ".join(str(speed // 1000) for speed in right)
    if hertz in right:
        reader.chip.link.hertz = hertz
        return Line(what, "good", message("{speeds} kHz", speeds=speeds))
    text = "only {speeds} kHz; shorten the wires, or leave it: slower works too"
    return Line(what, "doubtful", message(text, speeds=speeds))


def _self_test(place: int, reader: Reader, clock: Clock) -> Line:
    what, verdict = message("reader {place}, self-test", place=place), self_test(reader.chip, clock)
    if verdict == "passed":
        return Line(what, "good", message("all 64 bytes are right"))
    if verdict == "no reference":
        said = message("no reference to compare with; a clone may be well all the same")
        return Line(what, "doubtful", said)
    if reader.chip.version not in ORIGINAL:
        return Line(what, "doubtful", message("failed; a clone may be well all the same"))
    return Line(what, "bad", message("failed; replace this reader"))


def _card(place: int, reader: Reader, person: Person) -> Line:
    """Lay a card: found, and how often it has to be asked."""
    what = message("reader {place}, card", place=place)
    if not person.lays(place):
        return Line(what, "skipped", message("no card was laid"))
    if reader.wake() != "well":
        said = message("its field does not stay on; check its 3.3 V under load")
        return Line(what, "bad", said)
    found = Search(reader.exchange, reader.positions).everyone()
    answers = (
        sum(ask_for(reader.exchange, found[0]) == "seen" for _ in range(ASKINGS)) if found else 0
    )
    reader.rest()
    if not found:
        said = message("no card is heard; move it to the coil's middle, ≤ 5 mm of wood")
        return Line(what, "bad", said)
    facts = {"heard": len(found), "answers": answers, "askings": ASKINGS}
    if answers >= WELL:
        text = "cards heard: {heard}; questions answered: {answers} of {askings}"
        return Line(what, "good", message(text, **facts))
    text = (
        "cards heard: {heard}; questions answered: {answers} of {askings}; less wood, no metal, "
        "stickers side by side"
    )
    return Line(what, "doubtful", message(text, **facts))
