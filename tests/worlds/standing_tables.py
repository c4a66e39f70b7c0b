"""Tables in any state of any game: a real journal and the requests that led there."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random

from companion.core.deck import Deck
from companion.core.events import Event
from companion.core.table_events import Ended, Frozen
from companion.games import make_rulebook
from companion.journal import Journal
from companion.table.permissions import HOST_AUTHOR, Author
from companion.table.table import Table
from tests.worlds.left_open import closed_later
from tests.worlds.rulebook_players import Dice, Evening

SEATS = {"bankueberfall": 3, "banque_fatale": 3, "robby_solo": 4}
STARTED = {"robby_solo": {"junior": True}}
READER = Author(0, "reader 1")
NEVER, FROZEN, ENDED = "never begun", "frozen", "ended"
LAST = {FROZEN: (Frozen(1), Author(1, "phone 1")), ENDED: (Ended(), HOST_AUTHOR)}


@cache
def played(game: str) -> Evening:
    """A whole game, the same each time."""
    return Evening(game, Dice(Random(game)), SEATS[game], **STARTED.get(game, {})).play()


def states(game: str) -> dict[str, int]:
    """The states in which a table is worth a look: by name, after so many events.

    Every phase as it was first reached with a verdict on the table, if there ever was one.
    """
    found: dict[str, int] = {}
    for after, state in enumerate(played(game).states[1:], 1):
        if state.phase not in found or (state.verdict and not _told(game, found[state.phase])):
            found[state.phase] = after
    some = max(found.values()) // 2
    return {NEVER: 0, **found, FROZEN: some, ENDED: some}


def _told(game: str, after: int) -> bool:
    return played(game).states[after].verdict is not None


def table(path: Path, game: str, name: str) -> Table:
    """A table of this game in this state."""
    rules, evening = make_rulebook(game), played(game)
    standing = Table(rules, closed_later(Journal(path)), Deck({}), lambda: 0.0)
    play_on(standing, evening.events[: states(game)[name]])
    if name in LAST:
        assert standing.request(*LAST[name]) is None
    return standing


def play_on(standing: Table, events: Sequence[Event]) -> None:
    """These happen; the first one of a game starts it."""
    for event in events:
        if not standing.version:
            assert standing.start(event, HOST_AUTHOR) is None  # type: ignore[arg-type]
        else:
            assert any(standing.request(event, one) is None for one in _authors(event)), event


def _authors(event: Event) -> tuple[Author, ...]:
    """Whoever may state this: its own seat, or a reader, or the table."""
    seat = getattr(event, "seat", 0)
    return (Author(seat, f"phone {seat}"), READER) if seat else (READER, HOST_AUTHOR)
