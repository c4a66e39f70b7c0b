"""A game that is resumed: its lines are read back, and the tracker is led along.

Law: the game resumed is the newest that was played here, and of the box on this table. It is not
resumed if its beginning is lost, a line cannot be parsed, or it was put away for the next group. A
game that is over is resumed until then, so that its end stays on the screens.
"""

import msgspec

from companion.core.deck import Deck
from companion.core.events import Event
from companion.core.table_events import Cleared
from companion.games.game_state import GameState
from companion.games.rulebook import AnyRulebook
from companion.journal import Journal, JournalLine
from companion.table.history import History, apply_event, event_union
from companion.tracking.tracker import Tracker


def resume_history(
    rules: AnyRulebook, journal: Journal, deck: Deck | None, tracker: Tracker
) -> History:
    """Return the game to resume as its lines leave it, and lead the tracker along; an empty one if
    there is none."""
    history = History(rules)
    for line, event in _past_events(rules, journal):
        history = apply_event(history, event, line.via, line.at)
        place = getattr(event, "place", 0) or _reader_place(line.via)
        tags = _newest_tags(line.tag, deck, history.state)
        tracker.follow_event(history.state, event, place, tags)
    tracker.doubt_sweep()
    return history


def _past_events(rules: AnyRulebook, journal: Journal) -> list[tuple[JournalLine, Event]]:
    """Return the lines of the game to resume with their events; empty if there is none."""
    id = journal.newest_game(rules.box.game)
    lines = journal.read_lines(id) if id else []
    if not lines or lines[0].game != rules.box.game:
        return []
    try:
        kind = event_union(rules)
        found = [(line, line.decode_event(kind)) for line in lines]
    except msgspec.DecodeError:
        return []
    put_away = isinstance(found[-1][1], Cleared)
    return [] if put_away or rules.refuse(None, found[0][1]) is not None else found


def _newest_tags(noted: str, deck: Deck | None, state: GameState | None) -> tuple[str, ...]:
    """Return the tags noted in a line as those that have come for them in this game since."""
    tags = tuple(filter(None, noted.split(",")))
    if deck is None or not deck.replaced or state is None:
        return tags
    parts = (tag.partition("@") for tag in tags)
    return tuple(deck.mark_in_game(tag, state.id) + at + place for tag, at, place in parts)


def _reader_place(via: str) -> int:
    """Return the place whose reader brought this, or 0."""
    word, _, place = via.partition(" ")
    return int(place) if word == "reader" and place.isdecimal() else 0
