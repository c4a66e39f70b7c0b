"""Host sessions: which browsers are a host's, and which have asked to be.

Laws: a browser becomes a host's by a pass, until it signs out, or by a button that was held, until
the table is cleared for the next group. A browser that signed out stays out, even with a copy of
its cookie and after a restart. Who asked on the page of the host is forgotten after ASKED_FOR
seconds, and when a button was held. What changes a session raises NotWritten where the disk does
not take it. Times are monotonic seconds.
"""

import logging
import threading
from collections.abc import Callable

from companion.core.log_lines import log_line
from companion.host.host_pass import Admitted
from companion.identity import IdentityStore

LOG = logging.getLogger("companion.host")
ASKED_FOR = 120.0
MAX_ASKING = 64
"""Browsers whose wish is remembered; two are as good as any number."""


class HostSessions:
    """The browsers of the hosts of one table. Thread-safe."""

    def __init__(self, identity: IdentityStore, clock: Callable[[], float]) -> None:
        self._identity, self._clock = identity, clock
        self._asked: dict[str, float] = {}
        self._lock = threading.Lock()

    def is_host(self, browser: str) -> bool:
        """Check that this browser is a host's."""
        return browser in self._identity.hosts()

    def has_host(self) -> bool:
        """Check that some browser is a host's."""
        return bool(self._identity.hosts())

    def admit_by_pass(self, browser: str) -> None:
        """Make this browser a host's until it signs out."""
        self._identity.add_host(browser, "pass")
        LOG.info(log_line("host_signed_in", by="pass"))

    def ask(self, browser: str) -> None:
        """Remember that this browser wants to be the host's when a button is held next."""
        with self._lock:
            if browser in self._asked or len(self._asked) < MAX_ASKING:
                self._asked[browser] = self._clock()

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
        if "button" in self._identity.hosts().values():
            self._identity.remove_hosts("button")

    def sign_all_out(self) -> None:
        """End every session."""
        self._identity.remove_hosts()
        LOG.info(log_line("host_sessions_revoked"))
