"""The health report of a table for its host, and the support bundle that holds it.

Laws: both are made field by field from the health of the table and from the table as everyone sees
it, and sizes and times are rounded: how many lines the journal has would tell that a hand was
closed again. So the bundle holds no name, bid, seal, tag, cookie, PIN, path or line of the journal.
The same facts are the same bytes, small enough for an e-mail; the host's page and the command line
make it alike.
"""

import io
import re
import time
import zipfile
from pathlib import PurePath
from typing import Any

import msgspec

from companion.core.i18n import Message
from companion.host.health import BoxHealth, Colour, PiStatus, ReaderHealth, TableHealth
from companion.host.status import health_lights, light_colours
from companion.table.history import started_event
from companion.table.table import Table

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


class GameSummary(msgspec.Struct, frozen=True):
    """The game on the table for a support bundle: no names, no event, only how many."""

    game: str
    rules: int
    players: int
    phase: str
    moments: int
    house_rules: dict[str, str]
    frozen: bool
    paused: bool
    ended: bool
    todos: int
    by_hand: tuple[int, ...]


class MachineSummary(msgspec.Struct, frozen=True):
    """The system and the config of this machine, for a bundle made at the command line.

    `running` is whether a companion has the data folder now, None if that is unknown; `config` the
    keys of the config, and `config_trouble` why it cannot be read.
    """

    system: str
    running: bool | None
    backups: int
    config: dict[str, str]
    config_trouble: str


def build_report(health: TableHealth) -> HealthReport:
    """Return what the host may read of a table's health."""
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


def summarize_game(table: Table) -> GameSummary | None:
    """Summarize the game on the table; None if there is none."""
    view, started = table.view(), started_event(table.history)
    if view is None or started is None:
        return None
    public: Any = view.public
    return GameSummary(
        table.rules.box.game,
        started.rules,
        len(public.seats),
        public.phase,
        view.at,
        dict(started.house_rules),
        view.table.frozen > 0,
        view.table.paused,
        view.table.ended,
        len(view.table.todos),
        view.table.by_hand,
    )


LONGEST = 16 * 1024
"""Bytes of the longest part; a table never has that much to say."""
EPOCH = (1980, 1, 1, 0, 0, 0)
READ_ME = """\
How this table was when somebody asked for help.

health.json   the companion, its readers, boxes, journal, clock, disk, board and lights
game.json     what is played: the box, its house rules, the phase, how many moments
trouble.txt   what the table itself says is wrong

If it was asked for at the command line, health.json is what the disk tells, without the readers;
the readers are in

last.json     the last report of the companion that runs here, or ran here
machine.json  the system, whether a companion runs, the keys of its config

There are no names, bids, seals, stickers, cookies, PINs or paths in here, and no line of the
journal: it may be handed on.
"""


def pack_bundle(
    health: HealthReport,
    game: GameSummary | None = None,
    machine: MachineSummary | None = None,
    last: HealthReport | None = None,
) -> bytes:
    """Return the bundle as a zip file."""
    parts = {
        "README.txt": READ_ME.encode(),
        "health.json": encode_json(health),
        "game.json": encode_json(game),
        "trouble.txt": "".join(f"{line}\n" for line in health.trouble).encode(),
    }
    if machine is not None:
        parts |= {"last.json": encode_json(last), "machine.json": encode_json(machine)}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for name, part in parts.items():
            file.writestr(zipfile.ZipInfo(name, EPOCH), part[:LONGEST], zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def encode_json(what: HealthReport | GameSummary | MachineSummary | None) -> bytes:
    return msgspec.json.format(msgspec.json.encode(what), indent=2) + b"\n"
