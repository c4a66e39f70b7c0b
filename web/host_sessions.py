"""Host sessions: the browsers that are signed in with the PIN of a table.

Laws: a new PIN, or signing everyone out, ends every session of the host. A browser that signed out
stays out, even with a copy of its cookie and after a restart.
"""

import logging
import time

from companion.core.errors import Refusal
from companion.core.log_lines import log_line
from companion.host.pin import Pin
from companion.host.pin_guesses import Guesser

LOG = logging.getLogger("web")


class HostSessions:
    """The browsers that are signed in with one PIN. Thread-safe.

    What changes them raises NotWritten where the disk does not take it.
    """

    def __init__(self, pin: Pin) -> None:
        self._pin, self._identity = pin, pin.identity

    def sign_in(self, browser: str, typed: str, source: str) -> Refusal | None:
        """Sign this browser in if the PIN is right, else return the refusal."""
        guesser = Guesser(source, browser if self.has_signed_in(browser) else "")
        checked = self._pin.check_pin(typed, time.monotonic(), guesser)
        if isinstance(checked, Refusal):
            LOG.warning(log_line("host_sign_in_failed", code=checked.code))
            return checked
        self._identity.save_host_session(browser, checked)
        LOG.info(log_line("host_signed_in"))
        return None

    def admit(self, browser: str) -> None:
        """Sign this browser in without a PIN."""
        self._pin.ensure_pin()
        self._identity.save_host_session(browser, self._pin.generation)

    def sign_out(self, browser: str) -> None:
        """Sign this browser out; a copy of its cookie is worth nothing from now on."""
        self._identity.save_host_session(browser, "")
        LOG.info(log_line("host_signed_out"))

    def is_signed_in(self, browser: str) -> bool:
        """Check that this browser signed in with the current generation of the PIN."""
        signed_in = self._identity.host_generation(browser)
        return bool(signed_in) and signed_in == self._pin.generation

    def has_host(self) -> bool:
        """Check that some browser is signed in with the current generation of the PIN."""
        generation = self._pin.generation
        return bool(generation) and generation in self._identity.state.host_sessions.values()

    def has_signed_in(self, browser: str) -> bool:
        """Check that this browser has signed in at some time, with whichever PIN."""
        return self._identity.host_generation(browser) is not None
