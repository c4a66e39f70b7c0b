"""The five checks of a record, told apart: what each of them proves, and no more.

    consistent   every line is as a record writes it, and the chain ties them together
    legal        the rules grant every moment after those before it
    sealed       every hand that opened is what was sealed before
    signed       every signature fits; which seats signed is said seat by seat
    known        its fingerprint is one that phones kept

Laws: anyone can compute a chain, play a legal game alone, seal for everyone, and sign with new
keys; so the first four prove a record only as far as its fingerprint is known from elsewhere. What
is not signed is unsigned, and no one is accused for it. A check that rests on one that fails is not
made.
"""

from collections.abc import Sequence
from typing import Literal

import msgspec

from companion.core.i18n import Message
from companion.games import make_rulebook
from companion.records.fingerprint import group_digits, read_fingerprint
from companion.records.format import Record, fingerprint, former_chain
from companion.records.parse import BadRecord, parse_record
from companion.records.signatures import SeatSignatures, count_signatures, find_wrong_signature
from companion.records.verify import (
    NOT_GRANTED,
    WRONG_SIGNATURE,
    GameProof,
    prove_game,
    record_events,
)

Name = Literal["consistent", "legal", "sealed", "signed", "known"]
Answer = Literal["yes", "no", "unsigned", "not_asked", "not_checked"]
NAMES: tuple[Name, ...] = ("consistent", "legal", "sealed", "signed", "known")
SEAL_CODES = frozenset({"broken_seal", "bad_nonce"})
"""Refusals of the rules that speak of a seal."""


class Check(msgspec.Struct, frozen=True):
    """What one check came to; `why` says what is wrong."""

    name: Name
    answer: Answer
    why: Message | None = None


class RecordReport(msgspec.Struct, frozen=True):
    """All checks of one record; without a record it could not even be read."""

    checks: tuple[Check, ...]
    record: Record | None = None
    proof: GameProof | None = None
    seats: tuple[SeatSignatures, ...] = ()

    @property
    def failed(self) -> tuple[Name, ...]:
        """Return the names of the checks that say no."""
        return tuple(check.name for check in self.checks if check.answer == "no")

    def answer(self, name: Name) -> Answer:
        """Return what this check came to."""
        return next(check.answer for check in self.checks if check.name == name)


def check_record(data: bytes, kept: Sequence[str] = ()) -> RecordReport:
    """Make every check of these bytes; `kept` are fingerprints that phones kept, as digits."""
    try:
        record = parse_record(data)
    except BadRecord as bad:
        rest = (Check(name, "not_checked") for name in NAMES[1:])
        return RecordReport((Check("consistent", "no", bad.say), *rest))
    proof = prove_game(make_rulebook(record.header.game), record_events(record))
    signed, seats = _check_signatures(record, proof)
    checks = (Check("consistent", "yes"), *_check_play(proof), signed, _compare(record, kept))
    return RecordReport(checks, record, proof, seats)


def _check_play(proof: GameProof) -> tuple[Check, Check]:
    """Return whether the rules grant every moment, and whether every hand is what was sealed."""
    if proof.why is None:
        return Check("legal", "yes"), Check("sealed", "yes")
    why = Message(NOT_GRANTED, {"n": proof.wrong, "use": proof.why})
    if proof.code in SEAL_CODES:
        return Check("legal", "not_checked"), Check("sealed", "no", why)
    return Check("legal", "no", why), Check("sealed", "not_checked")


def _check_signatures(record: Record, proof: GameProof) -> tuple[Check, tuple[SeatSignatures, ...]]:
    events = [event for event, _, _ in record_events(record)]
    wrong = find_wrong_signature(record, events, proof.rounds)
    if wrong is not None:
        why = Message(WRONG_SIGNATURE, {"n": wrong.n, "seat": wrong.seat})
        return Check("signed", "no", why), ()
    state = proof.history.state
    names = tuple(player.name for player in state.players) if state is not None else ()
    seats = count_signatures(record, events, names)
    is_signed = any(seat.standing in {"signed", "in_part"} for seat in seats)
    return Check("signed", "yes" if is_signed else "unsigned"), seats


def _compare(record: Record, kept: Sequence[str]) -> Check:
    """Compare the fingerprint with those that phones kept; older records had that of the last
    line."""
    if not kept:
        return Check("known", "not_asked")
    own = [fingerprint(record), group_digits(record.moments[-1].chain)]
    own += [group_digits(former_chain(record))] if former_chain(record) else []
    known = {read_fingerprint(each) for each in kept}
    return Check("known", "yes" if not known.isdisjoint(map(read_fingerprint, own)) else "no")
