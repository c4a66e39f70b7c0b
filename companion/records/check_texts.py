"""The checks of a record in words, which claim nothing more than each of them proves."""

from collections.abc import Iterator

from companion.core.i18n import N_, Message
from companion.records.checks import Check, RecordReport
from companion.records.fingerprint import fingerprint_words, group_digits
from companion.records.format import end_chain, fingerprint, former_chain
from companion.records.signatures import SeatSignatures

SAID = {
    ("consistent", "no"): N_("Consistent: no. {use}"),
    ("legal", "yes"): N_("By the rules: yes, each of them."),
    ("legal", "no"): N_("By the rules: no. {use}"),
    ("legal", "not_checked"): N_("By the rules: not checked to the end."),
    ("sealed", "no"): N_("Revealed as sealed: no. {use}"),
    ("sealed", "not_checked"): N_("Revealed as sealed: not checked to the end."),
    ("signed", "yes"): N_("Signed: every signature fits."),
    ("signed", "no"): N_("Signed: no. {use}"),
    ("signed", "unsigned"): N_(
        "Signed: by no seat. So it is with bots, shared phones, lost keys and older records."
    ),
    ("signed", "not_checked"): N_("Signed: not checked."),
    ("known", "yes"): N_("Fingerprint: one of those that were given."),
    ("known", "no"): N_("Fingerprint unknown: none of those that were given is of this record."),
    ("known", "not_asked"): N_("Fingerprint: not compared."),
    ("known", "not_checked"): N_("Fingerprint: not compared."),
}
CONSISTENT = N_("Consistent: yes. {moments} lie in one chain.")
SEALED = N_(
    "Revealed as sealed: yes. {proven} choices were sealed before any of their round was revealed,"
    " {entered} were entered by the table without proof."
)
SEATS = {
    "unsigned": N_("{who}: unsigned."),
    "shared": N_("{who}: unsigned, as one phone signed for several seats."),
}
SIGNED = N_("{who}: {signed} of {closed} seals, and the end.")
SIGNED_NO_END = N_("{who}: {signed} of {closed} seals, not the end.")
SEVERAL_KEYS = N_("{use} Several phones one after the other signed.")
ENDS_EARLY = N_("The record ends before the game does.")
FINGERPRINT = N_("Its fingerprint is {digits}, in words: {words}.")
REWRITTEN = N_(
    "The names were erased from this record after the game, and its lines tied together again."
    " Its fingerprint was {digits} before; phones may have kept and signed that one."
)
REST = N_(
    "Seals, keys and chain can all be made again, and only a fingerprint tells: compare it with"
    " what the phones kept at the end of the game (--fingerprint)."
)


def describe_report(report: RecordReport) -> Iterator[Message]:
    """Yield each check as a sentence, the seats below their signatures, and the fingerprint."""
    for check in report.checks:
        yield _describe_check(report, check)
        if check.name == "signed" and check.answer == "yes":
            yield from map(describe_seat, report.seats)
    if report.record is None or report.proof is None:
        return
    if not report.failed and not report.proof.history.is_over:
        yield Message(ENDS_EARLY)
    words = fingerprint_words(end_chain(report.record))
    if former := former_chain(report.record):
        yield Message(REWRITTEN, {"digits": group_digits(former)})
    yield Message(FINGERPRINT, {"digits": fingerprint(report.record), "words": words})
    if report.answer("known") != "yes":
        yield Message(REST)


def _describe_check(report: RecordReport, check: Check) -> Message:
    proof, record = report.proof, report.record
    if (check.name, check.answer) == ("consistent", "yes") and record is not None:
        return Message(CONSISTENT, {"moments": len(record.moments)})
    if (check.name, check.answer) == ("sealed", "yes") and proof is not None:
        return Message(SEALED, {"proven": proof.proven, "entered": proof.entered})
    return Message(SAID[check.name, check.answer], {} if check.why is None else {"use": check.why})


def describe_seat(seat: SeatSignatures) -> Message:
    """Return what a seat signed, as a sentence."""
    facts = {"who": [seat.name], "signed": seat.signed, "closed": seat.closed}
    if seat.standing in SEATS:
        return Message(SEATS[seat.standing], facts)
    said = Message(SIGNED if seat.ended else SIGNED_NO_END, facts)
    return said if len(seat.keys) == 1 else Message(SEVERAL_KEYS, {"use": said})
