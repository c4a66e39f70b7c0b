"""The PIN of the host: six digits, made here or chosen, hashed, checked against guessing.

Laws: only a slow hash with a salt of its own is stored, never the digits. Digits that are made here
are told once; chosen ones are refused if they are among the first that one tries.
`companion.host.pin_guesses` decides who may guess when. One thread hashes, one guess after the
other, so that memory does not grow with the guesses; known browsers and the machine itself come
first, and strangers for whom there is no place are refused. A new PIN has a new generation, so that
all who signed in with the old one have to sign in again.
"""

import hashlib
import hmac
import logging
import math
import secrets
import threading
from collections.abc import Callable
from functools import partial

import msgspec

from companion.core.errors import Refusal, refusal
from companion.core.log_lines import log_line
from companion.host.fair_threads import Claimant, CrowdedError, FairThreads
from companion.host.pin_guesses import LOOPBACK, Guesser, PinGuesses
from companion.identity import IdentityStore, StoredPin

LOG = logging.getLogger("companion.host")
DIGITS = 6
AT_THE_MACHINE = Guesser(LOOPBACK)
KNOWN_WAITING, STRANGERS_WAITING = 16, 1
"""Guesses that may wait for the one that is hashed."""
RUNS = "01234567890 09876543210"
WORK = 2**14
"""Rounds of scrypt: sixteen mebibytes and a good part of a second on a small computer per guess."""


def discard_digits(_digits: str) -> None:
    """Tell the digits to no one."""


class Pin:
    """The PIN of one table, kept in the identity store; `tell` is called with the digits, once.

    It is made when it is first asked for. Times are seconds of any clock that goes forward. What
    changes it raises NotWritten where the disk does not take it; then the old one counts on. The
    product always hashes with WORK rounds; tests may take fewer.
    """

    def __init__(
        self,
        identity: IdentityStore | None = None,
        tell: Callable[[str], None] = discard_digits,
        *,
        work: int = WORK,
    ) -> None:
        self.identity = identity or IdentityStore()
        self._tell, self._work = tell, work
        self._guesses, self._guessing = PinGuesses(), threading.Lock()
        self._hashing = FairThreads(
            "pin", 1, known_waiting=KNOWN_WAITING, strangers=1, strangers_waiting=STRANGERS_WAITING
        )
        self._busy = threading.RLock()

    @property
    def generation(self) -> str:
        """The id of this PIN; another one once it is made anew, empty if there is none.

        To read it does not wait while digits are hashed: it is read on the event loop.
        """
        stored = self.identity.pin()
        return stored.generation if stored else ""

    def ensure_pin(self) -> None:
        """Make a PIN if there is none."""
        self._ensure_stored()

    def renew_pin(self, signed_in: str = "") -> str:
        """Make a new PIN, end any wait, and return the digits.

        Every browser is signed out but for one that is to be `signed_in` by it.
        """
        with self._busy:
            digits, made = _make_pin(self._work)
            self.identity.save_pin(made, signed_in)
            self._guesses = PinGuesses()
        LOG.info(log_line("pin_renewed"))
        self._tell(digits)
        return digits

    def choose_pin(self, digits: str, signed_in: str = "") -> Refusal | None:
        """Make these digits the PIN, and end any wait; sign out as `renew_pin` does."""
        if not (digits.isascii() and digits.isdigit() and len(digits) == DIGITS):
            return refusal("not_six_digits", "T.host", "A PIN has six digits.")
        if is_easily_guessed(digits):
            text = "This PIN is among the first that people try: choose another one."
            return refusal("easy_pin", "T.host", text)
        with self._busy:
            self.identity.save_pin(_hash_pin(digits, self._work), signed_in)
            self._guesses = PinGuesses()
        LOG.info(log_line("pin_renewed"))
        return None

    def revoke_sessions(self) -> None:
        """Sign out all browsers; the digits stay as they are."""
        with self._busy:
            again = msgspec.structs.replace(self._ensure_stored(), generation=secrets.token_hex(8))
            self.identity.save_pin(again)
        LOG.info(log_line("host_sessions_revoked"))

    def check_pin(self, typed: str, now: float, guesser: Guesser = AT_THE_MACHINE) -> str | Refusal:
        """Check the digits; return the generation of the PIN that they are, or the refusal.

        A PIN made meanwhile has another generation, so that a session by the old one is worth
        nothing. Raise CrowdedError if there is no place to hash them; such a guess does not count.
        """
        kept, guesses = self._ensure_stored(), self._guesses
        with self._guessing:
            wait = guesses.take_guess(guesser, now)
        if wait:
            text = "Too many wrong PINs. Seconds to wait: {n}."
            return refusal("pin_wait", "T.host", text, n=math.ceil(wait))
        claimant = Claimant(guesser.bucket, not guesser.is_stranger)
        hash_it = partial(_hash_digits, typed, kept.salt, self._work)
        hashing = self._hashing.submit(claimant, hash_it)
        try:
            is_right = hmac.compare_digest(hashing.result(), kept.hash)
        except CrowdedError:
            with self._guessing:
                guesses.return_guess(guesser)
            raise
        if not is_right:
            return refusal("wrong_pin", "T.host", "That is not the PIN of this table.")
        with self._guessing:
            guesses.empty_bucket(guesser)
        return kept.generation

    def _ensure_stored(self) -> StoredPin:
        with self._busy:
            stored = self.identity.pin()
            return stored if stored is not None else self._make_first()

    def _make_first(self) -> StoredPin:
        """Make the first PIN; another process may have made one while ours was hashed."""
        digits, made = _make_pin(self._work)
        stored = self.identity.save_first_pin(made)
        if stored == made:
            LOG.info(log_line("pin_renewed"))
            self._tell(digits)
        return stored


def draw_digits() -> str:
    """Return random digits that are not easily guessed."""
    while is_easily_guessed(digits := f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"):
        pass
    return digits


def is_easily_guessed(digits: str) -> bool:
    """Return whether digits are of two kinds at most, a run up or down, or a part repeated."""
    parts = [digits[:length] * (DIGITS // length) for length in (2, 3)]
    return len({*digits}) <= 2 or digits in RUNS or digits in parts


def _make_pin(work: int) -> tuple[str, StoredPin]:
    """Make digits, and what is stored of them."""
    digits = draw_digits()
    return digits, _hash_pin(digits, work)


def _hash_pin(digits: str, work: int) -> StoredPin:
    """Return what is stored of these digits, with a salt and a generation of its own."""
    salt = secrets.token_hex(16)
    return StoredPin(salt, _hash_digits(digits, salt, work), secrets.token_hex(8))


def _hash_digits(digits: str, salt: str, work: int) -> str:
    typed = digits.encode(errors="replace")[:64]
    salted = salt.encode()
    return hashlib.scrypt(typed, salt=salted, n=work, r=8, p=1, maxmem=2**26, dklen=32).hex()
