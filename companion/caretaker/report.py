"""The report: what root says of errands, for the pages to show.

Laws: only root writes it, and it holds no secret, so every user may read it. The progress of an
installer is told by that installer itself, in a file beside it (`systemd/installer/told.py`). That
root is at work is a lock, which the kernel releases however that process ends.
"""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

import msgspec

from companion.caretaker.errands import InstallRelease, ReleasePlace
from companion.core.durable_files import write_file
from companion.core.i18n import Message

REPORTS = Path("/run/companion-caretaker")
REPORT = "report.json"
CLAIM = "at_work"
"""The file that is locked as long as root carries an errand out."""
TRIES, PAUSE = 20, 0.05
"""A page that looks at the lock holds it for a moment: so it is tried so often, with a pause in
seconds."""

Outcome = Literal["", "done", "agree", "differs", "under_way", "unwell", "disk_full", "failed"]


class ReleaseOffer(msgspec.Struct, frozen=True):
    """A release that is offered; with `wrong` it is not to be had, for this reason."""

    place: ReleasePlace
    version: str = ""
    wrong: Message | None = None
    is_older: bool = False
    """Whether it is older than the version that runs."""


class Report(msgspec.Struct, frozen=True):
    """What root does, what is offered, and how the last errand ended."""

    doing: str = ""
    """The tag of the errand that is under way."""
    offers: tuple[ReleaseOffer, ...] = ()
    asked: InstallRelease | None = None
    """The last installation, with what was agreed to for it."""
    ended: Outcome = ""
    says: Message | None = None
    words: str = ""
    """What the installer said, in English."""
    cases: tuple[str, ...] = ()
    """Games that the new version judges anew, or the one that it judges wrongly."""
    missing: tuple[str, ...] = ()
    """Games that are installed here, and that the new version does not bring."""
    fetched: int = 0
    """How many hundredths of a release have come from an address."""


def write_report(folder: Path, report: Report) -> None:
    """Write the report for everyone to read."""
    write_file(folder / REPORT, msgspec.json.encode(report), 0o644)


@contextmanager
def claim_work(folder: Path) -> Iterator[None]:
    """Hold the lock that says that an errand is carried out."""
    held = os.open(folder / CLAIM, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        for _ in range(TRIES):
            if _try_lock(held, fcntl.LOCK_EX):
                break
            time.sleep(PAUSE)
        yield
    finally:
        os.close(held)


def is_at_work(folder: Path) -> bool:
    """Return whether an errand is carried out, by a process that lives."""
    try:
        held = os.open(folder / CLAIM, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        return not _try_lock(held, fcntl.LOCK_SH)
    finally:
        os.close(held)


def _try_lock(held: int, kind: int) -> bool:
    try:
        fcntl.flock(held, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def read_report(folder: Path) -> Report:
    """Return the report; an empty one if there is none."""
    with suppress(OSError, msgspec.MsgspecError):
        return msgspec.json.decode((folder / REPORT).read_bytes(), type=Report)
    return Report()
