"""Records and the journal: a game goes out as a record, and comes in again, or from elsewhere."""

import msgspec

from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.games import RULEBOOKS, rulebook
from companion.journal import Journal, own
from companion.records.format import Record, record
from companion.records.parse import BadRecord
from companion.records.proof import proven
from companion.table.history import History, begun, kinds, tell


def history_of(journal: Journal, id: str) -> History | None:
    """A game of this journal as it stands; None if this companion cannot tell."""
    lines = list(journal.lines(id))
    if not lines or lines[0].game not in RULEBOOKS:
        return None
    rules = rulebook(lines[0].game)
    kind = kinds(rules)
    try:
        return tell(rules, ((line.read(kind), line.via, line.at) for line in lines))
    except msgspec.DecodeError:
        return None


def record_of(journal: Journal, id: str) -> Record:
    """The record of one game of this journal."""
    if not journal.holds(id):
        raise Malformed(id, N_("There is no game {field} in this journal."))
    history = history_of(journal, id)
    if history is None:
        raise Malformed(id, N_("Game {field} is none that this companion knows."))
    started = begun(history)
    if started is None or not journal.whole(id):
        text = N_("Lines of game {field} are lost: it cannot be proven, so there is no record.")
        raise Malformed(id, text)
    told = ((line.at, line.via, bytes(line.event)) for line in journal.lines(id))
    return record(history.rules, id, started.rules, told)


def bring(journal: Journal, record: Record) -> bool:
    """Write a record into the journal; False if it is there already, to the letter."""
    proven(record)
    game, id = record.header.game, record.header.id
    moments = [(game, id, each.at, each.via, bytes(each.event)) for each in record.moments]
    if journal.holds(id):
        there = [line.own for line in journal.lines(id)]
        if there == [own(game, id, at, via, text.decode()) for _, _, at, via, text in moments]:
            return False
        text = N_("A different game of the id {field} is in the journal already.")
        raise BadRecord("different", id, text)
    journal.bring(moments)
    return True
