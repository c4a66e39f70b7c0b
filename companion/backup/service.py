"""The backups of one running table: keep one after each game, download, upload, check and restore.

Laws: the status is built field by field: no path, no tag, no name of a player. One activity runs at
a time; nothing is restored before it was verified, shown and confirmed, and nothing goes out while
a game can go on.
"""

import secrets
import tempfile
import threading
from collections.abc import Callable, Mapping
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import BinaryIO, Literal, NamedTuple

import msgspec

from companion.backup import archive, restore
from companion.core.durable_files import DISK_FULL, say_without_folder
from companion.core.errors import Malformed, Refusal, refusal
from companion.core.i18n import N_, Message, message
from companion.journal import Journal, JournalFailed
from companion.journal.repair import BACKUPS, JOURNAL

BackupActivity = Literal["", "packing", "coming", "proving", "restoring"]
"""The activity that runs now; none other begins meanwhile."""
MAX_UPLOAD_SIZE = 64 << 20
"""Bytes of the largest backup that can be uploaded: 64 MB."""
MAX_NAME_LENGTH = 60
KEPT = 2
"""Number of daily backups kept in the data folder."""

RESTORE_DONE = message("The backup is restored. What was here before is kept as a backup, too.")
UPLOAD_BROKEN_OFF = message("The upload was broken off; nothing was changed.")
NO_FILE = message("Choose the file of a backup first.")
TOO_LARGE = N_("The page takes {n} MB at most: restore it on the Pi, with companion restore.")
NOT_KEPT = N_("The backup after the last game could not be made: {use}")
STILL_PLAYED = N_("Game {field} is still being played; its record would show the face-down cards.")


class VerifiedBackup(msgspec.Struct, frozen=True):
    """A backup that waits for confirmation by its id, compared with this table."""

    id: str
    made: str
    games: int
    boxes: tuple[str, ...]
    wiring: bool
    config: bool
    """Whether there is a config in it, which stays in it."""
    foreign: bool
    """Whether none of its games is one of this table's."""
    goes_on: bool
    """Whether a game in it can still be played."""
    missing: int
    """Number of this table's games that are not in it."""


class BackupStatus(msgspec.Struct, frozen=True):
    """The running activity, the backup that waits for confirmation, and the last message."""

    doing: BackupActivity = ""
    proven: VerifiedBackup | None = None
    says: Message | None = None
    trouble: bool = False
    """Whether the last message is an error."""


class IncomingBackup:
    """A backup that is uploaded: an open file without a name."""

    def __init__(self, folder: Path, name: str, on_abort: Callable[[], object]) -> None:
        self.id, self.size, self.wrong = secrets.token_hex(8), 0, Message("")
        self.name = "".join(filter(str.isprintable, name))[:MAX_NAME_LENGTH] or "backup.zip"
        self.file: BinaryIO = tempfile.TemporaryFile(dir=folder, buffering=0)  # noqa: SIM115  Closed later.
        self.abort_upload = on_abort
        """End the upload, unless it was checked."""

    def write(self, chunk: bytes) -> None:
        """Append bytes; drop them once something is wrong."""
        self.size += len(chunk)
        if self.size > MAX_UPLOAD_SIZE:
            self.wrong = Message(TOO_LARGE, {"n": MAX_UPLOAD_SIZE >> 20})
        if not self.wrong.text:
            left = memoryview(chunk)
            try:
                while left:  # A nearly full disk writes a part of it.
                    left = left[self.file.write(left) :]
            except OSError:
                self.wrong = Message(DISK_FULL)


class BackedFolder(NamedTuple):
    """The data folder of a table, the other files of its backups, and the check of a backup."""

    path: Path
    config: Path | None
    checks: Mapping[str, archive.MemberCheck]
    """By member name: the check of its content."""
    titles: Mapping[str, str]
    """By member name of a deck: the title of its box."""


