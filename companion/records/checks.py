"""The three checks of a record, told apart: what each of them proves, and no more.

    consistent   every line is as a record writes it, and the chain ties them together
    legal        the rules allow every moment after those before it
    sealed       every hand that opened is what was sealed before

Laws: anyone can compute a chain, play a legal game alone and seal for everyone, so a record that
passes may still be of a game that nobody played, and no check says whose game it was. A check that
rests on one that fails is not made.
"""

from collections.abc import Iterator
from typing import Literal

import msgspec

from companion.core.i18n import N_, Message
from companion.games import make_rulebook
from companion.records.format import Record
from companion.records.parse import BadRecord, parse_record
from companion.records.verify import NOT_GRANTED, GameProof, prove_game, record_events

Name = Literal["consistent", "legal", "sealed"]
Answer = Literal["yes", "no", "not_checked"]
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
    "No check tells whether this game was played: whoever has the file can change it and compute"
    " every hash again."
)


class Check(msgspec.Struct, frozen=True):
    """What one check came to; `why` says what is wrong."""

    name: Name
    answer: Answer
    why: Message | None = None


class RecordReport(msgspec.Struct, frozen=True):
    """The checks of one record; without a record it could not even be read."""

    checks: tuple[Check, ...]
    record: Record | None = None
    proof: GameProof | None = None

    @property
    def failed(self) -> tuple[Name, ...]:
        """Return the names of the checks that say no."""
        return tuple(check.name for check in self.checks if check.answer == "no")


def check_record(data: bytes) -> RecordReport:
    """Make every check of these bytes."""
    try:
        record = parse_record(data)
    except BadRecord as bad:
        rest = (Check("legal", "not_checked"), Check("sealed", "not_checked"))
        return RecordReport((Check("consistent", "no", bad.say), *rest))
    proof = prove_game(make_rulebook(record.header.game), record_events(record))
    return RecordReport((Check("consistent", "yes"), *_check_play(proof)), record, proof)


def _check_play(proof: GameProof) -> tuple[Check, Check]:
    """Return whether the rules allow every moment, and whether every hand is what was sealed."""
    if proof.why is None:
        return Check("legal", "yes"), Check("sealed", "yes")
    why = Message(NOT_GRANTED, {"n": proof.wrong, "use": proof.why})
    if proof.code in SEAL_CODES:
        return Check("legal", "not_checked"), Check("sealed", "no", why)
    return Check("legal", "no", why), Check("sealed", "not_checked")


def describe_report(report: RecordReport) -> Iterator[Message]:
    """Yield each check as a sentence, and what none of them tells."""
    for check in report.checks:
        yield Message(SAID[check.name, check.answer], _list_counts(report, check))
    if report.proof is not None and not report.failed:
        if not report.proof.history.is_over:
            yield Message(ENDS_EARLY)
        yield Message(REST)


def _list_counts(report: RecordReport, check: Check) -> dict[str, object]:
    """Return the facts of a check's sentence."""
    if check.answer == "no":
        return {"use": check.why}
    if report.record is None or report.proof is None:
        return {}
    proof = report.proof
    counts = {"proven": proof.proven, "entered": proof.entered}
    return {"moments": len(report.record.moments), **counts}


def list_facts(report: RecordReport) -> dict[str, object]:
    """Return the checks as plain data, with the counts of a record that could be read."""
    facts: dict[str, object] = {"checks": {check.name: check.answer for check in report.checks}}
    if report.proof is None:
        return facts
    proof = report.proof
    counts = {"moments": proof.moments, "proven": proof.proven, "entered": proof.entered}
    return {**counts, "over": proof.history.is_over, **facts}
