"""The journal against the history: what was granted is there once, and the rules allow all of it.

Laws: a request that was answered as granted is in the journal exactly once, a refused one not at
all, one without an answer at most once, each as it was asked. What was answered before something
else was asked for stands before it. Every line is one that the permissions and rules allow there.
"""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import msgspec

from bench.nemesis.attempts import NEVER, OK, REFUSED, Attempt, group_by_key
from companion.core.events import Event, Started, to_json
from companion.games import make_rulebook
from companion.games.rulebook import AnyRulebook
from companion.journal import Journal
from companion.table.history import History, apply_event, event_union
from companion.table.permissions import TABLE_DEVICE, Author, check_request
from web.body_validation import parse_event

ASKING = ("ask", "table_ask")


class StoredLine(NamedTuple):
    """A line of the journal with the key of its request; its event as the table knows it."""

    n: int
    game: str
    id: str
    via: str
    event: bytes
    key: str


class Prefix(NamedTuple):
    """A game up to one of its lines."""

    n: int
    game: str
    history: History


def read_journal(path: Path) -> tuple[list[StoredLine], list[str]]:
    """Return every line, and what is wrong with the file as a whole."""
    with closing(Journal(path, read_only=True)) as journal:
        wrong = [f"journal: lines {a}–{b} are lost" for a, b in journal.missing_ranges()]
        keys, events = dict[int, str](), dict[int, bytes]()
        for game in journal.list_games():
            keys |= {n: key for key, n in journal.request_keys(game.id).items()}
            events |= _name_events(journal, game.id)
        lines = [
            StoredLine(line.n, line.game, line.id, line.via, events[line.n], keys.get(line.n, ""))
            for line in journal.read_lines()
        ]
    return lines, wrong


def _name_events(journal: Journal, id: str) -> dict[int, bytes]:
    """Return the events of a game by their lines, with what is kept apart of them."""
    lines = list(journal.read_lines(id))
    union = event_union(make_rulebook(lines[0].game))
    events = [line.decode_event(union) for line in lines]
    named = journal.names.give_back(id, events)
    return {
        line.n: bytes(line.event) if with_names is event else to_json(with_names)
        for line, event, with_names in zip(lines, events, named, strict=True)
    }


class Asked(NamedTuple):
    """One request with all its attempts, and its lines in the journal."""

    key: str
    attempts: list[Attempt]
    lines: list[StoredLine]

    @property
    def begun(self) -> float:
        return min(attempt.invoked for attempt in self.attempts)

    @property
    def granted(self) -> float:
        """When it was first answered as granted."""
        return min((a.returned for a in self.attempts if a.outcome == OK), default=NEVER)


def match_requests(attempts: list[Attempt], lines: list[StoredLine]) -> list[Asked]:
    """Return every request to the table with its lines."""
    by_key: dict[str, list[StoredLine]] = {}
    for line in lines:
        if line.key:
            by_key.setdefault(line.key, []).append(line)
    found = group_by_key([each for each in attempts if each.kind in ASKING])
    return [
        Asked(scoped, group, by_key.get(scoped, []))
        for group in found.values()
        for scoped in [f"{device(group[0])} {group[0].key}"]
    ]


def device(attempt: Attempt) -> str:
    """Return the device that the journal names for this request."""
    return f"phone {attempt.seat}" if attempt.kind == "ask" else TABLE_DEVICE


def check_once(requests: list[Asked]) -> Iterator[str]:
    """Yield every request that is lost, doubled, refused and yet there, or another than asked."""
    for asked in requests:
        numbers = [line.n for line in asked.lines]
        trace = f"{' '.join(map(str, asked.attempts))} lines {numbers}"
        if asked.granted < NEVER and not numbers:
            yield f"lost: {trace}"
        if len(numbers) > 1:
            yield f"doubled: {trace}"
        if numbers and all(attempt.outcome == REFUSED for attempt in asked.attempts):
            yield f"refused but written: {trace}"
        yield from (
            f"differing: {trace} {line.event!r}"
            for line in asked.lines
            if not _is_as_asked(asked.attempts[0], line)
        )


def _is_as_asked(attempt: Attempt, line: StoredLine) -> bool:
    """Return whether a line is what was asked for; settled by the cards, it says what was found."""
    sent = attempt.sent["event"]
    if (sent["event"], sent.get("way")) == ("settled", "cards"):
        return b'"found"' in line.event or b'"settled"' in line.event
    return to_json(parse_event(sent, attempt.seat, make_rulebook(line.game))) == line.event


def check_invented(requests: list[Asked], lines: list[StoredLine]) -> Iterator[str]:
    """Yield every line of a phone that nobody asked for."""
    asked = {request.key for request in requests}
    for line in lines:
        is_part = not line.key and b'"found"' in line.event
        if line.via.startswith("phone") and line.key not in asked and not is_part:
            yield f"nobody asked: line {line.n} {line.via} {line.key} {line.event!r}"


def check_order(requests: list[Asked]) -> Iterator[str]:
    """Yield every request that stands before one that was granted before it was asked for."""
    earliest: Asked | None = None
    written = [request for request in requests if request.lines]
    for request in sorted(written, key=lambda each: -each.lines[0].n):
        if earliest is not None and earliest.granted < request.begun:
            yield (f"out of order: line {request.lines[0].n} {request.attempts[0]} stands before "
                   f"line {earliest.lines[0].n} {earliest.attempts[-1]}")  # fmt: skip
        if earliest is None or request.granted < earliest.granted:
            earliest = request


def fold_games(lines: list[StoredLine]) -> Iterator[tuple[Prefix, str]]:
    """Yield each game at each of its lines; and what is wrong where the rules do not allow it."""
    games: dict[str, History] = {}
    for line in lines:
        rules = make_rulebook(line.game)
        event: Event = msgspec.json.decode(line.event, type=event_union(rules))
        before = games[line.id] if line.id in games else History(rules)
        refused = _refuse(rules, before, event, line.via)
        games[line.id] = apply_event(before, event, line.via)
        said = f"not allowed ({refused}): line {line.n} {line.via} {line.event!r}"
        yield Prefix(line.n, line.id, games[line.id]), said if refused else ""


def _refuse(rules: AnyRulebook, before: History, event: Event, via: str) -> str:
    """Return the code with which the rules refuse this event there; empty if they allow it."""
    if isinstance(event, Started):
        refused = rules.refuse(None, event)
        return refused.code if refused is not None else ""
    kind, _, number = via.partition(" ")
    author = Author(int(number) if kind in ("phone", "bot", "button") else 0, via)
    refused = check_request(before, event, author)
    return refused.code if refused is not None else ""
