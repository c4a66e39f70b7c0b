"""Export records from the journal, and import them from elsewhere."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from companion.core.errors import Malformed, Refusal, refusal
from companion.core.events import Event, to_json
from companion.core.i18n import N_
from companion.games import explain_missing, game_names, make_rulebook
from companion.games.rulebook import AnyRulebook
from companion.journal import Journal, JournalFailed, JournalLine
from companion.records.format import Record, build_record, to_bytes
from companion.records.parse import BadRecord
from companion.records.verify import prove_record, record_events
from companion.table.history import History, build_history, event_union, started_event

GOES_ON = N_("Game {field} is still being played; its record would tell what lies face down.")


def decode_events(rules: AnyRulebook, lines: Iterable[JournalLine]) -> Iterator[Event]:
    """Yield the events of these lines; raise msgspec.DecodeError at one that is none."""
    decode = msgspec.json.Decoder(event_union(rules)).decode
    return (decode(line.event) for line in lines)


def make_record(journal: Journal, id: str, names: Sequence[str] = ()) -> Record:
    """Return the record of one game of this journal, with these names if there are any; raise
    Malformed if that cannot be."""
    lines = journal.read_lines(id)
    if not lines:
        raise Malformed(id, N_("There is no game {field} in this journal."))
    _require_box(id, lines[0].game)
    rules = make_rulebook(lines[0].game)
    dated = zip(decode_events(rules, lines), lines, strict=True)
    try:
        history = build_history(rules, ((event, line.via, line.at) for event, line in dated))
    except msgspec.DecodeError:
        raise Malformed(id, N_("Game {field} is none that this companion knows.")) from None
    started = started_event(history)
    if started is None:
        raise Malformed(id, N_("Game {field} has no beginning, so there is no record of it."))
    told = ((line.at, line.via, bytes(line.event)) for line in lines)
    return build_record(rules, id, started.rules, told, names)


def _require_box(id: str, game: str) -> None:
    """Raise Malformed if this box is not installed or cannot be used."""
    if game not in game_names():
        why = explain_missing(game)
        if why is not None:
            raise Malformed(id, N_("Game {field} cannot be read here. {use}"), use=why)
        text = N_("Game {field} was played with the box {game}, which no installed package brings.")
        raise Malformed(id, text, game=game)


def make_last_record(journal: Journal, last: History) -> Record | Refusal:
    """Return the record of the game that was played last here, or why it may not be had."""
    if not last.is_over:
        text = "The game goes on: its record would tell what lies face down."
        return refusal("under_way", "T.host", text)
    try:
        newest = journal.newest_game()
        if newest is None:
            return refusal("not_started", "T.host", "No game has been started yet.")
        return make_record(journal, newest)
    except (Malformed, JournalFailed) as failed:
        return Refusal("not_proven", "T.host", failed.say)


def import_record(journal: Journal, record: Record) -> bool:
    """Write a record into the journal, without the names in it; return False if the same game is
    there already."""
    proof = prove_record(record)
    game, id = record.header.game, record.header.id
    moments = [(game, id, at, via, to_json(event))
               for event, via, at in record_events(record)]  # fmt: skip
    if journal.has_game(id):
        there = [(id, line.at, line.via, line.event) for line in journal.read_lines(id)]
        if there == [(id, at, via, msgspec.Raw(text)) for _, _, at, via, text in moments]:
            return False
        text = N_("A different game of the id {field} is in the journal already.")
        raise BadRecord("different", id, text)
    journal.import_game(moments, proof.history.is_over)
    return True


def export_record(journal: Journal, id: str, names: Sequence[str] = ()) -> bytes:
    """Return the record of a game as a file, with these names if there are any; raise Malformed if
    it can still be played: then not even a hash of it may be shown."""
    record = make_record(journal, id, names)
    if journal.is_open_game(id):
        raise Malformed(id, GOES_ON)
    return to_bytes(record)
