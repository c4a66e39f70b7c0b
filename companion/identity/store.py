"""Identity store: browsers, seats, hosts and the key for cookies.

Laws: a change is on disk before the method returns, and memory holds exactly what disk holds; what
cannot be written raises NotWritten and changes neither. MaybeWritten is raised only where the disk
failed so late that nothing more can be told. Reading never waits for the disk. A visitor costs
neither a row nor a write.
"""

import sqlite3
import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing, suppress
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
    open_identity,
    replace_broken_file,
)
from companion.identity.schema import (
    INSERT_SEAT,
    READ_ERRORS,
    DamagedIdentity,
    Statement,
    connect,
    create_file,
    create_tables,
    journal_path,
    open_sound,
    read_state,
)
from companion.identity.state import PUBLIC_KEY_SIZE, Browser, HostBy, IdentityState, new_state
from companion.seating.seat_map import SeatHolder

MAX_BROWSERS = 1000
"""Rows kept; beyond that, the browser goes that changed longest ago, unless it has a seat or is a
host's."""

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
    " AND id NOT IN (SELECT browser FROM host)"
    " ORDER BY used DESC LIMIT -1 OFFSET ?)"
)
ADD_HOST = "INSERT INTO host VALUES (?, ?) ON CONFLICT (browser) DO NOTHING"


class IdentityStore:
    """The identity of one table, in a file, or without a path in memory, where nothing has to be
    closed. Thread-safe."""

    def __init__(self, path: Path | None = None, *, max_browsers: int = MAX_BROWSERS) -> None:
        self._path = path
        self._tidy = (FORGET_OLDEST, (max_browsers,))
        self._lock, self._is_closed = threading.RLock(), False
        opened = OpenedIdentity(None, new_state()) if path is None else open_identity(path)
        self._use(opened)
        self.notices: tuple[Message, ...] = opened.notices
        self._free_all_after_restore()

    def _use(self, opened: OpenedIdentity) -> None:
        self._disk, self._state, _, self._fault = opened

    def _free_all_after_restore(self) -> None:
        """Obey the mark that a restore has left; while that fails, nothing can be written."""
        try:
            self._obey_free_all_mark()
        except (NotWritten, OSError) as error:
            freed = msgspec.structs.replace(self._state, seats={}, hosts={})
            self._close_disk()
            self._use(OpenedIdentity(None, freed, (), describe_disk(_as_disk_error(error))))

    def _obey_free_all_mark(self) -> None:
        mark = None if self._path is None else self._path.with_name(FREE_ALL_MARK)
        if mark is not None and mark.exists():
            self.free_all()
            remove_file(mark)

    def close(self) -> None:
        """Release the file."""
        with self._lock:
            self._is_closed = True
            self._close_disk()

    def _close_disk(self) -> None:
        if self._disk is not None:
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

    def hosts(self) -> Mapping[str, HostBy]:
        """Return the browsers of hosts, and by what each became one."""
        return self._state.hosts

    def _browser(self, browser: str) -> Browser:
        return self._state.browsers.get(browser) or Browser(used=0)

    # Writing.

    def save_seats(self, holders: Mapping[int, SeatHolder]) -> None:
        """Save who sits where, all seats at once."""
        sitting = sorted({b for who in holders.values() for b in (who.browser, who.hands) if b})
        self._write(
            ("DELETE FROM seat", ()),
            *((INSERT_SEAT, (n, who.browser, who.name, who.hands)) for n, who in holders.items()),
            *((KNOW_BROWSER, (browser,)) for browser in sitting),
            self._tidy,
        )

    def add_host(self, browser: str, made_by: HostBy) -> None:
        """Save that this browser is a host's; one that is already stays what it is."""
        self._write((KNOW_BROWSER, (browser,)), (ADD_HOST, (browser, made_by)), self._tidy)

    def remove_host(self, browser: str) -> None:
        """Save that this browser is a host's no more."""
        self._write(("DELETE FROM host WHERE browser = ?", (browser,)))

    def remove_hosts(self, made_by: HostBy | None = None) -> None:
        """Save that no browser is a host's, or none that was made one by this."""
        self._write(("DELETE FROM host WHERE ? IN (made_by, '')", (made_by or "",)))

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
                    (KNOW_BROWSER, (browser,)), (SET_KEY, (key, ceiling, browser)), self._tidy
                )
            return bound in (None, key)

    def raise_counter_ceiling(self, browser: str, to: int) -> None:
        """Let the counter of this browser's signatures reach this number; never lower it."""
        sql = "UPDATE browser SET counter_ceiling = max(counter_ceiling, ?) WHERE id = ?"
        if self.counter_ceiling(browser) < to:
            self._write((KNOW_BROWSER, (browser,)), (sql, (to, browser)), self._tidy)

    def free_all(self) -> None:
        """Free all seats and sign all hosts out."""
        self._write(("DELETE FROM seat", ()), ("DELETE FROM host", ()))

    def _write(self, *changes: Statement) -> None:
        """Write all of it or nothing; keep in memory what was written."""
        with self._lock:
            if self._is_closed:  # A late request, while the companion is being stopped.
                raise NotWritten("identity", STOPPING)
            self._reopen_if_faulty()
            if self._disk is None:
                with closing(connect(None)) as memory:
                    create_tables(memory, self._state)
                    return self._commit(memory, changes)
            try:
                self._commit(self._disk, changes)
            except (sqlite3.Error, DamagedIdentity, UnicodeDecodeError) as error:
                self._recover(error, changes)
            except BaseException:  # A value that no database takes.
                self._disk.execute("ROLLBACK")
                raise

    def _commit(self, disk: sqlite3.Connection, statements: Iterable[Statement]) -> None:
        disk.execute("BEGIN IMMEDIATE")
        disk.execute(COUNT_CHANGE)
        for sql, values in statements:
            disk.execute(sql, values)
        written = read_state(disk)
        disk.execute("COMMIT")
        self._state = written

    def _recover(self, error: Exception, changes: Sequence[Statement]) -> None:
        """After a failed write, go on with what is on disk; raise unless it was written at last."""
        self._close_disk()
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
        disk = self._disk
        assert disk is not None
        try:
            self._commit(disk, changes)
        except (sqlite3.Error, DamagedIdentity) as again:
            with suppress(sqlite3.Error):
                disk.execute("ROLLBACK")
            raise (_not_written(again) if changes else _maybe_written()) from error

    def _leave_unopened(self, error: Exception) -> None:
        """Refuse writes until the file can be opened; a rollback journal takes back what failed."""
        assert self._path is not None
        self._use(OpenedIdentity(None, self._state, (), describe_disk(sqlite3.OperationalError())))
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
            self._use(OpenedIdentity(None, self._state, (), describe_disk(_as_disk_error(error))))
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
