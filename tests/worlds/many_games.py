"""A journal of very many games: a few real ones, again and again by other ids.

The ids are in the seals, so each hand is sealed anew. The rows are written in few transactions,
which is a hundred times quicker than playing; every line is proven like any other.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from msgspec.structs import replace

from companion.core.commitment import make_seal
from companion.core.events import Event, Opened, Sealed, Started, to_json
from companion.games import game_names
from companion.journal import Journal
from companion.journal.line import CHAIN_START, anchor_row, build_line, line_row
from companion.journal.schema import (
    ANCHOR_INTERVAL,
    INSERT_ANCHOR,
    INSERT_LINE,
    INSERT_STRETCH,
    connect,
)
from tests.worlds.rulebook_players import Dice, Evening

FIRST_TIME = 1.7e9
PLAYED = 12
ROWS_AT_ONCE = 20_000

Line = tuple[Event, bytes, tuple[Any, ...]]
"""An event, the same as JSON, and of a sealed hand what is in it: round, seat, value, nonce."""


class Script(NamedTuple):
    """The lines of one game."""

    game: str
    lines: Sequence[Line]


def play_scripts(count: int = PLAYED) -> list[Script]:
    """Play a few games to their end, each box in turn."""
    names = list(game_names())
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
    """Return what the hand that is closed here holds when it opens; empty if none is.

    A hand that is closed again before it opens holds the same by another nonce.
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
    rows = _rows(count, scripts or play_scripts())
    with closing(connect(path)) as disk:
        disk.execute("PRAGMA synchronous=OFF")
        while batch := list(islice(rows, ROWS_AT_ONCE)):
            disk.execute("BEGIN IMMEDIATE")
            for insert, row in batch:
                disk.execute(insert, row)
            disk.execute("COMMIT")
        (lines,) = disk.execute("SELECT max(n) FROM line").fetchone()
    return int(lines)


def _rows(count: int, scripts: Sequence[Script]) -> Iterator[tuple[str, tuple[Any, ...]]]:
    n, chain, at = 0, CHAIN_START, FIRST_TIME
    for number in range(count):
        script, id = scripts[number % len(scripts)], f"game-{number}"
        yield INSERT_STRETCH, (n + 1, id, script.game, at, 0)
        for k, line_of_script in enumerate(script.lines):
            n += 1
            event = _event_of_game(line_of_script, id)
            line = build_line(n, chain, (script.game, id, at + k, f"phone {k % 3 + 1}", event))
            chain = line.chain
            yield INSERT_LINE, line_row(line, f"{id}-{k}")
            if n % ANCHOR_INTERVAL == 0:
                yield INSERT_ANCHOR, anchor_row(n, chain)
        at += 3600
    yield INSERT_ANCHOR, anchor_row(n, chain)


def _event_of_game(line: Line, id: str) -> bytes:
    """Return the event as JSON as it is in the game of this id."""
    event, text, hand = line
    if hand:
        return to_json(replace(event, seal=make_seal(id, *hand)))
    return to_json(replace(event, id=id)) if isinstance(event, Started) else text
