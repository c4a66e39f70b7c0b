"""The report: what root says of errands, for the pages to show.

Laws: only root writes it, and it holds no secret, so every user may read it. The progress of an
installer is told by that installer itself, in a file beside it (`systemd/installer/told.py`).
"""

from contextlib import suppress
from pathlib import Path
from typing import Literal, TypeVar

import msgspec

from companion.caretaker.errands import ReleasePlace
from companion.core.durable_files import write_file
from companion.core.i18n import Message

T = TypeVar("T")
REPORTS = Path("/run/companion-caretaker")
REPORT, TOLD = "report.json", "told.json"
TOLD_VARIABLE = "COMPANION_TOLD"
"""The variable that says to an installer where to tell how far it is."""

Outcome = Literal["", "done", "agree", "differs", "under_way", "unwell", "disk_full", "failed"]


class ReleaseOffer(msgspec.Struct, frozen=True):
    """A release that is offered; with `wrong` it is not to be had, for this reason."""

    place: ReleasePlace
    version: str = ""
    wrong: Message | None = None


class Report(msgspec.Struct, frozen=True):
    """What root does, what is offered, and how the last errand ended."""

    doing: str = ""
    """The tag of the errand that is under way."""
    offers: tuple[ReleaseOffer, ...] = ()
    asked: ReleaseOffer | None = None
    """The release of the last installation."""
    ended: Outcome = ""
    says: Message | None = None
    words: str = ""
    """What the installer said, in English."""
    cases: tuple[str, ...] = ()
    """Games that the new version judges anew, or the one that it judges wrongly."""


class Told(msgspec.Struct, frozen=True):
    """What an installer tells of itself."""

    stage: str = ""
    code: str = ""
    text: str = ""
    cases: tuple[str, ...] = ()


def write_report(folder: Path, report: Report) -> None:
    """Write the report for everyone to read."""
    write_file(folder / REPORT, msgspec.json.encode(report), 0o644)


def read_report(folder: Path) -> Report:
    """Return the report; an empty one if there is none."""
    return _read(folder / REPORT, Report) or Report()


def read_told(folder: Path) -> Told:
    """Return what the installer told last."""
    return _read(folder / TOLD, Told) or Told()


def _read(path: Path, kind: type[T]) -> T | None:
    with suppress(OSError, msgspec.MsgspecError):
        return msgspec.json.decode(path.read_bytes(), type=kind)
    return None
