"""The report: what root says of errands, for the pages to show.

Laws: only root writes it, and it holds no secret, so every user may read it. The progress of an
installer is told by that installer itself, in a file beside it (`systemd/installer/told.py`).
"""

from contextlib import suppress
from pathlib import Path
from typing import Literal

import msgspec

from companion.caretaker.errands import InstallRelease, ReleasePlace
from companion.core.durable_files import write_file
from companion.core.i18n import Message

REPORTS = Path("/run/companion-caretaker")
REPORT = "report.json"

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


def write_report(folder: Path, report: Report) -> None:
    """Write the report for everyone to read."""
    write_file(folder / REPORT, msgspec.json.encode(report), 0o644)


def read_report(folder: Path) -> Report:
    """Return the report; an empty one if there is none."""
    with suppress(OSError, msgspec.MsgspecError):
        return msgspec.json.decode((folder / REPORT).read_bytes(), type=Report)
    return Report()
