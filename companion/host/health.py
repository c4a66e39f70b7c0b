"""The health of a table as structs: the machine, its readers, boxes, journal and lights.

Laws: these are built field by field, with no path, tag, name of a player, or anything that one seat
alone may know. What is unknown is None, never a guess. What was so for a moment is remembered until
the companion is restarted.
"""

from collections.abc import Callable
from typing import Literal

import msgspec

from companion.core.i18n import Message
from companion.core.sensor_events import ReaderCondition
from companion.journal.journal import JournalHealth


class PiStatus(msgspec.Struct, frozen=True):
    """Condition of the machine now, and its troubles since the companion was started.

    `low` is whether its supply sags, `slowed` whether it holds itself back, `clock_set` whether its
    clock was set by a time server or a battery-backed clock since it was switched on.
    """

    model: str = ""
    celsius: float | None = None
    hottest: float | None = None
    low: bool | None = None
    was_low: bool | None = None
    slowed: bool | None = None
    was_slowed: bool | None = None
    clock_set: bool | None = None
    memory_mib: int | None = None
    memory_free_mib: int | None = None


def merge_pi_status(before: PiStatus, now: PiStatus) -> PiStatus:
    """Return the present condition, with every trouble noticed before."""
    return msgspec.structs.replace(
        now,
        hottest=_combine_known(max, before.hottest, now.hottest, now.celsius),
        was_low=_combine_known(any, before.was_low, now.was_low, now.low),
        was_slowed=_combine_known(any, before.was_slowed, now.was_slowed, now.slowed),
    )


def _combine_known(which: Callable[..., float], *values: float | None) -> float | None:
    known = [value for value in values if value is not None]
    return which(known) if known else None


class BoxHealth(msgspec.Struct, frozen=True):
    """A box, and how many of its stickers are known."""

    game: str
    title: str
    stickers: int
    total: int


class Health(msgspec.Struct, frozen=True):
    """The health of a table, for the host's page.

    `unwired` is why the wires cannot be opened, `unwritten` why no line can be written, both None
    where all is well; `stuck` are the seats whose button stays down; `update_fault` says that an
    update failed, so that this version runs instead; `broken_games` say which games cannot be
    loaded.
    """

    companion: str
    python: str
    wiring: str
    readers: tuple[ReaderCondition, ...]
    boxes: tuple[BoxHealth, ...]
    journal: JournalHealth
    uptime: float
    board: PiStatus = PiStatus()
    unwired: Message | None = None
    unwritten: Message | None = None
    stuck: tuple[int, ...] = ()
    update_fault: Message | None = None
    broken_games: tuple[Message, ...] = ()


Colour = Literal["red", "amber", "green"]


class Light(msgspec.Struct, frozen=True):
    """One thing that can be well or not; if not, it names a cure."""

    name: str
    colour: Colour
    says: Message
    cure: Message | None = None
