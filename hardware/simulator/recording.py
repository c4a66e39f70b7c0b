"""A recorded evening, played back on the simulated table.

Law: played back, the tags lie where they were seen, at the times they were seen, and an unclean
reading is a noisy moment; the drivers then read the evening again.
"""

import re
from collections.abc import Iterable
from functools import partial

from companion.core.i18n import message
from hardware.errors import quote_text
from hardware.recording import (
    ButtonEdge,
    Reading,
    Recorder,
    RecordingError,
    SeenTags,
    read_recording,
    write_recording,
)
from hardware.simulator.clock import SECOND
from hardware.simulator.tag import Tag
from hardware.simulator.world import World, tag_of

__all__ = [
    "ButtonEdge",
    "Reading",
    "Recorder",
    "RecordingError",
    "SeenTags",
    "play_recording",
    "read_recording",
    "write_recording",
]

NOISY = 0.2
"""Bit errors while an unclean look is played back."""
LONGEST = 7 * 24 * 3600
UID = re.compile("[0-9a-fA-F]{8}|[0-9a-fA-F]{14}|[0-9a-fA-F]{20}")


def play_recording(world: World, readings: Iterable[Reading], start: float = 0.0) -> dict[str, Tag]:
    """Schedule a recording on the table's clock; return its tags by UID."""
    tags: dict[str, Tag] = {}
    for reading in readings:
        _check_reading(world, reading)
        moment = round((start + reading.at) * SECOND)
        if isinstance(reading, ButtonEdge):
            deed = world.press if reading.down else world.release
            world.clock.schedule_at(moment, partial(deed, reading.seat))
        else:
            for uid in reading.uids:
                tags.setdefault(uid, tag_of(uid))
            world.clock.schedule_at(moment, partial(_lay_tags, world, tags, reading))
    return tags


def _check_reading(world: World, reading: Reading) -> None:
    """Raise RecordingError if a reading names what this table does not have."""
    if not 0 <= reading.at <= LONGEST:
        text = "The recording names the moment {at} s; an evening lasts from 0 to {longest} s."
        raise RecordingError(message(text, at=reading.at, longest=LONGEST))
    if isinstance(reading, ButtonEdge):
        if reading.seat not in world.buttons:
            text = "The recording names seat {seat}, which has no button here; choose {options}."
            options = ", ".join(map(str, world.buttons))
            raise RecordingError(message(text, seat=reading.seat, options=options))
        return
    if not 0 <= reading.reader < len(world.chips):
        text = (
            "The recording names reader {number}, which this table does not have; play it on a "
            "table with more readers."
        )
        raise RecordingError(message(text, number=reading.reader))
    for uid in reading.uids:
        if not UID.fullmatch(uid):
            text = "The recording names the tag '{tag}'; a tag is 8, 14 or 20 hex digits."
            raise RecordingError(message(text, tag=quote_text(uid)))


def _lay_tags(world: World, tags: dict[str, Tag], seen: SeenTags) -> None:
    """Make a reader see exactly these tags; two readers may see the same tag, as it was then."""
    wanted = [tags[uid] for uid in seen.uids]
    world.field.antennas[seen.reader].noise.set_rates(bit_errors=0.0 if seen.clean else NOISY)
    lying = world.tags_on(seen.reader)
    if not seen.clean:
        wanted = [*lying, *(tag for tag in wanted if tag not in lying)]
    for tag in lying:
        if tag not in wanted:
            world.field.remove_tag(tag, seen.reader)
    for tag in wanted:
        if tag not in lying:
            world.field.place_tag(tag, seen.reader)
