"""A journal of very many games: a few real ones, again and again by other ids.

The ids are in the seals, so each hand is sealed anew. The rows are written in one transaction,
which is a hundred times quicker than playing; every line is proven like any other.
"""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from msgspec.structs import replace

from companion.core.commitment import make_seal
from companion.core.events import Event, Opened, Sealed, Started, to_json
from companion.journal import Journal, JournalEntry
from companion.journal.file import INSERT_GAME, INSERT_LINE, connect
from companion.journal.line import Row, StoredGame, add_row, build_row, game_row
from tests.worlds.own_games import own_games
from tests.worlds.rulebook_players import Dice, Evening

FIRST_TIME = 1.7e9
PLAYED = 12

Line = tuple[Event, bytes, tuple[Any, ...]]
"""An event, the same as JSON, and of a sealed hand what is in it: round, seat, value, nonce."""


class Script(NamedTuple):
    """The lines of one game."""

    game: str
    lines: Sequence[Line]


def play_scripts(count: int = PLAYED) -> list[Script]:
    """Play a few games to their end, each box in turn."""
    names = list(own_games())
    scripts = []
    for n in range(count):
        evening = Evening(names[n % len(names)], Dice(Random(n)), 3 + n % 2).play()
        lines = [
            (event, to_json(event), _sealed_hand(evening, k))
            for k, event in enumerate(evening.events)
        ]
        scripts.append(Script(evening.rules.box.game, lines))
    return scripts


def _sealed_hand(evening: Evening, at: int) -> tuple[Any, ...]:
    """Return the hand that is sealed here, from its opening; empty if it never opens.

    A hand that is sealed again before it opens has the same content under another nonce.
    """
    sealed = evening.events[at]
    if not isinstance(sealed, Sealed):
        return ()
    round, turn = evening.states[at].hands.round, 1
    for event in evening.events[at + 1 :]:
        if getattr(event, "seat", 0) == sealed.seat:
            if isinstance(event, Sealed):
                turn = -1
            elif isinstance(event, Opened):
                return round, event.seat, event.value, event.nonce[::turn]
    raise AssertionError("every hand of these games opens")


def write_many_games(path: Path, count: int, scripts: Sequence[Script] = ()) -> int:
    """Write a new journal of so many finished games; return the number of its lines."""
    Journal(path).close()
    n, played = 0, scripts or play_scripts()
    with closing(connect(path)) as disk:
        disk.execute("PRAGMA synchronous=OFF")
        disk.execute("BEGIN IMMEDIATE")
        for number in range(count):
            rows, game = _play(played[number % len(played)], f"game-{number}", n)
            disk.executemany(INSERT_LINE, rows)
            disk.execute(INSERT_GAME, game_row(game))
            n += len(rows)
        disk.execute("COMMIT")
    return n


def _play(script: Script, id: str, n: int) -> tuple[list[Row], StoredGame]:
    """Return the rows of a finished game after line `n`, and the game that they tell."""
    rows, game, at = list[Row](), None, FIRST_TIME + 30.0 * n
    for k, line in enumerate(script.lines):
        moment = script.game, id, at + k, f"phone {k % 3 + 1}", _event_of_game(line, id)
        chain = game.chain if game else bytes(32)
        is_over = k == len(script.lines) - 1
        rows.append(build_row(n + k + 1, chain, JournalEntry(moment, f"{id}-{k}"), is_over))
        game = add_row(game, rows[-1])
    assert game is not None
    return rows, game


def _event_of_game(line: Line, id: str) -> bytes:
    """Return the event as JSON as it is in the game of this id."""
    event, text, hand = line
    if hand:
        return to_json(replace(event, seal=make_seal(id, *hand)))
    return to_json(replace(event, id=id)) if isinstance(event, Started) else text
