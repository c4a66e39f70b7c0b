"""The line with which the game at a table ended: what its phones sign and keep.

Laws: there is none before the game is over, as not even a hash of it may be told then. An undo that
opens the game again takes it away; the game then ends with another line. Signatures, judge calls
and putting the game away come after it and do not change it.
"""

from contextlib import suppress

import msgspec

from companion.core.errors import Refusal, refusal
from companion.core.events import Event, Sealed
from companion.core.signatures import end_text, is_signature, seal_text
from companion.core.table_events import AFTERWARDS, EndSigned
from companion.journal import Journal, JournalFailed
from companion.records.fingerprint import (
    fingerprint_hue,
    fingerprint_path,
    fingerprint_words,
    group_digits,
)
from companion.records.past_games import chain_to_end
from companion.table.history import History, started_event


class EndLine(msgspec.Struct, frozen=True):
    """The number of the line in the record of a game, the chain up to it, and its fingerprint."""

    id: str
    n: int
    chain: str

    @property
    def digits(self) -> str:
        """Return the fingerprint in digits."""
        return group_digits(self.chain)

    @property
    def words(self) -> str:
        """Return the fingerprint in words."""
        return fingerprint_words(self.chain)

    @property
    def path(self) -> str:
        """Return the fingerprint as the path of a picture."""
        return fingerprint_path(self.chain)

    @property
    def hue(self) -> int:
        """Return the hue of the picture."""
        return fingerprint_hue(self.chain)


def find_end_line(
    journal: Journal, history: History, known: EndLine | None = None
) -> EndLine | None:
    """Return the line with which this game ended, the known one if it is the same."""
    started = started_event(history)
    if started is None or not history.is_over:
        return None
    n = _count_to_end(history)
    if known is not None and (known.id, known.n) == (started.id, n):
        return known
    with suppress(JournalFailed):
        if journal.is_complete(started.id):
            lines = list(journal.read_lines(started.id))
            return EndLine(started.id, *chain_to_end(history.rules, started, lines))
    return None


def _count_to_end(history: History) -> int:
    n = len(history.moments)
    while n > 1 and isinstance(history.moments[n - 1].event, AFTERWARDS):
        n -= 1
    return n


def refuse_signature(history: History, end: EndLine | None, event: Event) -> Refusal | None:
    """Refuse a signature that does not fit, so that none in a record is wrong.

    A hand may be closed without any. The end is signed once with each key of a seat.
    """
    if isinstance(event, EndSigned):
        return _refuse_end(history, end, event)
    if not isinstance(event, Sealed) or not (event.key or event.signature):
        return None
    assert history.state is not None
    text = seal_text(history.state.id, history.state.hands.round, event.seat, event.seal)
    return None if is_signature(event.key, text, event.signature) else _no_signature()


def _refuse_end(history: History, end: EndLine | None, event: EndSigned) -> Refusal | None:
    if end is None or event.line != end.n:
        return refusal("other_end", "T.end", "This is not the line with which the game ended.")
    if not is_signature(event.key, end_text(end.id, event.seat, end.n, end.chain), event.signature):
        return _no_signature()
    signed = (moment.event for moment in history.moments[end.n :])
    if any(isinstance(one, EndSigned) and one == event for one in signed):
        return refusal("signed_already", "T.end", "This phone has signed the end of the game.")
    return None


def _no_signature() -> Refusal:
    return refusal("wrong_signature", "S.seal", "This signature does not fit.")
