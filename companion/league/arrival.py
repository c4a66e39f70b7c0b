"""A record arrives at a league: is it a whole, proven game that was begun for one of its sheets?

Laws: a record is believed for what it proves by itself (chain, rules, seals, signatures), and for
the code of a sheet in the id of its game, which every seal and signature cover. The names in it say
nothing: who sat where stands on the sheet. What is refused is refused with one sentence.
"""

import hashlib
from typing import Literal

import msgspec

from companion.core.i18n import N_, Message, message
from companion.core.sheet_code import code_of_id
from companion.league.book import GameArrived
from companion.league.points import find_places
from companion.league.state import League, LeagueSheet
from companion.records.checks import RecordReport, check_record
from companion.records.format import Record, end_chain

Code = Literal[
    "consistent", "legal", "sealed", "signed", "foreign", "other_game", "unfinished", "other_seats",
    "phones", "doubled", "second", "not_taken", "other_sheet", "changed", "other_result",
]  # fmt: skip
"""Why a record does not count."""
NOT_TAMPERED = ("consistent", "legal", "sealed", "signed")

SHEET = N_("round {round}, table {table}")
DOUBLED = N_("This is the game of {use}, and the league has it already.")
CHANGED = N_("This record of {use} is another one than the league has of the same game.")
SECOND = N_("This is a second game of {use}; the league counts the one that arrived first.")


class Refused(msgspec.Struct, frozen=True):
    """Why a record does not count."""

    code: Code
    say: Message


def name_sheet(sheet: LeagueSheet | GameArrived) -> Message:
    """Return a sheet in words."""
    return Message(SHEET, {"round": sheet.round, "table": sheet.table})


def check_arrival(league: League, data: bytes) -> tuple[LeagueSheet, GameArrived] | Refused:
    """Return the sheet of a record and what it brings, or why it does not count.

    Whether the sheet has a result already is not asked here.
    """
    report = check_record(data)
    record = report.record
    for check in report.checks:
        if check.name in NOT_TAMPERED and check.why is not None:
            return Refused(check.name, check.why)  # type: ignore[arg-type]
    assert record is not None
    sheet = league.sheets.get(code_of_id(record.header.id))
    if sheet is None:
        return Refused("foreign", _explain_foreign(record))
    refused = _refuse_game(league, sheet, report, record)
    return refused or (sheet, _make_arrived(sheet, record, report, data))


def _explain_foreign(record: Record) -> Message:
    if not code_of_id(record.header.id):
        return message("This game was not begun for a league: its id bears no code of a sheet.")
    return message(
        "This game was begun for a sheet that this league does not have: for another league, or"
        " for pairings that were changed since."
    )


def _refuse_game(
    league: League, sheet: LeagueSheet, report: RecordReport, record: Record
) -> Refused | None:
    assert report.proof is not None
    history = report.proof.history
    state = history.state
    if record.header.game != league.founded.game:
        text = message("This is a game of {title}, which this league does not play.",
                       title=record.header.title)  # fmt: skip
        return Refused("other_game", text)
    if state is None or not history.is_over or history.ended or state.score is None:
        return Refused("unfinished", message("This game was not played to its end."))
    if len(state.players) != len(sheet.members):
        text = message("There are {n} players in this game, and {several} on the sheet of {use}.",
                       n=len(state.players), several=str(len(sheet.members)),
                       use=name_sheet(sheet))  # fmt: skip
        return Refused("other_seats", text)
    silent = [seat.seat for seat in report.seats if not (seat.ended and seat.keys)]
    if league.founded.phones and silent:
        return Refused("phones", message("No phone has signed the end for seat {seat}, which this"
                                         " league asks for.", seat=silent[0]))  # fmt: skip
    return None


def _make_arrived(
    sheet: LeagueSheet, record: Record, report: RecordReport, data: bytes
) -> GameArrived:
    assert report.proof is not None
    state = report.proof.history.state
    assert state is not None
    assert state.score is not None
    names = [player.name for player in state.players]
    totals = tuple(state.score.totals[name] for name in names)
    file = hashlib.sha256(data).hexdigest()
    return GameArrived(
        sheet.round, sheet.table, record.header.id, end_chain(record), file, totals,
        find_places(state.score, names),
    )  # fmt: skip


def refuse_again(league: League, sheet: LeagueSheet, arrived: GameArrived) -> Refused | None:
    """Return why a sound record does not count once its sheet has a result."""
    known = league.results.get(sheet.code)
    if known is None:
        return None
    use = {"use": name_sheet(sheet)}
    if known.game != arrived.game:
        return Refused("second", Message(SECOND, use))
    if known.chain != arrived.chain:
        return Refused("changed", Message(CHANGED, use))
    return Refused("doubled", Message(DOUBLED, use))
