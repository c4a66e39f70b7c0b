"""Verify a record by three separate checks, and say the limits of each.

    consistent   every line is as a record writes it, and the chain ties them together
    legal        the rules allow every moment after those before it
    sealed       every hand that opened is what was sealed before

Laws: the record alone is enough, and nothing is believed that can be worked out. A hand that opened
is proven by its seal; one that the table entered is counted as entered, not as proven, and so is
one that was corrected. Anyone can compute a chain, play a legal game alone and seal for everyone,
so a record that passes may still be of a game that nobody played, and no check says whose game it
was. A check that rests on one that fails is not made.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

import msgspec

from companion.core.errors import Refusal
from companion.core.events import Entered, Event, Opened
from companion.core.i18n import N_, Message
from companion.core.table_events import AMENDMENTS
from companion.games import make_rulebook
from companion.games.rulebook import AnyRulebook
from companion.records.format import BadRecord, Record, parse_record
from companion.table.history import History, apply_event, event_union
from companion.table.permissions import TABLE_DEVICE, Author, check_request, check_running

NOT_GRANTED = N_("Moment {n} of the record is not granted by the rules: {use}")
SEAL_CODES = frozenset({"broken_seal", "bad_nonce"})
"""Refusals of the rules that speak of a seal."""
SAID = {
    ("consistent", "yes"): N_("Consistent: yes. {moments} lie in one chain."),
    ("consistent", "no"): N_("Consistent: no. {use}"),
    ("legal", "yes"): N_("By the rules: yes, each of them."),
    ("legal", "no"): N_("By the rules: no. {use}"),
    ("legal", "not_checked"): N_("By the rules: not checked to the end."),
    ("sealed", "yes"): N_(
        "Revealed as sealed: yes. {proven} choices were sealed before any of their round was"
        " revealed, {entered} were entered by the table without proof."
    ),
    ("sealed", "no"): N_("Revealed as sealed: no. {use}"),
    ("sealed", "not_checked"): N_("Revealed as sealed: not checked to the end."),
}
ENDS_EARLY = N_("The record ends before the game does.")
REST = N_(
    "No check proves that this game was played: anyone with the file can change it and recompute"
    " every hash."
)
Answer = Literal["yes", "no", "not_checked"]
DatedEvent = tuple[Event, str, float]
"""An event, its device, and its time."""


class GameProof(msgspec.Struct, frozen=True):
    """The counts of proven moments, or the first one refused, with the reason."""

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
    opened = [one for one in proof.history.moments if isinstance(one.event, Opened)]
    corrected = sum(isinstance(proof.history.event_of(one), Entered) for one in opened)
    return msgspec.structs.replace(
        proof, proven=proof.proven - corrected, entered=proof.entered + corrected
    )


def _check_moment(history: History, event: Event, via: str) -> Refusal | None:
    """Return the refusal of a moment by the rules, or None; `via` tells the author as far as it
    can."""
    if history.state is None:
        return history.rules.refuse(None, event)
    if isinstance(event, AMENDMENTS):
        seat = 0 if via == TABLE_DEVICE else getattr(event, "seat", 1)
        return check_request(history, event, Author(seat, via))
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


class RecordReport(msgspec.Struct, frozen=True):
    """The checks of one record by name, with a reason (`why`) if one fails, and the proof of a
    readable record."""

    checks: Mapping[str, Answer]
    why: Message | None = None
    moments: int = 0
    proof: GameProof | None = None

    @property
    def failed(self) -> tuple[str, ...]:
        """Return the names of the checks that say no."""
        return tuple(name for name, answer in self.checks.items() if answer == "no")

    def describe(self) -> Iterator[Message]:
        """Yield each check as a sentence, then the limits of all of them."""
        proof = self.proof
        counts = {"proven": proof.proven, "entered": proof.entered} if proof else {}
        facts = {"moments": self.moments, "use": self.why, **counts}
        for check in self.checks.items():
            yield Message(SAID[check], facts)
        if proof is not None and not self.failed:
            if not proof.history.is_over:
                yield Message(ENDS_EARLY)
            yield Message(REST)

    def list_facts(self) -> dict[str, object]:
        """Return the checks as plain data, with the counts of a record that could be read."""
        facts: dict[str, object] = {"checks": self.checks}
        if self.proof is None:
            return facts
        proof = self.proof
        counts = {"moments": proof.moments, "proven": proof.proven, "entered": proof.entered}
        return {**counts, "over": proof.history.is_over, **facts}


def check_record(data: bytes) -> RecordReport:
    """Make every check of these bytes."""
    unknown: dict[str, Answer] = {"legal": "not_checked", "sealed": "not_checked"}
    try:
        record = parse_record(data)
    except BadRecord as bad:
        return RecordReport({"consistent": "no", **unknown}, bad.say)
    proof = prove_game(make_rulebook(record.header.game), record_events(record))
    checks, why = unknown | {"legal": "yes", "sealed": "yes"}, None
    if proof.why is not None:
        checks = unknown | {"sealed" if proof.code in SEAL_CODES else "legal": "no"}
        why = Message(NOT_GRANTED, {"n": proof.wrong, "use": proof.why})
    return RecordReport({"consistent": "yes", **checks}, why, len(record.moments), proof)
