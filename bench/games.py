"""Events applied, with and without views, and records replayed: Banküberfall, four players."""

import dataclasses
import json
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec

from bench.measure import Figure, best_rate
from companion.core.events import Event, to_json
from companion.games import make_rulebook
from companion.table.view import all_views
from tests.worlds.rulebook_players import Dice, Evening

GAMES = 40


@dataclasses.dataclass(frozen=True)
class Sketch:
    """The peer: a frozen dataclass of as many fields, one of which changes with every event."""

    box: Any = None
    house_rules: Any = None
    id: str = ""
    players: Any = ()
    front: Any = ()
    phase: str = ""
    active: int = 0
    pile: int = 0
    tiles: Any = ()
    banks: Any = ()
    hands: Any = ()
    figure: int = 0
    discard: Any = ()
    reserve: int = 0


def figures() -> Iterator[Figure]:
    """Measure the three speeds of the rules."""
    games = [Evening("bankueberfall", Dice(Random(n)), 4).play().events for n in range(GAMES)]
    rules = make_rulebook("bankueberfall")
    events = sum(map(len, games))

    def apply() -> int:
        for game in games:
            rules.replay(game)
        return events

    def with_views() -> int:
        return sum(_apply_with_views(rules, game) for game in games[: GAMES // 4])

    records = [b"\n".join(map(to_json, game)) for game in games]
    decoder = msgspec.json.Decoder(rules.event_types)

    def replay() -> int:
        for record in records:
            rules.replay(decoder.decode_lines(record))
        return events

    yield _make_figure(
        "events applied a CPU second",
        best_rate(apply),
        150_000,
        "dataclasses.replace",
        best_rate(_replace_fields),
    )
    yield _make_figure(
        "… each with five views as JSON",
        best_rate(with_views),
        25_000,
        "dataclasses.replace",
        best_rate(_replace_fields),
    )
    reading = best_rate(lambda: _parse_lines(records))
    yield _make_figure(
        "events of a record replayed a CPU second",
        best_rate(replay),
        200_000,
        "json.loads",
        reading,
    )


def _make_figure(what: str, value: float, bar: float, peer: str, peers: float) -> Figure:
    return Figure(what, value, "a second", bar, True, peer, value / peers)


def _apply_with_views(rules: Any, game: list[Event]) -> int:
    state = None
    for n, event in enumerate(game, 1):
        state = rules.apply(state, event)
        all_views(rules, state, n)
    return len(game)


def _replace_fields() -> int:
    state = Sketch()
    for n in range(100_000):
        state = dataclasses.replace(state, pile=n)
    return 100_000


def _parse_lines(records: list[bytes]) -> int:
    lines = [line for record in records for line in record.splitlines()]
    for line in lines:
        json.loads(line)
    return len(lines)
