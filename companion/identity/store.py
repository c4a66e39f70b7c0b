"""Identity store: browsers, seats, host sessions, the PIN and the key for cookies.

Laws: a change is on disk before the method returns, and memory holds exactly what disk holds; what
cannot be written raises NotWritten and changes neither. MaybeWritten is raised only where the disk
failed so late that nothing more can be told. Reading never waits for the disk, but for the PIN,
which another process may change. A visitor costs neither a row nor a write.
"""

import secrets
import sqlite3
import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from companion.core.durable_files import MAYBE_SENTENCE, remove_file
from companion.core.errors import MaybeWritten, NotWritten
from companion.core.i18n import N_, Message
from companion.identity.open import (
    FREE_ALL_MARK,
    OpenedIdentity,
    describe_disk,
    is_damage,
    open_beside_companion,
    open_identity,
    open_in_memory,
    replace_broken_file,
)
from companion.identity.schema import (
    INSERT_SEAT,
    READ_ERRORS,
    SET_FIRST_PIN,
    SET_PIN,
    DamagedIdentity,
    Statement,
    create_file,
    journal_path,
    open_sound,
    read_state,
)
from companion.identity.state import PUBLIC_KEY_SIZE, Browser, IdentityState, StoredPin, new_state
from companion.seating.seat_map import SeatHolder

MAX_BROWSERS = 1000
"""Rows kept; beyond that, the browser goes that changed longest ago, unless it has a seat or has
ever signed in."""

STOPPING = N_("The companion is being stopped: nothing was changed.")
COUNT_CHANGE = "UPDATE change SET n = n + 1"
KNOW_BROWSER = (
    "INSERT INTO browser SELECT ?, n, '', x'', 0 FROM change WHERE true"
    " ON CONFLICT (id) DO UPDATE SET used = excluded.used"
)
SET_KEY = (
    "UPDATE browser SET public_key = ?, counter_ceiling = max(counter_ceiling, ?) WHERE id = ?"
)
FORGET_OLDEST = (
    "DELETE FROM browser WHERE id IN (SELECT id FROM browser"
    " WHERE id NOT IN (SELECT browser FROM seat UNION SELECT hands FROM seat)"
    " AND id NOT IN (SELECT browser FROM host_session)"
    " ORDER BY used DESC LIMIT -1 OFFSET ?)"
)
END_OLDER_SESSIONS = "UPDATE host_session SET generation = '' WHERE generation <> ?"
FORGET_SESSIONS = "DELETE FROM host_session WHERE browser NOT IN (SELECT id FROM browser)"


