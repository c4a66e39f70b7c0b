"""An evening of raw readings, written down line by line and played back on the table.

Law: a recording says what every reader saw, not what anybody made of it. Played back, the tags
lie where they were seen, at the times they were seen, and an unclean reading is a noisy moment;
the drivers then read the evening again. A last line cut short by a power cut is forgotten.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TextIO

import msgspec

from hardware.simulator.clock import SECOND
from hardware.simulator.tag import Tag
from hardware.simulator.world import World, tag_of


class Seen(msgspec.Struct, frozen=True, tag_field="raw", tag="seen"):
    """What one reader saw in one look, `at` so many seconds from the start."""

    at: float
    reader: int
    uids: tuple[str, ...] = ()
    clean: bool = True
    """False after a parity, CRC or collision error: something was there."""


class Edge(msgspec.Struct, frozen=True, tag_field="raw", tag="edge"):
    """A button's contact closed or opened."""

    at: float
    seat: int
    down: bool


Reading = Seen | Edge
NOISY = 0.2
"""Bit errors while an unclean look is played back."""


class RecordingError(ValueError):
    """A line of a recording that cannot be read."""


class Recorder:
    """Writes readings as they come; of equal looks only the first."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._last: dict[int, tuple[tuple[str, ...], bool]] = {}

    def note(self, reading: Reading) -> None:
        """Write a reading down, if it says anything new."""
        if isinstance(reading, Seen):
            news = (reading.uids, reading.clean)
            if self._last.get(reading.reader) == news:
                return
            self._last[reading.reader] = news
        self._file.write(msgspec.json.encode(reading).decode() + "\n")
        self._file.flush()


def write(path: Path, readings: Iterable[Reading]) -> None:
    """A whole recording at once."""
    with path.open("w", encoding="utf-8") as file:
        recorder = Recorder(file)
        for reading in readings:
            recorder.note(reading)


def read(path: Path) -> Iterator[Reading]:
    """The readings of a file, in its order."""
    lines = path.read_text(encoding="utf-8").split("\n")
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield msgspec.json.decode(line, type=Reading)
        except msgspec.DecodeError as trouble:
            if number == len(lines):
                return
            raise RecordingError(f"Line {number} of {path.name} is no reading.") from trouble


def play(world: World, readings: Iterable[Reading], start: float = 0.0) -> dict[str, Tag]:
    """Put an evening on the table's agenda; the tags it will use, by UID."""
    tags: dict[str, Tag] = {}
    for reading in readings:
        moment = round((start + reading.at) * SECOND)
        if isinstance(reading, Edge):
            deed = world.press if reading.down else world.release
            world.clock.at(moment, partial(deed, reading.seat))
        else:
            for uid in reading.uids:
                tags.setdefault(uid, tag_of(uid))
            world.clock.at(moment, partial(_lay, world, tags, reading))
    return tags


def _lay(world: World, tags: dict[str, Tag], seen: Seen) -> None:
    """Make a reader see just these tags. A tag may be seen by two readers, as it was then."""
    wanted = [tags[uid] for uid in seen.uids]
    world.field.antennas[seen.reader].noise.set(bit_errors=0.0 if seen.clean else NOISY)
    lying = world.lying(seen.reader)
    if not seen.clean:
        wanted = [*lying, *(tag for tag in wanted if tag not in lying)]
    for tag in lying:
        if tag not in wanted:
            world.field.remove(tag, seen.reader)
    for tag in wanted:
        if tag not in lying:
            world.field.place(tag, seen.reader)
