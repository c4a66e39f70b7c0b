"""The past games of a journal: list them, export them as records, and import those of elsewhere.

Law: nothing is folded for a list. Whether a game is over was written with its last line.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from companion.core.errors import Malformed, Refusal, refusal
from companion.core.events import Event, to_json
from companion.core.i18n import N_, Language, message, seat_keys
from companion.games import explain_missing, game_names, list_games, make_rulebook
from companion.games.rulebook import AnyRulebook
from companion.journal import Journal, JournalFailed, JournalLine
from companion.records.format import BadRecord, Record, build_record, to_bytes
from companion.records.verify import prove_record, record_events
from companion.table.history import History, build_history, event_union, started_event

NO_GAME = N_("Game {field} is none that this companion knows.")
GOES_ON = N_("Game {field} is still being played; its record would show the face-down cards.")


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
        raise Malformed(id, NO_GAME) from None
    started = started_event(history)
    if started is None:
        raise Malformed(id, NO_GAME)
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
    started = started_event(last)
    if started is not None and not last.is_over:
        return refusal("under_way", "T.host", GOES_ON, field=started.id)
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


# Past games as a list shows them.


class ListedGame(msgspec.Struct, frozen=True):
    """A past game as it is listed for people and for programs; `at` is in seconds since 1970.

    `players` counts them; None where no game has begun in its lines, or none that this companion
    knows. `names` are theirs by seat, "" for one that is not known.
    """

    id: str
    game: str
    title: str
    at: float
    lines: int
    players: int | None
    names: tuple[str, ...]
    is_over: bool
    has_box: bool
    """Whether its box is installed and can be used."""


class GameList(msgspec.Struct, frozen=True):
    """The past games of a journal, the oldest first."""

    games: tuple[ListedGame, ...]


class _Started(msgspec.Struct):
    """Fields of a game's first event that a list shows."""

    players: int | None = None


def list_past_games(journal: Journal, names: Mapping[str, Sequence[str]]) -> Iterator[ListedGame]:
    """Yield every game of the journal, the oldest first; `names` has those of each game by seat."""
    installed = {game.name: game.standard_box().title for game in list_games()}
    first_events = journal.first_events()
    for game in journal.list_games():
        has_box = game.game in installed
        players = _read_players(first_events.get(game.id, "")) if has_box else None
        yield ListedGame(
            game.id,
            game.game,
            installed.get(game.game, game.game),
            game.at,
            game.lines,
            players,
            tuple(names.get(game.id, ())),
            game.is_over,
            has_box,
        )


def describe_columns(game: ListedGame, when: str, words: Language) -> Iterator[str]:
    """Yield the columns of one game in a list: id, title, time, moments, players, and its state."""
    yield game.id
    yield game.title
    yield when
    yield words(message("{moments}", moments=game.lines))
    if game.players is not None:
        yield words.with_names(game.names).render_players(seat_keys(game.players))
        yield words(message("finished") if game.is_over else message("not finished"))
    if not game.has_box:
        yield words(message("the box is not installed"))


def _read_players(event: str) -> int | None:
    try:
        return msgspec.json.decode(event, type=_Started).players
    except msgspec.DecodeError:
        return None
