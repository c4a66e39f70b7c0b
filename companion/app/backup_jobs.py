"""The vault: the safe of one table, in its data folder.

Laws: one thing at a time is done, and what takes long is done apart. A restore that was agreed to
begins only when wires and server are closed, and only if nothing was played or set up since it was
prepared.
"""

import shutil
import subprocess
import threading
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from companion.app.backup_worker import (
    ENDED,
    FULL,
    Answer,
    Job,
    Pack,
    Prepare,
    Prove,
    begun,
    ended,
)
from companion.app.settings import config_path
from companion.app.temp_files import Incoming, Outgoing
from companion.backup import Stand, agree, daily, stand, take_back
from companion.backup.service import Coming, Doing, Inside, Packed, Proven
from companion.core.errors import Refusal, refusal
from companion.core.i18n import Message, message
from companion.journal import Journal
from companion.table.table import Table

ROOM = ".safe"
"""Where it is worked, in the data folder; emptied at every start."""
DONE = message("The backup is restored. What was here before is kept as a backup, too.")
BROKEN_OFF = message("The restore was broken off: everything is as it was.")
NOTHING_CAME = message("The upload was broken off; nothing was changed.")
CHANGED = message("Something was played or set up meanwhile: nothing was restored.")
NO_FILE = message("Choose the file of a backup first.")


