"""A small script of deeds and faults, one a line: `at 3.0s for 2s reader 2 dead 0xff`.

    at 0s   reader 3 frame_loss 5%          rates: frame_loss, bit_errors
    at 1s   readers bit_errors 1%           every reader
    at 3.0s for 2s reader 2 dead 0xff       also: grips_miso, brown_out, crypto_stuck, antenna_cut
    at 4s   slow_wires 500000
    at 5s   put 04a1b2c3d4e5f6 3            on reader 3; a third word is the coupling
    at 6s   lift 04a1b2c3d4e5f6
    at 7s   edge 04a1b2c3d4e5f6 0.2         also: detune UID UID, twin UID 4, heard_by UID 4 0.3
    at 7s   spoilt 04a1b2c3d4e5f6           it answers and cannot be understood
    at 8s   button 2 tap                    also: press, release, tap 2.5, bounce 6, stuck

Law: times are the table's seconds; `for` undoes a fault after so long. An empty line and what
follows a # mean nothing. A bad line is one sentence that names it.
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from companion.core.i18n import N_, message
from hardware.errors import HardwareError, quote_text
from hardware.simulator import faults
from hardware.simulator.clock import SECOND
from hardware.simulator.faults import Undo
from hardware.simulator.world import World, tag_of

Fault = Callable[..., Undo | None]
TROUBLES = (ValueError, LookupError, TypeError, ArithmeticError)
"""What a word that makes no sense can lead to: no such number, tag, reader, seat or rate."""

UNREAD = N_("Line {line} cannot be read: {written}")
UNDONE = N_("Line {line} cannot be done at this table: {written}")
BYTE, MOST = 0xFF, 1e9


class Line(NamedTuple):
    """One deed: when, for how long (or for good), and what; and where it is written."""

    at: float
    lasts: float | None
    deeds: tuple[Callable[[World], Undo | None], ...]
    number: int = 0
    written: str = ""


class ScriptError(HardwareError, ValueError):
    """A line of a script that cannot be read, or not be done at this table."""


def _number(word: str) -> float:
    number = float(word[:-1]) / 100 if word.endswith("%") else float(word)
    if not 0 <= number < MOST:
        raise ValueError(word)
    return number


def _whole(word: str) -> int:
    number = int(word, 0)
    if not 0 <= number <= BYTE:
        raise ValueError(word)
    return number


def _uid(word: str) -> str:
    bytes.fromhex(word)
    return word


def _put(world: World, uid: str, reader: int, coupling: float = 1.0) -> Undo:
    tag = world.put(tag_of(uid), reader, coupling)
    return lambda: world.lift(tag)


def _lift(world: World, uid: str) -> None:
    world.lift(faults.lying_tag(world, uid))


def _press(world: World, seat: int) -> Undo:
    world.press(seat)
    return lambda: world.release(seat)


Words = tuple[Callable[[str], object], ...]
OF_TABLE: dict[str, tuple[Fault, Words]] = {
    "slow_wires": (faults.slow_wires, (_number,)),
    "put": (_put, (_uid, _whole, _number)),
    "lift": (_lift, (_uid,)),
    "edge": (faults.edge, (_uid, _number)),
    "detune": (faults.detune, (_uid, _uid, _number)),
    "spoilt": (faults.spoilt, (_uid,)),
    "twin": (faults.twin, (_uid, _whole)),
    "heard_by": (faults.heard_by, (_uid, _whole, _number)),
}
OF_READER: dict[str, tuple[Fault, Words]] = {
    "dead": (faults.dead, (_whole,)),
    "grips_miso": (faults.grips_miso, ()),
    "brown_out": (faults.brown_out, ()),
    "crypto_stuck": (faults.crypto_stuck, ()),
    "antenna_cut": (faults.antenna_cut, ()),
    "frame_loss": (faults.frame_loss, (_number,)),
    "bit_errors": (faults.bit_errors, (_number,)),
}
OF_BUTTON: dict[str, tuple[Fault, Words]] = {
    "press": (_press, ()),
    "release": (World.release, ()),
    "tap": (World.tap, (_number,)),
    "bounce": (faults.bounce, (_whole,)),
    "stuck": (faults.stuck, ()),
}


def read(text: str, readers: int = 8) -> list[Line]:
    """The lines of a script, in the order of time."""
    lines = []
    for number, line in enumerate(text.splitlines(), 1):
        words, written = line.partition("#")[0].split(), quote_text(line.strip())
        if not words:
            continue
        try:
            deed = _line(words, readers)
        except TROUBLES as trouble:
            raise ScriptError(message(UNREAD, line=number, written=written)) from trouble
        lines.append(deed._replace(number=number, written=written))
    return sorted(lines, key=lambda line: line.at)


def play(world: World, text: str) -> None:
    """Put a script on the table's agenda."""
    for line in read(text, len(world.chips)):
        world.clock.at(round(line.at * SECOND), partial(_do, world, line))


def _do(world: World, line: Line) -> None:
    for deed in line.deeds:
        try:
            undo = deed(world)
        except TROUBLES as trouble:
            raise ScriptError(message(UNDONE, line=line.number, written=line.written)) from trouble
        if line.lasts is not None and undo is not None:
            world.clock.after(round(line.lasts * SECOND), undo)


def _line(words: list[str], readers: int) -> Line:
    at, words = _seconds("at", words)
    lasts = None
    if words[0] == "for":
        lasts, words = _seconds("for", words)
    return Line(at, lasts, _deeds(words, readers))


def _seconds(keyword: str, words: list[str]) -> tuple[float, list[str]]:
    first, value, *rest = words
    if first != keyword or not value.endswith("s"):
        raise ValueError(first)
    return _number(value[:-1]), rest


def _deeds(words: list[str], readers: int) -> tuple[Callable[[World], Undo | None], ...]:
    """What a line does, once, or once for every reader."""
    if words[0] == "readers":
        return tuple(_deed(OF_READER, words[1], words[2:], n) for n in range(readers))
    if words[0] == "reader":
        if not 0 <= int(words[1]) < readers:
            raise ValueError(words[1])
        return (_deed(OF_READER, words[2], words[3:], int(words[1])),)
    if words[0] == "button":
        return (_deed(OF_BUTTON, words[2], words[3:], int(words[1])),)
    return (_deed(OF_TABLE, words[0], words[1:]),)


def _deed(
    table: dict[str, tuple[Fault, Words]], verb: str, words: list[str], *whom: int
) -> Callable[[World], Undo | None]:
    fault, kinds = table[verb]
    if len(words) > len(kinds):
        raise ValueError(words[-1])
    told = [kind(word) for kind, word in zip(kinds, words, strict=False)]
    return lambda world: fault(world, *whom, *told)
