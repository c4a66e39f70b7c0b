"""The table's side of errands: where the pages hand them in, and read how it goes.

Laws: one errand at a time, but the power is switched at any time; an errand whose process has ended
is over, whatever the report says, and one that root has taken is under way before the report says
so. A release that is sent is kept beside the data, whole or not at all; whether it may be installed
is decided by root.
"""

import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Lock

import msgspec
from msgspec.structs import replace

from companion.caretaker.errands import (
    ASKED,
    MOST_SENT,
    SENT,
    Errand,
    InstallRelease,
    Power,
    is_waiting,
    put_errand,
    refuse_older,
)
from companion.caretaker.report import REPORT, REPORTS, Report, is_at_work, read_report
from companion.core.errors import Refusal, refusal
from companion.core.i18n import N_, message
from companion.core.installation import HOME
from companion.update.outcome import TOLD, Told, read_told

UNITS = (Path("/etc/systemd/system"), Path("/usr/lib/systemd/system"))
BROKEN_OFF = N_("This was broken off before its end: look which version runs, then try again.")
PATH_UNIT = "companion-caretaker.path"
Signs = tuple[float, float, bool, bool]


class DeskStatus(msgspec.Struct, frozen=True):
    """What the pages show of this Pi."""

    version: str
    """The one that runs."""
    before: bool
    """Whether there is one before it, to go back to."""
    waits: bool
    """Whether an errand was handed in of which root has not said yet that it carries it out."""
    report: Report
    told: Told
    """How far an installer is that runs now."""
    repository: str = ""
    """The address of releases in the config."""
    sent: bool = False
    """Whether a release was sent from a page."""


class IncomingRelease:
    """A release that is sent: written beside the one before, in whose place it comes at the end."""

    def __init__(self, path: Path) -> None:
        self.id, self.wrong = secrets.token_hex(8), False
        self._aside = path.with_name(f".{path.name}.{self.id}")
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        self._file = os.fdopen(os.open(self._aside, flags, 0o600), "wb")
        self._path, self.size = path, 0

    def write(self, chunk: bytes) -> None:
        """Append bytes; `keep_file` says if that was not possible."""
        self.size += len(chunk)
        self.wrong = self.wrong or self.size > MOST_SENT
        with suppress(OSError):
            if not self.wrong:
                self._file.write(chunk)
                return
        self.wrong = True

    def keep_file(self) -> bool:
        """Put it in the place of the one before; False if it is not whole."""
        with suppress(OSError, ValueError):  # It was aborted, and is closed.
            self._file.flush()
            os.fsync(self._file.fileno())
            if self.size and not self.wrong:
                self._file.close()
                self._aside.replace(self._path)
                return True
        self.abort_upload()
        return False

    def abort_upload(self) -> None:
        """Forget it, unless it was kept."""
        with suppress(OSError):
            self._file.close()
        self._aside.unlink(missing_ok=True)


class ErrandDesk:
    """Where the pages of one table hand in errands."""

    def __init__(  # noqa: PLR0913, PLR0917
        self,
        version: str,
        on_change: Callable[[], object] = lambda: None,
        repository: str = "",
        port: int = 8000,
        asked: Path = ASKED,
        reports: Path = REPORTS,
        sent: Path = SENT,
        home: Path = HOME,
    ) -> None:
        self._version, self.on_change, self._repository = version, on_change, repository
        self.port = port
        """That of the pages."""
        self._asked, self._reports, self._sent, self._home = asked, reports, sent, home
        self._incoming: IncomingRelease | None = None
        self._seen: Signs | None = None
        self._lock = Lock()
        for left in sent.parent.glob(f".{sent.name}.*"):
            left.unlink(missing_ok=True)

    def status(self) -> DeskStatus:
        """Return what root does, or did last."""
        waits = is_waiting(self._asked)  # First: root takes an errand before it reports.
        is_claimed = is_at_work(self._reports)
        report = self._read_report()
        waits = waits or (is_claimed and not report.doing)
        told = read_told(self._reports) if report.doing else Told()
        before = (self._home / "previous").is_symlink()
        sent = self._sent.exists()
        return DeskStatus(self._version, before, waits, report, told, self._repository, sent)

    def _read_report(self) -> Report:
        """Return the report; an errand that ended without a word is reported as broken off."""
        for _ in range(2):  # After the first look it may have ended well, or another have begun.
            report = read_report(self._reports)
            if not report.doing or is_at_work(self._reports):
                return report
        return replace(report, doing="", ended="failed", says=message(BROKEN_OFF))

    def hand_in_errand(self, errand: Errand) -> Refusal | None:
        """Hand in an errand, unless one is under way that it has to wait for; NotWritten on a full
        disk."""
        with self._lock:
            status = self.status()
            is_busy = status.waits or bool(status.report.doing)
            if is_busy and not isinstance(errand, Power):
                text = "This Pi is at something else just now; wait a moment."
                return refusal("busy", "T.host", text)
            refused = _refuse_unoffered(errand, status)
            if refused is None:
                put_errand(self._asked, errand)
        self.on_change()
        return refused

    def begin_upload(self, name: str) -> IncomingRelease | None:
        """Begin to take a release of this file name; None if that is not possible."""
        with self._lock, suppress(OSError):
            if self._incoming is not None:
                self._incoming.abort_upload()
            self._incoming = IncomingRelease(self._sent)
            return self._incoming
        return None

    def accept_upload(self, id: str) -> Refusal | None:
        """Keep the release that has come."""
        with self._lock:
            incoming, self._incoming = self._incoming, None
            if incoming is None or incoming.id != id or not incoming.keep_file():
                return refusal("no_release", "T.host", "No release has come; send it again.")
        self.on_change()
        return None

    def tell_changes(self) -> None:
        """Tell the pages when root has something new to say."""
        signs = _time_of(self._reports / REPORT), _time_of(self._reports / TOLD)
        now = (*signs, is_waiting(self._asked), is_at_work(self._reports))
        if self._seen not in (None, now):
            self.on_change()
        self._seen = now


def _refuse_unoffered(errand: Errand, status: DeskStatus) -> Refusal | None:
    """Refuse to install what is not offered, and an older version unless that is what is meant."""
    if not isinstance(errand, InstallRelease):
        return None
    here = (errand.place, errand.version)
    offers = [each for each in status.report.offers if (each.place, each.version) == here]
    if not any(not offer.wrong for offer in offers):
        return refusal("no_release", "T.host", "This release is not offered any more: look again.")
    if not errand.older and any(offer.is_older for offer in offers):
        return refuse_older(errand.version, status.version)
    return None


def _time_of(path: Path) -> float:
    with suppress(OSError):
        return path.stat().st_mtime
    return 0.0


def has_caretaker(folders: tuple[Path, ...] = UNITS) -> bool:
    """Return whether root carries out errands on this machine."""
    return any((folder / PATH_UNIT).exists() for folder in folders)
