"""Verify a recorded game: the rules grant every moment, and each hand was what it sealed.

Laws: nothing is believed that can be worked out. A hand that opened is proven by its seal; one that
the table entered is counted as entered, not as proven, and so is one that was corrected. The record
alone is enough for this. That its hashes fit proves nothing: anyone can compute a hash; only rules
and seals tell it from a game.
"""

from collections.abc import Iterable, Iterator

import msgspec

from companion.core.errors import Refusal
from companion.core.events import Entered, Event, Opened
from companion.core.i18n import N_, Message
from companion.core.table_events import AMENDMENTS
from companion.games import make_rulebook
from companion.games.rulebook import AnyRulebook
from companion.records.format import Record
from companion.records.parse import BadRecord
from companion.table.history import History, apply_event, event_union
from companion.table.permissions import Author, check_request, check_running

NOT_GRANTED = N_("Moment {n} of the record is not granted by the rules: {use}")
DatedEvent = tuple[Event, str, float]
"""An event, its device, and its time."""


class GameProof(msgspec.Struct, frozen=True):
    """The counts of what was proven, or the first moment not granted, and why."""

    history: History
    moments: int = 0
    proven: int = 0
    entered: int = 0
    wrong: int = 0
    why: Message | None = None
    code: str = ""


def prove_game(rules: AnyRulebook, moments: Iterable[DatedEvent]) -> GameProof:
    """Replay a game from its first moment; stop at the first that is wrong."""
    proof = GameProof(History(rules))
    for n, (event, via, when) in enumerate(moments, 1):
        refused = _check_moment(proof.history, event, via)
        if refused is not None:
            return msgspec.structs.replace(proof, wrong=n, why=refused.say, code=refused.code)
        proof = GameProof(
            apply_event(proof.history, event, via, when),
            n,
            proof.proven + isinstance(event, Opened),
            proof.entered + isinstance(event, Entered),
        )
    corrected = count_corrected_hands(proof.history)
    return msgspec.structs.replace(
        proof, proven=proof.proven - corrected, entered=proof.entered + corrected
    )


def count_corrected_hands(history: History) -> int:
    """Count the hands that opened, and for which the table entered something else since."""
    opened = [one for one in history.moments if isinstance(one.event, Opened)]
    return sum(isinstance(history.event_of(one), Entered) for one in opened)


def _check_moment(history: History, event: Event, via: str) -> Refusal | None:
    """Return the refusal of a moment by the rules, or None; `via` tells the author as far as it
    can."""
    if history.state is None:
        return history.rules.refuse(None, event)
    if isinstance(event, AMENDMENTS):
        return check_request(history, event, Author(getattr(event, "seat", 1), via))
    return check_running(history) or history.rules.refuse(history.state, event)


def record_events(record: Record) -> Iterator[DatedEvent]:
    """Yield the events of a record, each with its device and its time."""
    kind: object = event_union(make_rulebook(record.header.game))
    for each in record.moments:
        yield msgspec.json.decode(each.event, type=kind), each.via, each.at


def prove_record(record: Record) -> GameProof:
    """Prove a record; raise BadRecord if the rules do not grant it."""
    proof = prove_game(make_rulebook(record.header.game), record_events(record))
    if proof.why is not None:
        raise BadRecord("not_granted", "record", NOT_GRANTED, n=proof.wrong, use=proof.why)
    return proof
