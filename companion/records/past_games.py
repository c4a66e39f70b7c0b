"""Past games as a list shows them, from the index of the journal or, once, from their lines.

Laws: what the index does not know is worked out from the journal and then kept, so that only the
first list of a long journal takes long. A game of which lines are lost is worked out again each
time.
"""

from collections.abc import Iterator, Sequence
from functools import reduce
from pathlib import Path

import msgspec

from companion.core.events import Event, Started
from companion.core.i18n import Language, message
from companion.core.pseudonyms import word_seats
from companion.core.table_events import AMENDMENTS
from companion.games import find_game, game_names, make_rulebook
from companion.games.game_state import GameState
from companion.games.rulebook import AnyRulebook
from companion.journal import Journal, JournalLine
from companion.journal.game_index import IndexedGame, add_to_index, read_index
from companion.journal.line import hash_parts
from companion.journal.reader import StoredGame
from companion.records.format import FORMAT_VERSION
from companion.records.store import decode_events
from companion.table.history import History, build_history, started_event

FACTS_VERSION = 3
"""Raise it when the same lines lead to other facts: then every game is worked out again."""
GAMES_AT_ONCE = 100
"""Games that are worked out before they are kept."""


class GameFacts(msgspec.Struct, frozen=True):
    """What a list shows of a game beside its place in the journal."""

    basis: str
    """A hash of the versions that these facts depend on."""
    players: tuple[str, ...] | None = None
    """None where no game has begun in these lines, or none that this companion knows."""
    is_over: bool = False


class PastGame(msgspec.Struct, frozen=True):
    """A game of the journal and what a list shows of it."""

    stored: StoredGame
    title: str
    facts: GameFacts

    @property
    def has_box(self) -> bool:
        """Return whether its box is installed and can be used."""
        return self.stored.game in game_names()


class ListedGame(msgspec.Struct, frozen=True):
    """A past game as it is listed for people and for programs; `at` is in seconds since 1970."""

    id: str
    game: str
    title: str
    at: float
    lines: int
    players: tuple[str, ...] | None
    is_over: bool
    is_complete: bool
    has_box: bool


class GameList(msgspec.Struct, frozen=True):
    """The past games of a journal, the oldest first."""

    games: tuple[ListedGame, ...]


def list_game(game: PastGame) -> ListedGame:
    """Return a past game as it is listed."""
    stored, facts = game.stored, game.facts
    return ListedGame(
        stored.id,
        stored.game,
        game.title,
        stored.at,
        stored.lines,
        facts.players,
        facts.is_over,
        stored.is_complete,
        game.has_box,
    )


def list_past_games(journal: Journal, index: Path | None) -> Iterator[PastGame]:
    """Yield every game of the journal, the oldest first; keep in the index what was not in it."""
    games = {game.id: game for game in journal.list_games()}
    known = {} if index is None else read_index(index, journal)
    fresh = list[IndexedGame]()
    for id in list(games):
        facts = _indexed_facts(known.get(id), games[id])
        if facts is None:
            notices = len(journal.notices)
            facts = _work_out(journal, games[id])
            if len(journal.notices) > notices:  # Damage was met: other lines are left.
                games |= {game.id: game for game in journal.list_games()}
                facts = _work_out(journal, games[id])
            fresh.append(IndexedGame(id, games[id].last, games[id].lines, _encode(facts)))
        if len(fresh) >= GAMES_AT_ONCE:
            _keep(journal, index, fresh)
        yield PastGame(games[id], _title(games[id].game), _name_players(journal, id, facts))
    _keep(journal, index, fresh)


def _name_players(journal: Journal, id: str, facts: GameFacts) -> GameFacts:
    """Return what is listed of a game with the names that are kept; the index has none of them."""
    named = facts.players and journal.names.name_players(id, facts.players)
    return facts if named == facts.players else msgspec.structs.replace(facts, players=named)


def describe_columns(game: ListedGame, when: str, words: Language) -> Iterator[str]:
    """Yield the columns of one game in a list: id, title, time, moments, players, and its state."""
    yield game.id
    yield game.title
    yield when
    yield words(message("{moments}", moments=game.lines))
    if game.players is not None:
        yield word_seats(words.render_list(game.players), words)
        yield words(message("finished") if game.is_over else message("not finished"))
    if not game.has_box:
        yield words(message("the box is not installed"))
    if not game.is_complete:
        yield words(message("lines are lost"))


def describe_ended_game(journal: Journal, history: History) -> IndexedGame | None:
    """Return the entry of the game that was played last, which is this one; None if none ended."""
    started, id = started_event(history), journal.newest_game()
    if started is None or not history.is_over or id != started.id or not journal.is_complete(id):
        return None
    lines = list(journal.read_lines(id))
    facts = _facts_of(history.rules, history.state, history.is_over)
    first = next(decode_events(history.rules, lines[:1]))
    if isinstance(first, Started):  # The index has what the journal has: pseudonyms.
        facts = msgspec.structs.replace(facts, players=first.players)
    return IndexedGame(id, lines[-1].n, len(lines), _encode(facts))


def _work_out(journal: Journal, game: StoredGame) -> GameFacts:
    """Fold a game from its lines."""
    lines, unknown = list(journal.read_lines(game.id)), GameFacts(_basis(game.game))
    if game.game not in game_names():
        return unknown
    rules = make_rulebook(game.game)
    try:
        events = list(decode_events(rules, lines))
    except msgspec.DecodeError:
        return unknown
    return _facts_of(rules, *_fold(rules, events, lines))


def _fold(
    rules: AnyRulebook, events: Sequence[Event], lines: Sequence[JournalLine]
) -> tuple[GameState | None, bool]:
    """Return the state that the events lead to, and whether nothing more can be played.

    Only amendments need a whole history, which takes ten times as long.
    """
    if any(isinstance(event, AMENDMENTS) for event in events):
        dated = zip(events, lines, strict=True)
        history = build_history(rules, ((event, line.via, line.at) for event, line in dated))
        return history.state, history.is_over
    state: GameState | None = reduce(rules.apply, events, None)
    return state, History(rules, state).is_over


def _facts_of(rules: AnyRulebook, state: GameState | None, is_over: bool) -> GameFacts:
    players = None if state is None else tuple(player.name for player in state.players)
    return GameFacts(_basis(rules.box.game), players, is_over)


def _indexed_facts(entry: IndexedGame | None, game: StoredGame) -> GameFacts | None:
    """Return what the index knows of this game, if it knows these very lines of it."""
    if (
        entry is None
        or not game.is_complete
        or (entry.last, entry.lines) != (game.last, game.lines)
    ):
        return None
    try:
        facts = msgspec.json.decode(entry.facts, type=GameFacts)
    except msgspec.DecodeError:
        return None
    if game.game not in game_names():  # Nothing newer can be worked out.
        return facts
    return facts if facts.basis == _basis(game.game) else None


def _keep(journal: Journal, index: Path | None, fresh: list[IndexedGame]) -> None:
    """Add what was worked out to the index, unless the journal is damaged."""
    if index is not None and fresh and not journal.notices:
        add_to_index(index, journal, journal.end, fresh)
    fresh.clear()


def _encode(facts: GameFacts) -> str:
    return msgspec.json.encode(facts).decode()


def _title(game: str) -> str:
    return find_game(game).standard_box().title if game in game_names() else game


def _basis(game: str) -> str:
    version = find_game(game).rulebook.version if game in game_names() else 0
    return hash_parts(FACTS_VERSION, FORMAT_VERSION, game, _title(game), version).hex()[:16]
