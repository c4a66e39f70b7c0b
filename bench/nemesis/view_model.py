"""The views against the journal: each is that of a prefix, and none goes back.

Laws: a view is what the pure rules make of the game up to one line. It holds every line that was
granted before it was asked for, and none that nobody had asked for yet. Once a later game was seen,
no earlier one is: by the same client, and by every other one that asks afterwards.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import msgspec

from bench.nemesis.attempts import NEVER, OK, Attempt
from bench.nemesis.journal_model import Asked, Prefix
from companion.table.view import View, open_view, seat_view

LOOKS = ("seat_view", "table_view", "stream")
PARTS = ("at", "public", "mine", "may")


class Look(NamedTuple):
    """A view that somebody saw: the first and the last line up to which the game can have been."""

    attempt: Attempt
    first: int
    last: int


def check_views(
    attempts: list[Attempt], games: dict[str, list[Prefix]], requests: list[Asked]
) -> Iterator[str]:
    """Yield every view that is of no prefix, too old, too new, or older than one seen before."""
    looks = list[Look]()
    find_prefixes = _make_finder(games)
    for attempt in attempts:
        if attempt.kind not in LOOKS or attempt.outcome != OK:
            continue
        fitting = find_prefixes(attempt)
        if fitting:
            looks.append(Look(attempt, fitting[0], fitting[-1]))
        else:
            public = attempt.answer["public"]
            yield f"view of nothing: {attempt} game {public['id']} at {attempt.answer['at']}"
    yield from _check_time(looks, requests)
    yield from _check_streams(looks)


def _make_finder(games: dict[str, list[Prefix]]) -> Any:
    """Return a function that finds the lines up to which a view fits."""

    @cache
    def build(id: str, index: int, seat: int) -> dict[str, Any]:
        history = games[id][index].history
        rules, state, at = history.rules, history.state, history.at
        view: View = seat_view(rules, state, at, seat) if seat else open_view(rules, state, at)
        told = msgspec.json.decode(msgspec.json.encode(view))
        return {part: told[part] for part in PARTS}

    def find_prefixes(attempt: Attempt) -> list[int]:
        view = attempt.answer
        id, seen = view["public"]["id"], {part: view[part] for part in PARTS}
        return [
            prefix.n
            for index, prefix in enumerate(games.get(id, ()))
            if prefix.history.at == view["at"] and build(id, index, attempt.seat) == seen
        ]

    return find_prefixes


def _check_time(looks: list[Look], requests: list[Asked]) -> Iterator[str]:
    """Yield views that miss what was granted or seen before, or show what was not asked for yet."""
    moments: list[tuple[float, int, Look | None, int]] = [
        (request.granted, 0, None, request.lines[0].n)
        for request in requests
        if request.granted < NEVER and request.lines
    ]
    moments += [(look.attempt.returned, 0, None, look.first) for look in looks]
    moments += [(look.attempt.invoked, 1, look, 0) for look in looks]
    begun = {line.n: request.begun for request in requests for line in request.lines}
    newest = 0
    for _, _, look, n in sorted(moments, key=lambda each: each[:2]):
        newest = max(newest, n)
        if look is not None and look.last < newest:
            yield f"view too old: {look.attempt} is of line {look.last}, known was line {newest}"
        if look is not None and begun.get(look.first, 0.0) > look.attempt.returned:
            yield f"view too new: {look.attempt} is of line {look.first}, asked for later"


def _check_streams(looks: list[Look]) -> Iterator[str]:
    """Yield views of a stream that are older than the one that it sent before."""
    seen: dict[str, int] = {}
    for look in sorted(looks, key=lambda each: each.attempt.returned):
        if look.attempt.kind != "stream":
            continue
        if look.last < seen.get(look.attempt.client, 0):
            yield f"stream goes back: {look.attempt} is of line {look.last}"
        seen[look.attempt.client] = look.first
