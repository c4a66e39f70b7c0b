"""The health report of a table for its host.

Laws: it is made field by field from the health of the table, and sizes and times are rounded: how
many lines the journal has would tell that a hand was closed again. So it holds no name, bid, seal,
tag, cookie, pass, path or line of the journal.
"""

import re
import time
from pathlib import PurePath

import msgspec

from companion.core.i18n import Message
from companion.host.health import BoxHealth, Colour, PiStatus, ReaderHealth, TableHealth
from companion.host.status import health_lights, light_colours

MIB = 1024 * 1024
_GAP = re.compile(r"{([a-z_]+)}")


class HealthReport(msgspec.Struct, frozen=True):
    """How the table is."""

    companion: str
    python: str
    wiring: str
    simulated: bool
    readers: tuple[ReaderHealth, ...]
    boxes: tuple[BoxHealth, ...]
    journal_mib: int
    journal_mended: bool
    journal_proven: bool
    trouble: tuple[str, ...]
    disk_free_mib: int | None
    minutes: int
    clock: str
    clock_set_back: bool
    board: PiStatus
    lights: dict[str, Colour]


def build_report(health: TableHealth) -> HealthReport:
    """Return the host's view of a table's health."""
    journal = health.journal
    return HealthReport(
        health.companion,
        health.python,
        PurePath(health.wiring).stem,
        health.simulated,
        health.readers,
        health.boxes,
        to_mebibytes(journal.size) or 1,
        journal.mended,
        journal.checked is not None,
        tuple(map(strip_facts, health.trouble)),
        None if journal.free is None else journal.free // MIB,
        round(health.uptime // 60),
        time.strftime("%Y-%m-%d %H:%M", time.localtime(health.clock)),
        health.clock_set_back,
        health.board,
        light_colours(health_lights(health)),
    )


def to_mebibytes(size: int) -> int:
    return -(-size // MIB)


def strip_facts(trouble: Message) -> str:
    """Return a fault in English, with its numbers, without what might be a path or a name."""

    def filled(gap: re.Match[str]) -> str:
        fact = trouble.facts.get(gap.group(1))
        return str(fact) if isinstance(fact, int) else "…"

    return _GAP.sub(filled, trouble.text)
