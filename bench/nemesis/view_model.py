"""The views against the journal: each is that of a prefix, and none goes back.

Laws: a view is what the pure rules make of the game up to one line. It holds every line that was
granted before it was asked for, and none that nobody had asked for yet. Once a later game was seen,
no earlier one is: by the same client, and by every other one that asks afterwards.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import msgspec

from bench.nemesis.attempts import LOOKS, NEVER, OK, Attempt
from bench.nemesis.journal_model import Asked, Prefix
from bench.nemesis.looks import Look, list_differences, view_digest, view_parts
from companion.table.view import View, open_view, seat_view

MOST_EXPLAINED = 5
"""Views that fit nothing of which it is told how they differ."""
ReadLook = Callable[[Look], Any]


class Match(NamedTuple):
    """A view that somebody saw: the first and the last line up to which the game can have been."""

    attempt: Attempt
    first: int
    last: int


class Matches:
    """Finds the lines up to which each view fits, while the games are folded line by line."""

    def __init__(self, attempts: list[Attempt]) -> None:
        self._seen = [a for a in attempts if a.kind in LOOKS and a.outcome == OK]
        self._wanted: dict[tuple[str, int], dict[int, list[Attempt]]] = {}
        for attempt in self._seen:
            by_seat = self._wanted.setdefault((attempt.answer.game, attempt.answer.at), {})
            by_seat.setdefault(attempt.seat, []).append(attempt)
        self._lines: defaultdict[int, list[int]] = defaultdict(list)

    def add(self, prefix: Prefix) -> None:
        """Compare this prefix with every view that says it is of it."""
        wanted = self._wanted.get((prefix.game, prefix.history.at), {})
        for seat, attempts in wanted.items():
            digest = view_digest(view_parts(_build_view(prefix, seat)))
            for attempt in attempts:
                if attempt.answer.digest == digest:
                    self._lines[id(attempt)].append(prefix.n)

    def found(self) -> list[Match]:
        """Return every view that fits, with its lines."""
        return [
            Match(attempt, self._lines[id(attempt)][0], self._lines[id(attempt)][-1])
            for attempt in self._seen
            if id(attempt) in self._lines
        ]

    def missing(self) -> list[Attempt]:
        """Return the views that fit no prefix."""
        return [attempt for attempt in self._seen if id(attempt) not in self._lines]


def _build_view(prefix: Prefix, seat: int) -> Any:
    history = prefix.history
    rules, state, at = history.rules, history.state, history.at
    view: View = seat_view(rules, state, at, seat) if seat else open_view(rules, state, at)
    return msgspec.json.decode(msgspec.json.encode(view))


def check_views(
    matches: Matches,
    requests: list[Asked],
    fold: Callable[[], Iterable[tuple[Prefix, str]]],
    read_look: ReadLook,
) -> Iterator[str]:
    """Yield every view that is of no prefix, too old, too new, or older than one seen before."""
    for n, attempt in enumerate(matches.missing()):
        look: Look = attempt.answer
        differs = _tell_difference(attempt, fold(), read_look) if n < MOST_EXPLAINED else ""
        yield f"view of nothing: {attempt} game {look.game} at {look.at} {differs}"
    found = matches.found()
    yield from _check_time(found, requests)
    yield from _check_streams(found)


def _tell_difference(
    attempt: Attempt, folded: Iterable[tuple[Prefix, str]], read_look: ReadLook
) -> str:
    """Return in what this view differs from what the rules make of the game at its line."""
    look: Look = attempt.answer
    for prefix, _ in folded:
        if (prefix.game, prefix.history.at) == (look.game, look.at):
            right = msgspec.json.decode(view_parts(_build_view(prefix, attempt.seat)))
            return f"line {prefix.n}: {'; '.join(list_differences(read_look(look), right))}"
    return "there is no such line"


def _check_time(matches: list[Match], requests: list[Asked]) -> Iterator[str]:
    """Yield views that miss what was granted or seen before, or show what was not asked for yet."""
    moments: list[tuple[float, int, Match | None, int]] = [
        (request.granted, 0, None, request.lines[0].n)
        for request in requests
        if request.granted < NEVER and request.lines
    ]
    moments += [(match.attempt.returned, 0, None, match.first) for match in matches]
    moments += [(match.attempt.invoked, 1, match, 0) for match in matches]
    begun = {line.n: request.begun for request in requests for line in request.lines}
    newest = 0
    for _, _, match, n in sorted(moments, key=lambda each: each[:2]):
        newest = max(newest, n)
        if match is not None and match.last < newest:
            yield f"view too old: {match.attempt} is of line {match.last}, known was line {newest}"
        if match is not None and begun.get(match.first, 0.0) > match.attempt.returned:
            yield f"view too new: {match.attempt} is of line {match.first}, asked for later"


def _check_streams(matches: list[Match]) -> Iterator[str]:
    """Yield views of a stream that are older than the one that it sent before."""
    seen: dict[str, int] = {}
    for match in sorted(matches, key=lambda each: each.attempt.returned):
        if match.attempt.kind != "stream":
            continue
        if match.last < seen.get(match.attempt.client, 0):
            yield f"stream goes back: {match.attempt} is of line {match.last}"
        seen[match.attempt.client] = match.first
