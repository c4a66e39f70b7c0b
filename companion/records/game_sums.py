"""A game that is over in a few numbers: how long, how many seats, how often the judge was called.

Laws: of the people at the table only their number is told, and of the game nothing that was on a
card. What a game lasted is summed up from one moment to the next: a clock that was set back
between two of them adds nothing, and one that was set forward, or a break, adds QUIET at most.
"""

from collections.abc import Sequence
from itertools import pairwise

import msgspec

from companion.core.events import Event, Started
from companion.core.table_events import (
    Corrected,
    Counted,
    Ended,
    FloorActed,
    Found,
    Frozen,
    Undone,
)
from companion.games import find_game, game_names
from companion.journal.line import JournalLine, hash_parts
from companion.journal.reader import JournalReader, StoredGame
from companion.records.format import count_to_end

QUIET = 900.0
"""The most seconds of play between two moments; what is longer was a break."""


class _TaggedLine(msgspec.Struct):
    event: str


class _Players(msgspec.Struct):
    players: tuple[str, ...]


_read_tag = msgspec.json.Decoder(_TaggedLine).decode
_read_players = msgspec.json.Decoder(_Players).decode


def _tag_of(kind: type[Event]) -> str:
    return str(kind.__struct_config__.tag)


STARTED, FROZEN, ENDED = _tag_of(Started), _tag_of(Frozen), _tag_of(Ended)
FLOOR_ACTED = _tag_of(FloorActed)
PUT_RIGHT = frozenset(_tag_of(kind) for kind in (Undone, Corrected, Found, Counted))


class GameSums(msgspec.Struct, frozen=True):
    """One game; `line` is the number of its last line in the journal of its table."""

    id: str
    line: int
    game: str
    title: str
    ended: float
    """The time of its last moment, by the clock of the Pi."""
    seconds: float
    seats: int
    judge_called: int
    put_right: int
    is_cut_short: bool
    """Whether the table ended it before its end."""


def sum_up_game(stored: StoredGame, lines: Sequence[JournalLine]) -> GameSums | None:
    """Return the numbers of a game; None if the lines are lost with which it began."""
    tags = [_read_tag(line.event).event for line in lines]
    if not tags or tags[0] != STARTED:
        return None
    end = count_to_end([line.event for line in lines])
    played = zip(lines[:end], tags, strict=False)
    times = [line.at for line, tag in played if tag != FLOOR_ACTED]  # Some were before the game.
    return GameSums(
        hash_parts(stored.id).hex()[:16],
        stored.last,
        stored.game,
        find_game(stored.game).standard_box().title if stored.game in game_names() else "",
        times[-1],
        sum(min(max(after - before, 0.0), QUIET) for before, after in pairwise(times)),
        len(_read_players(lines[0].event).players),
        tags.count(FROZEN),
        sum(tag in PUT_RIGHT for tag in tags),
        ENDED in tags[:end],
    )


def list_finished_games(journal: JournalReader, after: int, *, is_over: bool) -> list[StoredGame]:
    """Return the games that were played here and of which a line comes after this one, the oldest
    first; the newest of them only if it `is_over`, and none that came as a record."""
    newest = None if is_over else journal.newest_game()
    found = (game for game in journal.list_games() if game.last > after and game.id != newest)
    return sorted((game for game in found if not game.imported), key=lambda game: game.last)
