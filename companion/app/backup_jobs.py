"""Backup jobs of one table: pack, receive, verify and restore, one at a time.

Laws: long work runs in a worker process. A confirmed restore is swapped in only once wires and
server are closed, and only if nothing was played or set up since it was prepared.
"""

import logging
import shutil
import subprocess
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import BinaryIO

from msgspec.structs import replace

from companion.app.backup_worker import (
    DISK_FULL,
    WORKER_FAILED,
    CheckJob,
    Job,
    PackJob,
    PrepareJob,
    WorkerReply,
    start_worker,
    wait_for_reply,
)
from companion.app.settings import config_path
from companion.app.temp_files import IncomingFile, OutgoingFile
from companion.backup import (
    FolderState,
    confirm_restore,
    daily_name,
    discard_restore,
    read_folder_state,
)
from companion.backup.last_copy import (
    LastCopy,
    describe_last_copy,
    load_last_copy,
    save_last_copy,
)
from companion.backup.service import (
    BackupActivity,
    BackupStatus,
    IncomingBackup,
    OutgoingBackup,
    PendingRestore,
    describe_upload_limit,
)
from companion.core.errors import NotWritten, Refusal, refusal
from companion.core.i18n import Message, message
from companion.core.log_lines import log_line
from companion.journal import Journal, JournalFailed
from companion.table.table import Table

LOG = logging.getLogger("companion.app")
WORK_FOLDER = ".safe"
"""The work folder in the data folder; emptied at every start."""
RESTORE_DONE = message("The backup is restored. What was here before is kept as a backup, too.")
RESTORE_BROKEN_OFF = message("The restore was broken off: everything is as it was.")
UPLOAD_BROKEN_OFF = message("The upload was broken off; nothing was changed.")
TABLE_CHANGED = message("Something was played or set up meanwhile: nothing was restored.")
NO_FILE = message("Choose the file of a backup first.")


