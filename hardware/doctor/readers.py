"""Every reader: is there a chip, what make, how fast may it be spoken to, does it compute, and
does it hear a card?

Law: one reader's trouble never keeps the next from being looked at.
"""

from collections.abc import Iterator, Mapping

from hardware.clock import Clock
from hardware.doctor.person import Person
from hardware.doctor.report import Line
from hardware.rc522.anticollision import Search
from hardware.rc522.chip import MAKES, SPEEDS
from hardware.rc522.reader import Reader
from hardware.rc522.select import ask_for
from hardware.rc522.selftest import self_test

ORIGINAL = (0x90, 0x91, 0x92)
ASKINGS, WELL = 20, 19
SILENT = {
    0x00: "answers 00 to everything: no 3.3 V, or RST is not connected; check both",
    0xFF: "answers FF to everything: SDA, SCK or MISO is not connected; check them",
}


def examine_readers(
    readers: Mapping[int, Reader], clock: Clock, person: Person, hertz: int
) -> Iterator[Line]:
    """Reader by reader; then, if only one of many lives, the suspicion that it holds the line."""
    alive = []
    for place, reader in readers.items():
        lines = [_chip(place, reader)]
        if lines[0].state != "bad":
            alive.append(place)
            lines += [_speed(place, reader, hertz), _self_test(place, reader, clock)]
            reader.start()
            lines.append(_card(place, reader, person))
        yield from lines
    if len(readers) > 2 and len(alive) == 1:
        yield Line(
            "MISO",
            "bad",
            f"only reader {alive[0]} answers: it may hold the line for itself; take it off and "
            "ask again, and if the others answer then, give it a 74HC125",
        )


def _chip(place: int, reader: Reader) -> Line:
    what = f"reader {place}, chip"
    try:
        started = reader.start()
        version = reader.chip.vitals().version
    except OSError as trouble:
        return Line(what, "bad", f"the SPI device fails ({trouble}); reboot, then ask again")
    if version in SILENT:
        return Line(what, "bad", SILENT[version])
    if not started:
        return Line(what, "bad", "forgets what is written; check its 3.3 V and shorten its wires")
    if version in ORIGINAL:
        return Line(what, "good", MAKES[version])
    said = f"{MAKES.get(version, f'unknown make 0x{version:02X}')}; it works, often less far"
    return Line(what, "doubtful", said)


def _speed(place: int, reader: Reader, hertz: int) -> Line:
    """Write and read back at every speed."""
    what = f"reader {place}, speed"
    right = [speed for speed in SPEEDS if reader.chip.echoes(speed)]
    reader.chip.link.hertz = right[0] if right else SPEEDS[-1]
    if not right:
        return Line(what, "bad", "nothing can be read back at any speed; shorten the wires")
    said = ", ".join(f"{speed // 1000} kHz" for speed in right)
    if hertz in right:
        reader.chip.link.hertz = hertz
        return Line(what, "good", said)
    return Line(what, "doubtful", f"only {said}; shorten the wires, or leave it: slower works too")


def _self_test(place: int, reader: Reader, clock: Clock) -> Line:
    what, verdict = f"reader {place}, self-test", self_test(reader.chip, clock)
    if verdict == "passed":
        return Line(what, "good", "passed")
    if verdict == "no reference" or reader.chip.version not in ORIGINAL:
        return Line(what, "doubtful", f"{verdict}; a clone may be well all the same")
    return Line(what, "bad", "failed; replace this reader")


def _card(place: int, reader: Reader, person: Person) -> Line:
    """Lay a card: found, and how often it has to be asked."""
    what = f"reader {place}, card"
    if not person.lays(place):
        return Line(what, "skipped", "no card was laid")
    if reader.wake() != "well":
        return Line(what, "bad", "its field does not stay on; check its 3.3 V under load")
    found = Search(reader.exchange, reader.positions).everyone()
    answers = (
        sum(ask_for(reader.exchange, found[0]) == "seen" for _ in range(ASKINGS)) if found else 0
    )
    reader.rest()
    if not found:
        return Line(what, "bad", "no card is heard; move it to the coil's middle, ≤ 5 mm of wood")
    said = f"{len(found)} heard, {answers} answers to {ASKINGS} questions"
    if answers >= WELL:
        return Line(what, "good", said)
    return Line(what, "doubtful", f"{said}; less wood, no metal, stickers side by side")