class Backups:
    """The backups of one table, whose `is_idle` says that no game is under way. Thread-safe.

    `restart` restarts the companion. `restore_finished` tells that a restore was completed at this
    start.
    """

    def __init__(
        self,
        folder: BackedFolder,
        is_idle: Callable[[], bool],
        notify: Callable[[], object],
        restore_finished: bool = False,
        restart: Callable[[], object] = lambda: None,
    ) -> None:
        self._at, self._is_idle, self._notify, self.restart = folder, is_idle, notify, restart
        self._status = BackupStatus(says=RESTORE_DONE if restore_finished else None)
        self._lock = threading.Lock()
        self._coming: IncomingBackup | None = None

    def status(self) -> BackupStatus:
        """Return the state for the host's page."""
        return self._status

    def keep(self) -> None:
        """Write the backup of today, and keep that of the day before; say if that fails."""
        try:
            self._write_daily()
        except (Malformed, JournalFailed) as error:
            with self._lock:
                said = Message(NOT_KEPT, {"use": _bad_backup(error).say})
                self._status = msgspec.structs.replace(self._status, says=said, trouble=True)
            self._notify()

    def _write_daily(self, check: archive.MemberCheck = lambda _journal: None) -> Path:
        target = self._at.path / BACKUPS / archive.daily_name(date.today())
        archive.write_backup(self._at.path, self._at.config, target, check)
        archive.remove_old_backups(target.parent, KEPT)
        return target

    def pack(self) -> BinaryIO | Refusal:
        """Write the backup of today, and open it to be carried away; blocks until it is ready."""
        refused = self._begin("packing")
        if refused is not None:
            return refused
        try:
            return self._write_daily(self._require_no_open_game).open("rb")
        except (Malformed, JournalFailed) as error:
            return _bad_backup(error)
        finally:
            self._end(BackupStatus(proven=self._status.proven))

    def _require_no_open_game(self, journal: Path) -> None:
        """Raise Malformed if a game in this journal can still be played, by a box that is here."""
        with closing(Journal(journal, read_only=True)) as opened:
            for game in opened.list_games():
                has_box = f"{archive.DECKS}/{game.game}.json" in self._at.titles
                if has_box and opened.is_open_game(game.id):
                    raise Malformed(game.id, STILL_PLAYED)

    # Upload and restore.

    def begin_upload(self, name: str) -> IncomingBackup | None:
        """Begin an upload of this file name; the one before is discarded. None if none can be
        received now."""
        if self._begin("coming") is not None:
            return None
        self._discard()
        try:
            coming = IncomingBackup(self._at.path, name, lambda: self._abort(coming))
        except OSError:
            self._end(BackupStatus(says=Message(DISK_FULL), trouble=True))
            return None
        self._coming = coming
        self._end(BackupStatus("coming"))
        return coming

    def _abort(self, coming: IncomingBackup) -> None:
        """Forget an upload that was broken off."""
        with self._lock:
            if coming is not self._coming or self._status.doing != "coming":
                return
            self._discard()
            self._status = BackupStatus(says=UPLOAD_BROKEN_OFF, trouble=True)
        self._notify()

    def check_upload(self, id: str) -> Refusal | None:
        """Unpack and verify an upload, and keep it for confirmation; blocks until it is done."""
        with self._lock:
            coming = self._coming
            if coming is None or coming.id != id or self._status.doing != "coming":
                return self._refuse() or Refusal("bad_backup", "T.host", NO_FILE)
            self._status = BackupStatus("proving")
        self._notify()
        status, refused = BackupStatus(), None
        try:
            if coming.wrong.text or not coming.size:
                return Refusal("bad_backup", "T.host", coming.wrong if coming.size else NO_FILE)
            coming.file.seek(0)
            found = restore.prepare_restore(
                coming.file, coming.name, self._at.path, self._at.checks
            )
            status = BackupStatus(proven=self._describe(id, found))
        except (Malformed, JournalFailed) as error:
            refused = _bad_backup(error)
        finally:
            coming.file.close()
            self._coming = None
            self._end(status)
        return refused

    def _describe(self, id: str, found: archive.Unpacked) -> VerifiedBackup:
        """Return the differences between the prepared state and this table's."""
        there = self._at.path / restore.PREPARING
        restore.take_config(self._at.path)
        with closing(Journal(there / JOURNAL, read_only=True)) as journal:
            theirs = {(game.id, game.game) for game in journal.list_games()}
            goes_on = any(journal.is_open_game(id) for id, _ in theirs)
        with closing(Journal(self._at.path / JOURNAL, read_only=True)) as journal:
            ours = {(game.id, game.game) for game in journal.list_games()}
        return VerifiedBackup(
            id=id,
            made=found.made,
            games=len(theirs),
            boxes=tuple(title for name, title in self._at.titles.items() if name in found.members),
            wiring=archive.WIRING in found.members,
            config=archive.CONFIG in found.members,
            foreign=bool(theirs and ours) and not theirs & ours,
            goes_on=goes_on,
            missing=len(ours - theirs),
        )

    def discard_upload(self) -> Refusal | None:
        """Discard the upload that waits for confirmation."""
        with self._lock:
            if self._status.doing:
                return _busy_refusal()
            self._discard()
            self._status = BackupStatus()
        self._notify()
        return None

    def restore(self, id: str) -> Refusal | None:
        """Make the backup of this id valid, and restart the table, which swaps it in."""
        with self._lock:
            proven = self._status.proven
            if proven is None or proven.id != id:
                text = "Another backup waits by now; look at it first."
                return refusal("other_backup", "T.host", text)
            refused = self._refuse()
            if refused is not None:
                return refused
            try:
                restore.confirm_restore(self._at.path)
            except Malformed as error:
                return _bad_backup(error)
            self._status = BackupStatus("restoring", proven)
        self._notify()
        self.restart()
        return None

    def close(self) -> None:
        """Delete an upload that was not confirmed."""
        with self._lock:
            if self._status.doing != "restoring":
                self._discard()
            self._status = BackupStatus("restoring")

    def _begin(self, activity: BackupActivity) -> Refusal | None:
        """Claim the single activity slot; return why not."""
        with self._lock:
            refused = self._refuse()
            if refused is None:
                self._status = BackupStatus(activity, self._status.proven)
        if refused is None:
            self._notify()
        return refused

    def _refuse(self) -> Refusal | None:
        if not self._is_idle():
            return refusal("under_way", "T.host", "A game is under way.")
        return _busy_refusal() if self._status.doing else None

    def _end(self, status: BackupStatus) -> None:
        with self._lock:
            self._status = status
        self._notify()

    def _discard(self) -> None:
        if self._coming is not None:
            self._coming.file.close()
        self._coming = None
        restore.discard_restore(self._at.path)


def _bad_backup(error: Malformed | JournalFailed) -> Refusal:
    """Return the page's version of an error, without folders."""
    return Refusal("bad_backup", "T.host", say_without_folder(error))


def _busy_refusal() -> Refusal:
    text = "Another backup is being packed or looked into just now; wait a moment."
    return refusal("busy", "T.host", text)
