"""The hosts of a table: the pass that makes one phone the host's, once, and whose phones are.

Laws: a pass is a word of 128 bits and never goes over the network. It comes to a phone in the
fragment of a link, which no browser sends; the phone answers with the SHA-256 of the pass and its
own public key, in a request that it signs, so that who hears the answer can do nothing with it. A
wrong answer ends no pass, and there are far too many to guess one. There is one printed pass and
one shown pass at a time. The printed one is a file in the data folder, which `companion host`
writes as well; the other is kept in memory while screens show it: for thirty seconds after a button
was held, or at a new table until it has a host.

A browser becomes a host's by a pass, until it signs out, or by a button that was held, until the
table is cleared for the next group. A browser that signed out stays out, even with a copy of its
cookie and after a restart. Who asked on the page of the host is forgotten after ASKED_FOR seconds,
and when a button was held. What changes a session raises NotWritten where the disk does not take
it. Times are monotonic seconds.
"""

import hashlib
import hmac
import logging
import secrets
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import msgspec

from companion.core.durable_files import remove_file, write_file
from companion.core.log_lines import log_line
from companion.seating.identity import IdentityStore

LOG = logging.getLogger("companion.host")
FILE = "host-pass"
"""The name of the file with the printed pass."""
SHOWN_FOR = 30.0
"""Seconds that a pass made by a held button is shown and valid."""
PASS_BYTES = 16
NEW_TABLE = 0
"""Stands for the seat of a pass that no button made."""
LONGEST_FILE = 64

Admitted = Literal["asker", "sitter", "several", ""]
"""Whose phone a held button made the host's: the one that had asked, the one of that seat, or none,
because several had asked, or because there was none."""


class ShownPass(msgspec.Struct, frozen=True):
    """A pass on a screen: the seat whose button made it, 0 at a new table, the word, its end, and
    the host whom the button let in."""

    seat: int
    word: str
    ends: float
    admitted: Admitted = ""


def write_pass(folder: Path) -> str:
    """Make the pass of a terminal, which ends the one before; raise NotWritten."""
    word = _draw_word()
    write_file(folder / FILE, word.encode())
    LOG.info(log_line("host_pass_printed"))
    return word


class HostPass:
    """The passes of one table, with its data folder. Thread-safe."""

    def __init__(self, folder: Path, clock: Callable[[], float]) -> None:
        self._file, self._clock = folder / FILE, clock
        self._shown: ShownPass | None = None
        self._lock = threading.Lock()

    def show_pass(self, seat: int, admitted: Admitted) -> None:
        """Make the pass of a seat whose button is held, for the screens to show."""
        with self._lock:
            ends = self._clock() + SHOWN_FOR
            self._shown = ShownPass(seat, _draw_word(), ends, admitted)
        LOG.info(log_line("host_pass_shown", seat=seat))

    def offer_pass(self) -> ShownPass | None:
        """Return the pass of a new table, made if there is none; None while another is shown."""
        with self._lock:
            if self._find_shown() is None:
                self._shown = ShownPass(NEW_TABLE, _draw_word(), float("inf"))
            shown = self._shown
            return shown if shown is not None and shown.seat == NEW_TABLE else None

    def withdraw_offer(self) -> None:
        """End the pass of a new table, as it has a host now."""
        with self._lock:
            if self._shown is not None and self._shown.seat == NEW_TABLE:
                self._shown = None

    def shown_pass(self) -> ShownPass | None:
        """Return the pass that screens show now; None if there is none."""
        with self._lock:
            return self._find_shown()

    def use_answer(self, answer: str, public_key: bytes) -> bool:
        """Use up the pass to which this is the answer of the phone with this key; return whether
        there was one. OSError if the printed one cannot be removed."""
        with self._lock:
            shown = self._find_shown()
            if shown is not None and is_answer(answer, shown.word, public_key):
                self._shown = None
                return True
            if is_answer(answer, self._read_printed(), public_key):
                remove_file(self._file)
                return True
            return False

    def expire_pass(self) -> bool:
        """Forget a shown pass whose time is over; return whether screens have to change."""
        with self._lock:
            before, self._shown = self._shown, self._find_shown()
            return before is not None and self._shown is None

    def revoke_all(self) -> None:
        """End every pass; OSError if the printed one cannot be removed."""
        with self._lock:
            self._shown = None
            if self._file.exists():
                remove_file(self._file)

    def _find_shown(self) -> ShownPass | None:
        return None if self._shown is None or self._clock() >= self._shown.ends else self._shown

    def _read_printed(self) -> str:
        try:
            with self._file.open("rb") as file:
                return file.read(LONGEST_FILE).decode("ascii")
        except (OSError, UnicodeDecodeError):
            return ""


def is_answer(answer: str, word: str, public_key: bytes) -> bool:
    """Return whether an answer is the hash of this word and this key, in hexadecimal."""
    right = hashlib.sha256(word.encode() + public_key).hexdigest()
    return bool(word) and hmac.compare_digest(answer.encode(), right.encode())


def pass_address(first: str, word: str) -> str:
    """Return the address that makes a phone the host's, at a table with this first page."""
    return f"{first}host/enter#{word}"


def _draw_word() -> str:
    return secrets.token_urlsafe(PASS_BYTES)


# Which browsers are a host's.


ASKED_FOR = 120.0
MAX_ASKING = 64
"""Browsers whose wish is remembered, the newest; two are as good as any number."""


class HostSessions:
    """The browsers of the hosts of one table. Thread-safe."""

    def __init__(self, identity: IdentityStore, clock: Callable[[], float]) -> None:
        self._identity, self._clock = identity, clock
        self._asked: dict[str, float] = {}
        self._lock = threading.Lock()

    def is_host(self, browser: str) -> bool:
        """Return whether this browser is a host's."""
        return browser in self._identity.state.hosts

    def has_host(self) -> bool:
        """Return whether any browser is a host's."""
        return bool(self._identity.state.hosts)

    def admit_by_pass(self, browser: str) -> None:
        """Make this browser a host's until it signs out."""
        self._identity.add_host(browser, "pass")
        LOG.info(log_line("host_signed_in", by="pass"))

    def ask(self, browser: str) -> None:
        """Remember that this browser wants to be the host's when a button is held next."""
        with self._lock:
            others = [each for each in self._asked.items() if each[0] != browser]
            self._asked = dict([*others[1 - MAX_ASKING :], (browser, self._clock())])

    def admit_by_button(self, sitter: str | None) -> Admitted:
        """Make a browser a host's, as a button is held: the one that has asked, else the one that
        sits there. None if several have asked, for the table cannot know whose hand it is."""
        with self._lock:
            since = self._clock() - ASKED_FOR
            asked = [browser for browser, at in self._asked.items() if at > since]
            self._asked.clear()
        if len(asked) > 1:
            return "several"
        browser = asked[0] if asked else sitter
        if not browser:
            return ""
        self._identity.add_host(browser, "button")
        LOG.info(log_line("host_signed_in", by="button"))
        return "asker" if asked else "sitter"

    def sign_out(self, browser: str) -> None:
        """End the session of this browser; a copy of its cookie is worth nothing from now on."""
        self._identity.remove_host(browser)
        LOG.info(log_line("host_signed_out"))

    def end_group(self) -> None:
        """End the sessions that a button made, as the next group comes."""
        if "button" in self._identity.state.hosts.values():
            self._identity.remove_hosts("button")

    def sign_all_out(self) -> None:
        """End every session."""
        self._identity.remove_hosts()
        LOG.info(log_line("host_sessions_revoked"))