class BackupJobs:
    """The backup service of one table; `restart` restarts the companion.

    `restore_finished` tells whether a restore was completed at this start or broken off before.
    """

    def __init__(
        self,
        table: Table,
        journal: Journal,
        folder: Path,
        restore_finished: bool | None = None,
        restart: Callable[[], object] = lambda: None,
    ) -> None:
        self._table, self._journal, self._folder = table, journal, folder
        self.restart = restart
        says = (
            None
            if restore_finished is None
            else RESTORE_DONE
            if restore_finished
            else RESTORE_BROKEN_OFF
        )
        self._status = BackupStatus(says=says, trouble=restore_finished is False)
        self._lock = threading.Lock()
        self._incoming: IncomingFile | None = None
        self.process: subprocess.Popen[bytes] | None = None
        """The worker process that runs now."""
        self._closed = False
        self._prepared_state: tuple[tuple[int, str], FolderState] | None = None
        self._ready = False
        shutil.rmtree(folder / WORK_FOLDER, ignore_errors=True)

    def status(self) -> BackupStatus:
        return replace(self._status, last_copy=self._describe_last_copy())

    def _describe_last_copy(self) -> Message:
        copy, games = load_last_copy(self._folder), None
        if copy is not None:
            with suppress(JournalFailed):
                games = self._table.played.count_since(copy.n, copy.chain)
        return describe_last_copy(copy, games)

    # Download.

    def pack(self) -> OutgoingBackup | Refusal:
        """Pack a backup of everything but seats and hosts."""
        refused = self._start_activity("packing")
        if refused is not None:
            return refused
        now = datetime.now().astimezone()
        config, to = config_path(self._folder), self._folder / WORK_FOLDER / daily_name(now.date())
        copy = LastCopy(now.isoformat("T", "seconds"), *self._journal.end)
        says = None
        try:
            reply = self._run_in_worker(
                PackJob(str(self._folder), str(config) if config else None, str(to), copy.made)
            )
            LOG.info(log_line("backup_packed", ok=not reply.wrong))
            if reply.wrong:
                return _bad_backup(reply.wrong)
            says = describe_upload_limit(to.stat().st_size)
            return OutgoingFile(to, partial(self._note_copy, copy))
        finally:
            to.unlink(missing_ok=True)
            self._set_status(BackupStatus(proven=self._status.proven, says=says))

    def _note_copy(self, copy: LastCopy) -> None:
        """Keep that a backup was downloaded to its end; the page says if that cannot be kept."""
        try:
            save_last_copy(self._folder, copy)
        except NotWritten as error:
            LOG.warning(log_line("last_copy_not_written"))
            with self._lock:
                self._status = replace(self._status, says=error.say, trouble=True)
        self._table.notify_watchers()

    # Upload and restore.

    def begin_upload(self, name: str) -> IncomingBackup | None:
        """Begin an upload of this file name; the one before is discarded."""
        if self._start_activity("coming") is not None:
            return None
        self._drop_upload()
        try:
            self._incoming = IncomingFile(self._folder / WORK_FOLDER, name, self._upload_aborted)
        except OSError:
            self._set_status(BackupStatus(says=message(DISK_FULL), trouble=True))
            return None
        self._set_status(BackupStatus("coming"))
        return self._incoming

    def _upload_aborted(self, incoming: IncomingFile) -> None:
        """Forget an upload that was broken off."""
        with self._lock:
            if incoming is not self._incoming or self._status.doing != "coming":
                return
            self._drop_upload()
            self._status = BackupStatus(says=UPLOAD_BROKEN_OFF, trouble=True)
        self._table.notify_watchers()

    def check_upload(self, id: str) -> Refusal | None:
        """Verify the upload in a worker; on success keep it for confirmation."""
        with self._lock:
            incoming = self._incoming
            is_current = (
                incoming is not None and incoming.id == id and self._status.doing == "coming"
            )
            if is_current:
                self._status = BackupStatus("proving")
        if incoming is None or not is_current:
            return self._refusal_now() or _bad_backup(NO_FILE)
        wrong = incoming.wrong if incoming.wrong.text else None if incoming.size else NO_FILE
        contents = None
        if wrong is None:
            self._table.notify_watchers()
            work_folder = self._folder / WORK_FOLDER / "proving"
            reply = self._run_in_worker(
                CheckJob(str(self._folder), str(work_folder), incoming.name), incoming.file
            )
            wrong, contents = reply.wrong, reply.contents
            shutil.rmtree(work_folder, ignore_errors=True)
        self._set_status(
            BackupStatus(proven=PendingRestore(id, contents) if contents else None),
            drop_upload=contents is None,
        )
        LOG.info(log_line("backup_checked", ok=not wrong))
        return _bad_backup(wrong) if wrong else None

    def discard_upload(self) -> Refusal | None:
        """Discard the upload that waits for confirmation."""
        with self._lock:
            if self._status.doing:
                return _busy_refusal()
            self._drop_upload()
            self._status = BackupStatus()
        self._table.notify_watchers()
        return None

    def restore(self, id: str) -> Refusal | None:
        """Prepare the restore in a thread, then restart the table."""
        with self._lock:
            proven, incoming = self._status.proven, self._incoming
            if proven is None or proven.id != id or incoming is None:
                text = "Another backup waits by now; look at it first."
                return refusal("other_backup", "T.host", text)
            refused = self._refusal_now()
            if refused is not None:
                return refused
            self._status = BackupStatus("restoring", proven)
        self._table.notify_watchers()
        self._prepared_state = self._read_state()
        threading.Thread(
            target=self._prepare_restore, args=(incoming,), name="restore", daemon=True
        ).start()
        return None

    def _prepare_restore(self, incoming: IncomingFile) -> None:
        stamp = f"{datetime.now():%Y-%m-%d-%H%M%S}"
        reply = self._run_in_worker(
            PrepareJob(str(self._folder), incoming.name, stamp), incoming.file
        )
        try:
            wrong = reply.wrong or (None if self._is_unchanged() else TABLE_CHANGED)
        except OSError:  # A file cannot be read: treat it as changed.
            wrong = TABLE_CHANGED
        LOG.info(log_line("restore_prepared", ok=not wrong))
        if wrong is None:
            self._ready = True
            self.restart()
            return
        discard_restore(self._folder)
        self._set_status(BackupStatus(says=wrong, trouble=True), drop_upload=True)

    # Shutdown.

    def close(self) -> None:
        """Kill the worker process; a pending call returns that it was broken off."""
        with self._lock:
            self._closed = True
            self._drop_upload()
            if self.process is not None:
                self.process.kill()

    def commit_restore(self) -> bool:
        """Make a prepared restore valid, and return whether the table restarts for it.

        Call it when wires and server are closed and the journal is not.
        """
        if self._ready and self._is_unchanged():
            confirm_restore(self._folder)
        return self._ready

    # Inner workings.

    def _start_activity(self, activity: BackupActivity) -> Refusal | None:
        """Claim the single activity slot; return why not."""
        with self._lock:
            refused = self._refusal_now()
            if refused is None:
                self._status = BackupStatus(activity, self._status.proven)
        if refused is None:
            self._table.notify_watchers()
        return refused

    def _refusal_now(self) -> Refusal | None:
        if not self._table.history.is_over:
            return refusal("under_way", self._table.rules.start_rule, "A game is under way.")
        return _busy_refusal() if self._status.doing or self._closed else None

    def _set_status(self, status: BackupStatus, drop_upload: bool = False) -> None:
        with self._lock:
            if drop_upload:
                self._drop_upload()
            self._status = status
        self._table.notify_watchers()

    def _run_in_worker(self, job: Job, file: BinaryIO | None = None) -> WorkerReply:
        """Run a job in a worker process and wait for its reply."""
        with self._lock:
            if self._closed:
                return WorkerReply(wrong=RESTORE_BROKEN_OFF)
            try:
                self.process = start_worker(job, file)
            except OSError:
                return WorkerReply(wrong=message(WORKER_FAILED))
        try:
            return wait_for_reply(self.process)
        finally:
            self.process = None

    def _drop_upload(self) -> None:
        if self._incoming is not None:
            self._incoming.file.close()
        self._incoming = None

    def _read_state(self) -> tuple[tuple[int, str], FolderState]:
        """Return a value that differs once something was played or set up."""
        return self._journal.end, read_folder_state(self._folder)

    def _is_unchanged(self) -> bool:
        return self._table.history.is_over and self._prepared_state == self._read_state()


def _bad_backup(why: Message) -> Refusal:
    return Refusal("bad_backup", "T.host", why)


def _busy_refusal() -> Refusal:
    text = "Another backup is being packed or looked into just now; wait a moment."
    return refusal("busy", "T.host", text)