class IdentityStore:
    """The identity of one table, in a file, or without a path in memory.

    `beside_companion` opens a file that a running companion has open. Thread-safe.
    """

    def __init__(
        self,
        path: Path | None = None,
        *,
        beside_companion: bool = False,
        max_browsers: int = MAX_BROWSERS,
    ) -> None:
        self._path = path
        self._tidy = ((FORGET_OLDEST, (max_browsers,)), (FORGET_SESSIONS, ()))
        self._lock, self._is_closed = threading.RLock(), False
        opened = (
            open_in_memory(new_state())
            if path is None
            else open_beside_companion(path)
            if beside_companion
            else open_identity(path)
        )
        self._use(opened)
        self.notices: tuple[Message, ...] = opened.notices
        if not beside_companion:
            self._free_all_after_restore()

    def _use(self, opened: OpenedIdentity) -> None:
        self._disk, self._state, _, self._fault = opened
        self._seen_version = self._data_version()

    def _free_all_after_restore(self) -> None:
        """Obey the mark that a restore has left; while that fails, nothing can be written."""
        try:
            self._obey_free_all_mark()
        except (NotWritten, OSError) as error:
            freed = msgspec.structs.replace(self._state, seats={}, host_sessions={})
            self._use(open_in_memory(freed, describe_disk(_as_disk_error(error))))

    def _obey_free_all_mark(self) -> None:
        mark = None if self._path is None else self._path.with_name(FREE_ALL_MARK)
        if mark is not None and mark.exists():
            self.free_all(secrets.token_hex(8))
            remove_file(mark)

    def close(self) -> None:
        """Release the file."""
        with self._lock:
            self._is_closed = True
            self._disk.close()

    # Reading.

    @property
    def state(self) -> IdentityState:
        """Everything that is kept, as of the last write."""
        return self._state

    @property
    def cookie_key(self) -> bytes:
        """The key that signs the cookies of this table."""
        return self._state.cookie_key

    def knows_browser(self, browser: str) -> bool:
        """Return whether there is a row for this browser."""
        return browser in self._state.browsers

    def seats(self) -> Mapping[int, SeatHolder]:
        """Return who sits where."""
        return self._state.seats

    def language_of(self, browser: str) -> str:
        """Return the language that this browser chose; empty if none is kept here."""
        return self._browser(browser).language

    def public_key(self, browser: str) -> bytes | None:
        """Return the key that this browser registered: 32 bytes, or None."""
        return self._browser(browser).public_key or None

    def browser_of_key(self, key: bytes) -> str | None:
        """Return the browser that registered this key; None if none did."""
        known = self._state.browsers.items()
        return next((id for id, browser in known if browser.public_key == key), None)

    def counter_ceiling(self, browser: str) -> int:
        """Return the number that the counter of this browser's signatures may have reached."""
        return self._browser(browser).counter_ceiling

    def host_generation(self, browser: str) -> str | None:
        """Return the generation of the PIN with which this browser signed in.

        It is empty if that session has ended, None if the browser has never signed in.
        """
        return self._state.host_sessions.get(browser)

    def pin(self) -> StoredPin | None:
        """Return the stored PIN, also one that another process has just made."""
        if self._lock.acquire(blocking=False):  # A writer that syncs has the newest itself.
            try:
                self._reread_if_changed()
            finally:
                self._lock.release()
        return self._state.pin

    def _browser(self, browser: str) -> Browser:
        return self._state.browsers.get(browser) or Browser(used=0)

    def _reread_if_changed(self) -> None:
        with suppress(*READ_ERRORS):  # Then what was read last counts on.
            version = self._data_version()
            if version != self._seen_version:
                self._state = read_state(self._disk)
                self._seen_version = version

    def _data_version(self) -> int:
        return int(self._disk.execute("PRAGMA data_version").fetchone()[0])

    # Writing.

    def save_seats(self, holders: Mapping[int, SeatHolder]) -> None:
        """Save who sits where, all seats at once."""
        sitting = sorted({b for who in holders.values() for b in (who.browser, who.hands) if b})
        self._write(
            ("DELETE FROM seat", ()),
            *((INSERT_SEAT, (n, who.browser, who.name, who.hands)) for n, who in holders.items()),
            *((KNOW_BROWSER, (browser,)) for browser in sitting),
            *self._tidy,
        )

    def save_pin(self, pin: StoredPin, signed_in: str = "") -> None:
        """Save the PIN; sessions of another generation end, that of one browser may begin."""
        self._write(
            (SET_PIN, (pin.salt, pin.hash, pin.generation)),
            (END_OLDER_SESSIONS, (pin.generation,)),
            *(self._session_statements(signed_in, pin.generation) if signed_in else ()),
        )

    def save_first_pin(self, pin: StoredPin) -> StoredPin:
        """Save the PIN unless there is one, of another process too; return the one that counts."""
        self._write((SET_FIRST_PIN, (pin.salt, pin.hash, pin.generation)))
        return self._state.pin or pin

    def save_host_session(self, browser: str, generation: str) -> None:
        """Save that this browser signed in with this generation of the PIN, or out with ""."""
        self._write(*self._session_statements(browser, generation))

    def _session_statements(self, browser: str, generation: str) -> list[Statement]:
        sql = "INSERT OR REPLACE INTO host_session VALUES (?, ?)"
        return [(KNOW_BROWSER, (browser,)), (sql, (browser, generation)), *self._tidy]

    def save_language(self, browser: str, language: str) -> None:
        """Save the language of a browser that has a row; of another one nothing is kept."""
        if self.knows_browser(browser) and self.language_of(browser) != language:
            self._write(("UPDATE browser SET language = ? WHERE id = ?", (language, browser)))

    def bind_key(self, browser: str, key: bytes, ceiling: int = 0) -> bool:
        """Register the public key of a browser, and let its counter reach the ceiling; return False
        if it has another key already."""
        if len(key) != PUBLIC_KEY_SIZE:
            raise ValueError("a public key has 32 bytes")
        with self._lock:
            bound = self.public_key(browser)
            if bound is None:
                self._write(
                    (KNOW_BROWSER, (browser,)), (SET_KEY, (key, ceiling, browser)), *self._tidy
                )
            return bound in (None, key)

    def raise_counter_ceiling(self, browser: str, to: int) -> None:
        """Let the counter of this browser's signatures reach this number; never lower it."""
        sql = "UPDATE browser SET counter_ceiling = max(counter_ceiling, ?) WHERE id = ?"
        if self.counter_ceiling(browser) < to:
            self._write((KNOW_BROWSER, (browser,)), (sql, (to, browser)), *self._tidy)

    def free_all(self, generation: str) -> None:
        """Free all seats and end all host sessions; the PIN gets this generation."""
        self._write(
            ("DELETE FROM seat", ()),
            ("UPDATE host_session SET generation = ''", ()),
            ("UPDATE pin SET generation = ?", (generation,)),
        )

    def _write(self, *changes: Statement) -> None:
        """Write all of it or nothing; keep in memory what was written."""
        with self._lock:
            if self._is_closed:  # A late request, while the companion is being stopped.
                raise NotWritten("identity", STOPPING)
            self._reopen_if_faulty()
            try:
                self._commit(changes)
            except (sqlite3.Error, DamagedIdentity, UnicodeDecodeError) as error:
                self._recover(error, changes)
            except BaseException:  # A value that no database takes.
                self._disk.execute("ROLLBACK")
                raise

    def _commit(self, statements: Iterable[Statement]) -> None:
        disk = self._disk
        disk.execute("BEGIN IMMEDIATE")
        disk.execute(COUNT_CHANGE)
        for sql, values in statements:
            disk.execute(sql, values)
        written = read_state(disk)
        disk.execute("COMMIT")
        self._state = written

    def _recover(self, error: Exception, changes: Sequence[Statement]) -> None:
        """After a failed write, go on with what is on disk; raise unless it was written at last."""
        self._disk.close()
        before = self._state.changes
        try:
            assert self._path is not None
            self._use(OpenedIdentity(*open_sound(self._path)))
        except READ_ERRORS as again:
            if is_damage(again):
                self._replace_broken_file()
                return self._commit_again(changes, error)
            self._leave_unopened(error)
        if self._state.changes == before:
            raise _not_written(error)
        return self._commit_again((), error)  # It is there, but may not be safe: write once more.

    def _commit_again(self, changes: Sequence[Statement], error: Exception) -> None:
        try:
            self._commit(changes)
        except (sqlite3.Error, DamagedIdentity) as again:
            with suppress(sqlite3.Error):
                self._disk.execute("ROLLBACK")
            raise (_not_written(again) if changes else _maybe_written()) from error

    def _leave_unopened(self, error: Exception) -> None:
        """Refuse writes until the file can be opened; a rollback journal takes back what failed."""
        assert self._path is not None
        self._use(open_in_memory(self._state, describe_disk(sqlite3.OperationalError())))
        with suppress(OSError):
            if journal_path(self._path).stat().st_size:
                raise _not_written(error)
        raise _maybe_written()

    def _reopen_if_faulty(self) -> None:
        """Open the file again, which could not be opened when it was tried last."""
        if self._fault is None or self._path is None:
            return
        try:
            if not self._path.exists():
                create_file(self._path, self._state)
            self._use(OpenedIdentity(*open_sound(self._path)))
            self._obey_free_all_mark()
        except (OSError, *READ_ERRORS):
            raise NotWritten(self._path.name, self._fault.text, **self._fault.facts) from None

    def _replace_broken_file(self) -> None:
        """Put a file aside that broke while it was open; all of it is still in memory."""
        assert self._path is not None
        try:
            replace_broken_file(self._path, self._state)
            self._use(OpenedIdentity(*open_sound(self._path)))
        except (OSError, *READ_ERRORS) as error:
            self._use(open_in_memory(self._state, describe_disk(_as_disk_error(error))))
            raise _not_written(error) from None


def _as_disk_error(error: Exception) -> OSError | sqlite3.Error:
    return (
        error if isinstance(error, OSError | sqlite3.Error) else sqlite3.DatabaseError(str(error))
    )


def _not_written(error: Exception) -> NotWritten:
    say = describe_disk(_as_disk_error(error))
    return NotWritten("identity", say.text, **say.facts)


def _maybe_written() -> MaybeWritten:
    return MaybeWritten("identity", MAYBE_SENTENCE)
