"""Daily backups: one a day, called after it, of which the newest are kept.

Law: only what is called like a daily backup is ever removed, and never the one just written.
"""

import re
import shutil
from datetime import date
from pathlib import Path

FOLDER = "backups"
DAILY = re.compile(r"companion-\d{4}-\d\d-\d\d\.zip")
BROKEN_OFF = re.compile(rf"\.{DAILY.pattern}\.packing")


def daily(day: date) -> str:
    """How the backup of a day is called."""
    return f"companion-{day.isoformat()}.zip"


def rotate(folder: Path, keep: int) -> list[str]:
    """Remove all daily backups but the newest, and what was broken off; the names of the former."""
    names = sorted(path.name for path in folder.iterdir())
    for name in filter(BROKEN_OFF.fullmatch, names):
        shutil.rmtree(folder / name, ignore_errors=True)
    old = list(filter(DAILY.fullmatch, names))[: -max(1, keep)]
    for name in old:
        (folder / name).unlink(missing_ok=True)
    return old
