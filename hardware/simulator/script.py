"""A small script of deeds and faults, one a line: `at 3.0s for 2s reader 2 dead 0xff`.

    at 0s   reader 3 frame_loss 5%          rates: frame_loss, bit_errors
    at 1s   readers bit_errors 1%           every reader
    at 3.0s for 2s reader 2 dead 0xff       also: grips_miso, brown_out, crypto_stuck, antenna_cut
    at 4s   slow_wires 500000
    at 5s   put 04a1b2c3d4e5f6 3            on reader 3; a third word is the coupling
    at 6s   lift 04a1b2c3d4e5f6
    at 7s   edge 04a1b2c3d4e5f6 0.2         also: detune UID UID, twin UID 4
    at 7s   spoilt 04a1b2c3d4e5f6           it answers and cannot be understood
    at 8s   button 2 tap                    also: press, release, tap 2.5, bounce 6, stuck

Law: times are the table's seconds; `for` undoes a fault after so long. An empty line and what
follows a # mean nothing. A bad line is one sentence that names it.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from companion.core.errors import Malformed, not_read
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
MAX_SIZE = 1_000_000
"""Bytes that a file with a script may have."""


class ScriptLine(NamedTuple):
    """One line: when, for how long (None: for good), what to do, and its source."""

    at: float
    lasts: float | None
    deeds: tuple[Callable[[World], Undo | None], ...]
    number: int = 0
    written: str = ""


class ScriptError(HardwareError, ValueError):
    """A line of a script that cannot be read, or not be done at this table."""


def _parse_number(word: str) -> float:
    number = float(word[:-1]) / 100 if word.endswith("%") else float(word)
    if not 0 <= number < MOST:
        raise ValueError(word)
    return number


def _parse_whole(word: str) -> int:
    number = int(word, 0)
    if not 0 <= number <= BYTE:
        raise ValueError(word)
    return number


def _parse_uid(word: str) -> str:
    bytes.fromhex(word)
    return word


def _put_tag(world: World, uid: str, reader: int, coupling: float = 1.0) -> Undo:
    tag = world.put(tag_of(uid), reader, coupling)
    return lambda: world.lift(tag)


def _lift_tag(world: World, uid: str) -> None:
    world.lift(faults.lying_tag(world, uid))


def _press_button(world: World, seat: int) -> Undo:
    world.press(seat)
    return lambda: world.release(seat)


Words = tuple[Callable[[str], object], ...]
OF_TABLE: dict[str, tuple[Fault, Words]] = {
    "slow_wires": (faults.slow_wires, (_parse_number,)),
    "put": (_put_tag, (_parse_uid, _parse_whole, _parse_number)),
    "lift": (_lift_tag, (_parse_uid,)),
    "edge": (faults.slide_to_edge, (_parse_uid, _parse_number)),
    "detune": (faults.detune_pair, (_parse_uid, _parse_uid, _parse_number)),
    "spoilt": (faults.spoil_tag, (_parse_uid,)),
    "twin": (faults.add_twin, (_parse_uid, _parse_whole)),
}
OF_READER: dict[str, tuple[Fault, Words]] = {
    "dead": (faults.silence_reader, (_parse_whole,)),
    "grips_miso": (faults.grips_miso, ()),
    "brown_out": (faults.brown_out, ()),
    "crypto_stuck": (faults.crypto_stuck, ()),
    "antenna_cut": (faults.antenna_cut, ()),
    "frame_loss": (faults.frame_loss, (_parse_number,)),
    "bit_errors": (faults.bit_errors, (_parse_number,)),
}
OF_BUTTON: dict[str, tuple[Fault, Words]] = {
    "press": (_press_button, ()),
    "release": (World.release, ()),
    "tap": (World.tap, (_parse_number,)),
    "bounce": (faults.set_bounces, (_parse_whole,)),
    "stuck": (faults.jam_button, ()),
}


def load_script(name: str) -> str:
    """Return the text of a script file; Malformed if it is unreadable, too long or no UTF-8."""
    try:
        with Path(name).open("rb") as file:
            data = file.read(MAX_SIZE + 1)
    except OSError as error:
        raise not_read(name, error) from None
    if len(data) > MAX_SIZE:
        text = N_("{field} is longer than a script can be ({most} bytes).")
        raise Malformed(name, text, most=MAX_SIZE)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Malformed(name, N_("{field} is not UTF-8 text.")) from None


def read_script(text: str, readers: int = 8) -> list[ScriptLine]:
    """Return the lines of a script in the order of time."""
    lines = []
    for number, line in enumerate(text.splitlines(), 1):
        words, written = line.partition("#")[0].split(), quote_text(line.strip())
        if not words:
            continue
        try:
            deed = _parse_line(words, readers)
        except TROUBLES as trouble:
            raise ScriptError(message(UNREAD, line=number, written=written)) from trouble
        lines.append(deed._replace(number=number, written=written))
    return sorted(lines, key=lambda line: line.at)


def play_script(world: World, text: str) -> None:
    """Schedule a script on the table's clock."""
    for line in read_script(text, len(world.chips)):
        world.clock.schedule_at(round(line.at * SECOND), partial(_do_line, world, line))


def _do_line(world: World, line: ScriptLine) -> None:
    for deed in line.deeds:
        try:
            undo = deed(world)
        except TROUBLES as trouble:
            raise ScriptError(message(UNDONE, line=line.number, written=line.written)) from trouble
        if line.lasts is not None and undo is not None:
            world.clock.schedule_after(round(line.lasts * SECOND), undo)


def _parse_line(words: list[str], readers: int) -> ScriptLine:
    at, words = _parse_seconds("at", words)
    lasts = None
    if words[0] == "for":
        lasts, words = _parse_seconds("for", words)
    return ScriptLine(at, lasts, _parse_deeds(words, readers))


def _parse_seconds(keyword: str, words: list[str]) -> tuple[float, list[str]]:
    first, value, *rest = words
    if first != keyword or not value.endswith("s"):
        raise ValueError(first)
    return _parse_number(value[:-1]), rest


def _parse_deeds(words: list[str], readers: int) -> tuple[Callable[[World], Undo | None], ...]:
    """Return the actions of a line, one, or one for every reader."""
    if words[0] == "readers":
        return tuple(_parse_deed(OF_READER, words[1], words[2:], n) for n in range(readers))
    if words[0] == "reader":
        if not 0 <= int(words[1]) < readers:
            raise ValueError(words[1])
        return (_parse_deed(OF_READER, words[2], words[3:], int(words[1])),)
    if words[0] == "button":
        return (_parse_deed(OF_BUTTON, words[2], words[3:], int(words[1])),)
    return (_parse_deed(OF_TABLE, words[0], words[1:]),)


def _parse_deed(
    table: dict[str, tuple[Fault, Words]], verb: str, words: list[str], *whom: int
) -> Callable[[World], Undo | None]:
    fault, kinds = table[verb]
    if len(words) > len(kinds):
        raise ValueError(words[-1])
    told = [kind(word) for kind, word in zip(kinds, words, strict=False)]
    return lambda world: fault(world, *whom, *told)
