"""Identity: browsers with their keys, seats, hosts, the key for cookies; and the signed text of a
request.

Laws: a change is on disk before the method returns, and memory holds exactly what disk holds; what
cannot be written raises NotWritten and changes neither. MaybeWritten is raised only where the disk
failed so late that nothing more can be told. Reading never waits for the disk. A visitor costs
neither a row nor a write.

A signature is over method, address, the number of this start, the number of the attempt and the
SHA-256 of the body, under a first line that nothing else of the companion signs. It travels as the
two numbers and itself in hexadecimal, with dots between them.

    companion request 1
    POST
    /api/seats/1/requests
    8f3c1b0e5d7a42969c0d11e2f3a4b5c6
    0b6d7e2f4a5c48d19e3f2a1b0c9d8e7f
    e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855

The table draws the number of a start when it starts, and tells it whoever signed with another. The
browser draws that of each attempt, which counts once, on arrival, whatever the answer: what was
heard on its way is worth nothing a second time, nor after a restart.
"""

import hashlib
import re
import secrets
import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal

import msgspec
from msgspec.structs import astuple, replace
from nacl.exceptions import BadSignatureError
from nacl.signing import VerifyKey

from companion.core.databases import Change, Database, Row, TableOfRows
from companion.core.errors import NotWritten
from companion.core.i18n import Message, message
from companion.seating.names import NAMES, TIME
from companion.seating.seats import SeatHolder

# What is signed.

PURPOSE = "companion request 1"
HEADER = "Companion-Signature"
"""The header with the signature of a request."""
_SIGNATURE = re.compile(r"([0-9a-f]{32})\.([0-9a-f]{32})\.([0-9a-f]{128})")
NUMBER_BYTES = 16
MAX_ATTEMPTS = 100_000
"""Attempts that are remembered, none of them forgotten, before a new start number is drawn."""


class Signature(msgspec.Struct, frozen=True):
    """A signature with the numbers of the start and the attempt that it is over."""

    start: str
    attempt: str
    value: bytes


def parse_signature(written: str) -> Signature | None:
    """Parse a signature; None if it is malformed."""
    found = _SIGNATURE.fullmatch(written)
    return Signature(found[1], found[2], bytes.fromhex(found[3])) if found else None


def body_digest(body: bytes) -> str:
    """Return the SHA-256 of a body in hexadecimal, as it is signed."""
    return hashlib.sha256(body).hexdigest()


class SignedRequest(msgspec.Struct, frozen=True):
    """The signed text, but for its numbers; `target` is the path with its query."""

    method: str
    target: str
    digest: str

    def signed_text(self, start: str, attempt: str) -> bytes:
        """Return the bytes that are signed."""
        parts = (PURPOSE, self.method, self.target, start, attempt, self.digest)
        return "\n".join(parts).encode()

    def is_signed_by(self, public_key: bytes, signature: Signature) -> bool:
        """Check a signature over this request with the public key of its sender."""
        text = self.signed_text(signature.start, signature.attempt)
        try:
            VerifyKey(public_key).verify(text, signature.value)
        except BadSignatureError:
            return False
        return True


class Attempts:
    """The number of this start, and the attempts that have come since. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._draw_start()

    def count(self, signature: Signature) -> str:
        """Count an attempt that has come: return “” if it is the first of its number, else the
        code of the reason why it is worth nothing.

        It counts before its signature is checked, as a browser whose key or cookie is missing sends
        the same act again when it has them.
        """
        with self._lock:
            if signature.start != self.start:
                return "other_start"
            attempt = bytes.fromhex(signature.attempt)
            if attempt in self._used:
                return "attempt_used"
            self._used.add(attempt)
            if len(self._used) >= MAX_ATTEMPTS:
                self._draw_start()
            return ""

    def _draw_start(self) -> None:
        self.start = secrets.token_hex(NUMBER_BYTES)
        self._used: set[bytes] = set()


# What is kept.

IDENTITY_FILE = "identity.sqlite3"
MAX_BROWSERS = 1000
"""Browsers kept; beyond that, the browser goes that changed longest ago, unless it has a seat or is
a host's."""
BROKEN = message(
    "The file with seats and host was broken: all guests sit down again, and the host signs in "
    "again."
)
HostBy = Literal["pass", "button"]
"""Reason that a browser is a host: a pass, until it signs out; a button, until the next group."""
COOKIE_KEY_SIZE = 32
"""Bytes of the key that signs cookies."""

