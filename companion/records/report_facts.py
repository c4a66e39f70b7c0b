"""A report on a record as plain data, for programs."""

import msgspec

from companion.records.checks import RecordReport
from companion.records.fingerprint import fingerprint_words
from companion.records.format import end_chain, fingerprint


def list_facts(report: RecordReport) -> dict[str, object]:
    """Return the checks as data, with the counts and the seats of a record that could be read."""
    facts: dict[str, object] = {"checks": {check.name: check.answer for check in report.checks}}
    if report.record is None or report.proof is None:
        return facts
    proof, digits = report.proof, fingerprint(report.record)
    counts = {"moments": proof.moments, "proven": proof.proven, "entered": proof.entered}
    seats = [{**msgspec.structs.asdict(seat), "standing": seat.standing} for seat in report.seats]
    over, words = proof.history.is_over, fingerprint_words(end_chain(report.record))
    return {**counts, "over": over, "fingerprint": digits, "words": words, **facts, "seats": seats}
