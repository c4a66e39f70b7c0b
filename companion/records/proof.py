"""The proof of a game: that its rules granted every moment, and that each hand was what it sealed.

Law: nothing is believed that can be worked out. A hand that opened is proven by its seal; one that
the table entered is counted as entered, not as proven. Whoever has the record can do this alone.
"""

from collections.abc import Iterable

import msgspec

from companion.core.errors import Refusal
from companion.core.events import Entered, Event, Opened
from companion.core.i18n import Say
from companion.core.table_events import AMENDMENTS
from companion.games.rulebook import Rulebook
from companion.table.history import History, happen
from companion.table.permissions import Author, refuse, stands_still

Told = tuple[Event, str, float]
"""An event, through what it came, and when."""


class Proof(msgspec.Struct, frozen=True):
    """What was proven, or the first moment that the rules did not grant, and why."""

    history: History
    moments: int = 0
    proven: int = 0
    entered: int = 0
    wrong: int = 0
    why: Say | None = None


def prove(rules: Rulebook, moments: Iterable[Told]) -> Proof:
    """Go through a game from its first moment; stop at the first that is wrong."""
    proof = Proof(History(rules))
    for n, (event, via, when) in enumerate(moments, 1):
        refused = _refused(proof.history, event, via)
        if refused is not None:
            return msgspec.structs.replace(proof, wrong=n, why=refused.say)
        proof = Proof(
            happen(proof.history, event, via, when),
            n,
            proof.proven + isinstance(event, Opened),
            proof.entered + isinstance(event, Entered),
        )
    return proof


def _refused(history: History, event: Event, via: str) -> Refusal | None:
    """Why the rules do not grant this; who spoke is known only as far as the line says it."""
    if history.state is None:
        return history.rules.refuse(None, event)
    if isinstance(event, AMENDMENTS):
        return refuse(history, event, Author(getattr(event, "seat", 1), via))
    return stands_still(history) or history.rules.refuse(history.state, event)