BROWSERS = TableOfRows(
    "browser",
    (
        "id TEXT NOT NULL", "used INTEGER NOT NULL", "language TEXT NOT NULL",
        "public_key BLOB NOT NULL CHECK (length(public_key) IN (0, 32))",
    ),
)  # fmt: skip
SEATS = TableOfRows(
    "seat",
    ("seat INTEGER NOT NULL", "browser TEXT NOT NULL", "hands TEXT NOT NULL"),
)
HOSTS = TableOfRows(
    "host",
    ("browser TEXT NOT NULL", "made_by TEXT NOT NULL CHECK (made_by IN ('pass', 'button'))"),
)
SETTINGS = TableOfRows("setting", ("name TEXT NOT NULL", "value BLOB NOT NULL"))
TABLES = (BROWSERS, SEATS, HOSTS, SETTINGS)
"""The tables that are kept here; those of the names lie beside them (seating/names.py)."""


class Browser(msgspec.Struct, frozen=True):
    """A browser that has a seat, is a host's, or has registered a key.

    `used` orders browsers by their last change. A browser without `public_key` has registered none.
    """

    used: int
    language: str = ""
    public_key: bytes = b""


class IdentityState(msgspec.Struct, frozen=True):
    """The kept state: the key that signs cookies, the browsers, those at the seats, and for each
    host's browser the way it became one."""

    cookie_key: bytes
    browsers: Mapping[str, Browser] = {}
    seats: Mapping[int, SeatHolder] = {}
    hosts: Mapping[str, HostBy] = {}

    def rows(self) -> dict[TableOfRows, Sequence[Row]]:
        """Return the rows of each table."""
        return {
            BROWSERS: [(id, *astuple(browser)) for id, browser in self.browsers.items()],
            SEATS: [(n, who.browser, who.hands) for n, who in self.seats.items()],
            HOSTS: list(self.hosts.items()),
            SETTINGS: [("cookie_key", self.cookie_key)],
        }


