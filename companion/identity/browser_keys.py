"""Keys of browsers: registered once each, and asked for every write.

Laws: a key belongs to one browser for good, and a browser has one key for good. A browser that
comes with another key is another browser: it gets a new id, and what belongs to the first one stays
there. A key that comes back without its cookie gets its browser back, as only its owner can sign.

A signature is over method, address, counter and the SHA-256 of the body, under a first line that
nothing else of the companion signs. It travels as `17.` and 128 hexadecimal digits.

    companion request 1
    POST
    /api/seats/1/requests
    17
    e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855

Each counter counts once. It is new if it is above all that its browser has used, or one of the
WIDTH below that were skipped; two tabs of a browser may therefore overtake each other. Before a
counter is granted, a ceiling above it is on disk; after a restart, or when too many other browsers
came, every counter up to the ceiling is used.
"""

import hashlib
import re
import secrets
import threading
from collections import OrderedDict
from typing import Protocol

import msgspec
from nacl.exceptions import BadSignatureError
from nacl.signing import VerifyKey

PURPOSE = "companion request 1"
HEADER = "Companion-Signature"
"""The header of a request in which its signature comes."""
MAX_COUNTER = 2**53 - 1
"""The largest whole number that a script counts exactly."""
_SIGNATURE = re.compile(r"([1-9][0-9]{0,15})\.([0-9a-f]{128})")
WIDTH = 128
"""How far a counter may come behind the highest one."""
STEP = 1000
"""How far the ceiling is raised at once, so that few signatures wait for the disk."""
MAX_WINDOWS = 2000
_ALL_USED = (1 << WIDTH) - 1


class KeyStore(Protocol):
    """Keeps the public key of each browser, and a ceiling of its counter, on disk."""

    def public_key(self, browser: str) -> bytes | None:
        """Return the key of this browser; None if it has none."""
        ...

    def browser_of_key(self, key: bytes) -> str | None:
        """Return the browser that has this key; None if none has."""
        ...

    def bind_key(self, browser: str, key: bytes, ceiling: int = 0) -> bool:
        """Register the key of a browser with a ceiling; return False if it has another one."""
        ...

    def counter_ceiling(self, browser: str) -> int:
        """Return the ceiling of this browser; 0 if there is none."""
        ...

    def raise_counter_ceiling(self, browser: str, to: int) -> None:
        """Raise the ceiling; it is on disk when this returns."""
        ...


class Signature(msgspec.Struct, frozen=True):
    """A signature with the counter that it is over."""

    counter: int
    value: bytes


def parse_signature(written: str) -> Signature | None:
    """Return the signature that is written so; None if none is."""
    found = _SIGNATURE.fullmatch(written)
    if found is None or int(found.group(1)) > MAX_COUNTER:
        return None
    return Signature(int(found.group(1)), bytes.fromhex(found.group(2)))


def body_digest(body: bytes) -> str:
    """Return the SHA-256 of a body in hexadecimal, as it is signed."""
    return hashlib.sha256(body).hexdigest()


class SignedRequest(msgspec.Struct, frozen=True):
    """What a signature is over, but for the counter; `target` is the path with its query."""

    method: str
    target: str
    digest: str

    def signed_text(self, counter: int) -> bytes:
        """Return the bytes that are signed."""
        parts = (PURPOSE, self.method, self.target, str(counter), self.digest)
        return "\n".join(parts).encode()

    def is_signed_by(self, public_key: bytes, signature: Signature) -> bool:
        """Check a signature over this request with the public key of its sender."""
        try:
            VerifyKey(public_key).verify(self.signed_text(signature.counter), signature.value)
        except BadSignatureError:
            return False
        return True


class CounterWindow:
    """The counters of one browser: the highest used one, and which were used of those below it."""

    def __init__(self, highest: int, ceiling: int) -> None:
        self.highest, self.ceiling = highest, ceiling
        self._used = _ALL_USED

    def is_new(self, counter: int) -> bool:
        """Check that a counter has not been used, and is not too far below the highest."""
        behind = self.highest - counter
        return behind < 0 or (behind < WIDTH and not self._used >> behind & 1)

    def mark_used(self, counter: int) -> None:
        """Mark a new counter as used."""
        ahead = counter - self.highest
        if ahead > 0:
            self._used = (self._used << min(ahead, WIDTH)) & _ALL_USED | 1
            self.highest = counter
        else:
            self._used |= 1 << -ahead