class Vault:
    """The safe of a table. `again` has the table begin anew; `came` says whether a restore was
    finished at this start, or broken off before it."""

    def __init__(
        self, table: Table, journal: Journal, folder: Path, came: bool | None = None
    ) -> None:
        self._table, self._journal, self._folder = table, journal, folder
        self.again: Callable[[], object] = lambda: None
        says = None if came is None else DONE if came else BROKEN_OFF
        self._inside = Inside(says=says, trouble=came is False)
        self._busy = threading.Lock()
        self._came: Incoming | None = None
        self.process: subprocess.Popen[bytes] | None = None
        """In which something is done apart just now."""
        self._closed = False
        self._since: tuple[tuple[int, str], Stand] | None = None
        self._ready = False
        shutil.rmtree(folder / ROOM, ignore_errors=True)

    def inside(self) -> Inside:
        """How it is with the safe."""
        return self._inside

    # Out.

    def pack(self) -> Packed | Refusal:
        """A backup of everything but the PIN."""
        refused = self._begin("packing")
        if refused is not None:
            return refused
        now = datetime.now().astimezone()
        config, to = config_path(self._folder), self._folder / ROOM / daily(now.date())
        made = now.isoformat("T", "seconds")
        try:
            answer = self._apart(
                Pack(str(self._folder), str(config) if config else None, str(to), made)
            )
            return _refused(answer.wrong) if answer.wrong else Outgoing(to)
        finally:
            to.unlink(missing_ok=True)
            self._is(Inside(proven=self._inside.proven))

    # In.

    def receive(self, name: str) -> Coming | None:
        """A place for a backup of this name; what came before it is thrown away."""
        if self._begin("coming") is not None:
            return None
        self._forget()
        try:
            self._came = Incoming(self._folder / ROOM, name, self._broken_off)
        except OSError:
            self._is(Inside(says=message(FULL), trouble=True))
            return None
        self._is(Inside("coming"))
        return self._came

    def _broken_off(self, coming: Incoming) -> None:
        """What was coming does so no longer."""
        with self._busy:
            if coming is not self._came or self._inside.doing != "coming":
                return
            self._forget()
            self._inside = Inside(says=NOTHING_CAME, trouble=True)
        self._table.notify_watchers()

    def prove(self, id: str) -> Refusal | None:
        """Prove what came, and have it wait for a yes."""
        with self._busy:
            came = self._came
            mine = came is not None and came.id == id and self._inside.doing == "coming"
            if mine:
                self._inside = Inside("proving")
        if came is None or not mine:
            return self._why_not() or _refused(NO_FILE)
        wrong = came.wrong if came.wrong.text else None if came.size else NO_FILE
        found = None
        if wrong is None:
            self._table.notify_watchers()
            room = self._folder / ROOM / "proving"
            answer = self._apart(Prove(str(self._folder), str(room), came.name), came.file)
            wrong, found = answer.wrong, answer.found
            shutil.rmtree(room, ignore_errors=True)
        self._is(Inside(proven=Proven(id, found) if found else None), forget=found is None)
        return _refused(wrong) if wrong else None

    def leave(self) -> Refusal | None:
        """Put nothing back; what waits is thrown away."""
        with self._busy:
            if self._inside.doing:
                return _busy()
            self._forget()
            self._inside = Inside()
        self._table.notify_watchers()
        return None

    def restore(self, id: str) -> Refusal | None:
        """Put back what waits: it is prepared, and then the table begins anew."""
        with self._busy:
            proven, came = self._inside.proven, self._came
            if proven is None or proven.id != id or came is None:
                text = "Another backup waits by now; look at it first."
                return refusal("other_backup", "T.host", text)
            refused = self._why_not()
            if refused is not None:
                return refused
            self._inside = Inside("restoring", proven)
        self._table.notify_watchers()
        self._since = self._state()
        threading.Thread(target=self._prepare, args=(came,), name="restore", daemon=True).start()
        return None

    def _prepare(self, came: Incoming) -> None:
        stamp = f"{datetime.now():%Y-%m-%d-%H%M%S}"
        answer = self._apart(Prepare(str(self._folder), came.name, stamp), came.file)
        try:
            wrong = answer.wrong or (None if self._unchanged() else CHANGED)
        except OSError:  # Nobody can say whether anything has changed.
            wrong = CHANGED
        if wrong is None:
            self._ready = True
            self.again()
            return
        take_back(self._folder)
        self._is(Inside(says=wrong, trouble=True), forget=True)

    # In the end.

    def close(self) -> None:
        """Nobody waits any longer for what is done apart."""
        with self._busy:
            self._closed = True
            self._forget()
            if self.process is not None:
                self.process.kill()

    def begins_anew(self) -> bool:
        """Whether the table begins anew; wires and server are closed, and the journal is next."""
        if self._ready and self._unchanged():
            agree(self._folder)
        return self._ready

    # How that is done.

    def _begin(self, doing: Doing) -> Refusal | None:
        """Do this and nothing else from now on, if it can be."""
        with self._busy:
            refused = self._why_not()
            if refused is None:
                self._inside = Inside(doing, self._inside.proven)
        if refused is None:
            self._table.notify_watchers()
        return refused

    def _why_not(self) -> Refusal | None:
        if not self._table.history.is_over:
            return refusal("under_way", self._table.rules.start_rule, "A game is under way.")
        return _busy() if self._inside.doing or self._closed else None

    def _is(self, inside: Inside, forget: bool = False) -> None:
        with self._busy:
            if forget:
                self._forget()
            self._inside = inside
        self._table.notify_watchers()

    def _apart(self, job: Job, file: BinaryIO | None = None) -> Answer:
        """Have it done in a process of its own, and wait for that."""
        with self._busy:
            if self._closed:
                return Answer(wrong=BROKEN_OFF)
            try:
                self.process = begun(job, file)
            except OSError:
                return Answer(wrong=message(ENDED))
        try:
            return ended(self.process)
        finally:
            self.process = None

    def _forget(self) -> None:
        """Nothing has come."""
        if self._came is not None:
            self._came.file.close()
        self._came = None

    def _state(self) -> tuple[tuple[int, str], Stand]:
        """By which one sees that something was played or set up."""
        return self._journal.end, stand(self._folder)

    def _unchanged(self) -> bool:
        return self._table.history.is_over and self._since == self._state()


def _refused(why: Message) -> Refusal:
    return Refusal("bad_backup", "T.host", why)


def _busy() -> Refusal:
    text = "Another backup is being packed or looked into just now; wait a moment."
    return refusal("busy", "T.host", text)
