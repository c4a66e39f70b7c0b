"""The wall clock jumps, as that of a Pi without a battery does: it stamps and shows, and decides
nothing, so nobody loses a seat by it."""

import re
from pathlib import Path

from tests.worlds.paths import ROOT

STAMPS_ONLY = {
    "companion/app/process.py": "days off, between two synchronised times: never a bare clock",
    "companion/app/physical_table.py": "the time in a line of the journal",
    "companion/app/setup/wizard.py": "the day in a deck file",
    "companion/app/simulated/simulated_table.py": "the time in a line of the journal",
    "companion/backup/archive.py": "names of daily backups",
    "companion/backup/restore.py": "names of what a restore keeps",
    "companion/backup/service.py": "names of daily backups",
    "companion/cli/backup.py": "names of daily backups",
    "companion/cli/records.py": "when a game was played",
    "companion/journal/repair.py": "the name of a damaged file, and the days of lost games",
    "web/pages/host.py": "the time of day on the health page",
    "web/rendering/game_words.py": "the time of day on a page",
}
"""Every file that looks at the wall clock, and what for: to stamp and to show, never to decide."""
WALL_CLOCK = re.compile(
    r"\btime\.(time|time_ns|localtime|gmtime|strftime|ctime)\b"
    r"|\bdatetime\b|\bdate\.today\b|CLOCK_REALTIME|st_[mac]time\b|\bsession\.permanent\b|\bexpires="
)


def test_no_credential_limit_or_lock_reads_the_wall_clock() -> None:
    found = {
        path.relative_to(ROOT).as_posix()
        for top in ("companion", "web")
        for path in (ROOT / top).rglob("*.py")
        if WALL_CLOCK.search(_code(path))
    }
    assert found == STAMPS_ONLY.keys()


NO_CODE = re.compile(r'"""[\s\S]*?"""|#.*')


def _code(path: Path) -> str:
    """The source without docstrings and comments."""
    return NO_CODE.sub("", path.read_text("utf-8"))