class SignatureCounters:
    """The counters of all browsers, at most so many in memory. Thread-safe."""

    def __init__(self, store: KeyStore, most: int = MAX_WINDOWS) -> None:
        self._store, self._most = store, most
        self._windows: OrderedDict[str, CounterWindow] = OrderedDict()
        self._lock = threading.Lock()

    def use_counter(self, browser: str, counter: int) -> int:
        """Use up a counter: return 0 if it was new, else the next one that is.

        NotWritten is raised if the ceiling cannot be raised; then the counter is still new.
        """
        with self._lock:
            window = self._find_window(browser)
            if not window.is_new(counter):
                return window.highest + 1
            self._raise_ceiling(browser, window, counter)
            window.mark_used(counter)
            return 0

    def begin_at(self, browser: str, counter: int) -> None:
        """Begin the window of a new browser, whose ceiling is on disk, with this counter; lower
        ones count as used."""
        with self._lock:
            self._keep_window(browser, CounterWindow(counter, self._store.counter_ceiling(browser)))

    def _find_window(self, browser: str) -> CounterWindow:
        window = self._windows.get(browser)
        if window is None:
            ceiling = self._store.counter_ceiling(browser)
            window = CounterWindow(ceiling, ceiling)
        self._keep_window(browser, window)
        return window

    def _keep_window(self, browser: str, window: CounterWindow) -> None:
        """Keep a window as the newest, and drop the oldest beyond the most that are kept."""
        self._windows[browser] = window
        self._windows.move_to_end(browser)
        if len(self._windows) > self._most:
            self._windows.popitem(last=False)

    def _raise_ceiling(self, browser: str, window: CounterWindow, counter: int) -> None:
        if counter > window.ceiling:
            self._store.raise_counter_ceiling(browser, counter + STEP)
            window.ceiling = counter + STEP


class Unproven(msgspec.Struct, frozen=True):
    """Why a signature does not count: a stable code; with `counter_used`, the next counter."""

    code: str
    next_counter: int = 0


class BrowserKeys:
    """The keys and counters of the browsers of one table. Thread-safe."""

    def __init__(self, store: KeyStore) -> None:
        self._store = store
        self._counters = SignatureCounters(store)
        self._lock = threading.Lock()

    def check_signature(
        self, browser: str, asked: SignedRequest, signature: Signature
    ) -> Unproven | None:
        """Check that this browser signed this request and sends it for the first time.

        Its counter is used up only if the signature fits.
        """
        key = self._store.public_key(browser)
        if key is None:
            return Unproven("unknown_key")
        if not asked.is_signed_by(key, signature):
            return Unproven("bad_signature")
        return self._use_counter(browser, signature.counter)

    def is_signed(self, browser: str, asked: SignedRequest, signature: Signature) -> bool:
        """Check that this browser signed this request; its counter stays unused."""
        key = self._store.public_key(browser)
        return key is not None and asked.is_signed_by(key, signature)

    def is_registered(self, key: bytes) -> bool:
        """Check whether a browser has this key."""
        return self._store.browser_of_key(key) is not None

    def register_key(
        self, claimed: str, key: bytes, asked: SignedRequest, signature: Signature
    ) -> str | Unproven:
        """Register a key, proven by a signature with it; return the id of its browser.

        That is the browser that has this key already, else the claimed one if that has no key,
        else a new one.
        """
        if not asked.is_signed_by(key, signature):
            return Unproven("bad_signature")
        with self._lock:
            known = self._store.browser_of_key(key)
            if known is not None:
                return self._use_counter(known, signature.counter) or known
            is_free = bool(claimed) and self._store.public_key(claimed) is None
            browser = claimed if is_free else secrets.token_urlsafe(16)
            self._store.bind_key(browser, key, signature.counter + STEP)
            self._counters.begin_at(browser, signature.counter)
            return browser

    def _use_counter(self, browser: str, counter: int) -> Unproven | None:
        following = self._counters.use_counter(browser, counter)
        return Unproven("counter_used", following) if following else None