class IdentityStore:
    """The identity of one table, in a file, or without a path in memory, where nothing has to be
    closed. Thread-safe."""

    def __init__(self, path: Path | None = None) -> None:
        self.database = Database(path, (*TABLES, NAMES, TIME))
        self._lock = threading.RLock()
        self.state = self._read_state()
        """State as of the last write."""
        self.notices: tuple[Message, ...] = (BROKEN,) if self.database.was_broken else ()

    def _read_state(self) -> IdentityState:
        """Return the file's state; with a new key for cookies if it holds none."""
        rows = {table: self.database.take_rows(table) for table in TABLES}
        settings: dict[str, bytes] = dict(rows[SETTINGS])
        key = settings.get("cookie_key", b"")
        state = IdentityState(
            key,
            {id: Browser(*facts) for id, *facts in rows[BROWSERS]},
            {n: SeatHolder(browser, hands=hands) for n, browser, hands in rows[SEATS]},
            dict(rows[HOSTS]),
        )
        if len(key) < COOKIE_KEY_SIZE:
            state = replace(state, cookie_key=secrets.token_bytes(COOKIE_KEY_SIZE))
            with suppress(NotWritten):  # Then it counts until the companion is stopped.
                self.database.write(*SETTINGS.changes(rows[SETTINGS], state.rows()[SETTINGS]))
        return state

    def close(self) -> None:
        """Release the file."""
        self.database.close()

    # Reading.

    def language_of(self, browser: str) -> str:
        """Return the language that this browser chose; empty if none is kept here."""
        return self._browser(browser).language

    def public_key(self, browser: str) -> bytes | None:
        """Return the key that this browser registered: 32 bytes, or None."""
        return self._browser(browser).public_key or None

    def browser_of_key(self, key: bytes) -> str | None:
        """Return the browser that registered this key; None if none did."""
        known = self.state.browsers.items()
        return next((id for id, browser in known if browser.public_key == key), None)

    def check_signature(self, browser: str, asked: SignedRequest, signature: Signature) -> str:
        """Return “” if this browser signed this request, else the code of the reason."""
        key = self.public_key(browser)
        if key is None:
            return "unknown_key"
        return "" if asked.is_signed_by(key, signature) else "bad_signature"

    def _browser(self, browser: str) -> Browser:
        return self.state.browsers.get(browser) or Browser(used=0)

    # Writing.

    def save_seats(self, holders: Mapping[int, SeatHolder], *names: Change) -> None:
        """Save the browsers of all seats at once, with these changes of their names."""
        sitting = sorted({b for who in holders.values() for b in (who.browser, who.hands) if b})
        with self._lock:
            state = replace(self.state, seats=dict(holders))
            self._write(_with_browsers(state, sitting), *names)

    def add_host(self, browser: str, made_by: HostBy) -> None:
        """Save that this browser is a host's; no change if it is one already."""
        with self._lock:
            state = replace(self.state, hosts={browser: made_by, **self.state.hosts})
            self._write(_with_browsers(state, [browser]))

    def remove_host(self, browser: str) -> None:
        """Save that this browser is no longer a host's."""
        with self._lock:
            hosts = {id: by for id, by in self.state.hosts.items() if id != browser}
            self._write(replace(self.state, hosts=hosts))

    def remove_hosts(self, made_by: HostBy | None = None) -> None:
        """Save that no browser is a host's, or none that was made one by this."""
        with self._lock:
            hosts = {id: by for id, by in self.state.hosts.items() if made_by not in (None, by)}
            self._write(replace(self.state, hosts=hosts))

    def save_language(self, browser: str, language: str) -> None:
        """Save the language of a browser that has a row; ignore any other."""
        with self._lock:
            if browser in self.state.browsers and self.language_of(browser) != language:
                known = replace(self._browser(browser), language=language)
                self._write(_with_browser(self.state, browser, known))

    def bind_key(self, browser: str, key: bytes) -> bool:
        """Register the public key of a browser; return False if it has another key already."""
        with self._lock:
            bound = self._browser(browser)
            if not bound.public_key:
                state = _with_browser(self.state, browser, replace(bound, public_key=key))
                self._write(_with_browsers(state, [browser]))
            return bound.public_key in (b"", key)

    def register_key(
        self, claimed: str, key: bytes, asked: SignedRequest, signature: Signature
    ) -> str | None:
        """Register a key, proven by a signature with it; return the id of its browser, None if the
        signature is another's.

        That is the browser that has this key already, else the claimed one if that has no key,
        else a new one: a copied cookie with another key is another browser.
        """
        if not asked.is_signed_by(key, signature):
            return None
        with self._lock:
            known = self.browser_of_key(key)
            if known is not None:
                return known
            is_free = bool(claimed) and self.public_key(claimed) is None
            browser = claimed if is_free else secrets.token_urlsafe(NUMBER_BYTES)
            self.bind_key(browser, key)
            return browser

    def free_all(self) -> None:
        """Free all seats and sign all hosts out."""
        with self._lock:
            self._write(replace(self.state, seats={}, hosts={}))

    def _write(self, state: IdentityState, *others: Change) -> None:
        """Write the changes of this state; keep it in memory once that is on disk."""
        before, after = self.state.rows(), state.rows()
        changes = [each for table in TABLES for each in table.changes(before[table], after[table])]
        self.database.write(*changes, *others)
        self.state = state


def _with_browser(state: IdentityState, browser: str, known: Browser) -> IdentityState:
    return replace(state, browsers={**state.browsers, browser: known})


def _with_browsers(state: IdentityState, ids: Iterable[str]) -> IdentityState:
    """Return the state with these browsers as those that changed last, and without the oldest
    beyond MAX_BROWSERS."""
    now = 1 + max((known.used for known in state.browsers.values()), default=0)
    touched = {id: replace(state.browsers.get(id, Browser(0)), used=now) for id in ids}
    browsers = {**state.browsers, **touched}
    kept = {b for who in state.seats.values() for b in (who.browser, who.hands)} | {*state.hosts}
    others = sorted(browsers.keys() - kept, key=lambda id: browsers[id].used)
    for id in others[:-MAX_BROWSERS]:
        del browsers[id]
    return replace(state, browsers=browsers)
