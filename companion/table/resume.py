"""Resuming: the game in the journal that a table takes up where it stood.

Law: it is the newest that was played here, and of the game that is on this table. One of which the
beginning is lost, or a line cannot be understood, is not taken up; neither is one that was put
away for the next group. One that is over may be shown until then.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from companion.core.events import Event, to_json
from companion.core.table_events import Cleared
from companion.games.rulebook import Rulebook
from companion.journal import Journal, JournalEntry, JournalLine
from companion.table.history import event_union


class PastEvent(NamedTuple):
    """An event as it happened: through what, when, at which place, and the tags there."""

    event: Event
    via: str
    when: float
    place: int
    tags: tuple[str, ...]


class NotedEvent(NamedTuple):
    """An event to be written, with its place and the tags there."""

    event: Event
    place: int = 0
    tags: tuple[str, ...] = ()


def journal_entries(
    rules: Rulebook, id: str, noted: Sequence[NotedEvent], via: str, at: float, key: str
) -> list[JournalEntry]:
    """Return the journal lines of these events; the last one bears the key of the request."""
    last = noted[-1]
    return [
        JournalEntry(
            (rules.box.game, id, at, via, to_json(each.event)),
            key if each is last else "",
            ",".join(each.tags),
        )
        for each in noted
    ]


def past_events(rules: Rulebook, journal: Journal) -> list[PastEvent]:
    """What happened in the game that is under way; nothing if there is none."""
    id = journal.newest_game(rules.box.game)
    lines = list(journal.read_lines(id)) if id else []
    if not lines or lines[0].game != rules.box.game:
        return []
    try:
        found = list(_read_events(rules, lines, journal.line_tags(lines[0].id)))
    except msgspec.DecodeError:
        return []
    put_away = isinstance(found[-1].event, Cleared)
    return [] if put_away or rules.refuse(None, found[0].event) is not None else found


def _read_events(
    rules: Rulebook, lines: list[JournalLine], tags: Mapping[int, str]
) -> Iterator[PastEvent]:
    kind = event_union(rules)
    for line in lines:
        event = line.decode_event(kind)
        place = getattr(event, "place", 0) or _reader_place(line.via)
        seen = filter(None, tags.get(line.n, "").split(","))
        yield PastEvent(event, line.via, line.at, place, tuple(seen))


def granted_requests(journal: Journal, id: str) -> dict[str, bytes]:
    """By its key, what each request of a game was written down as."""
    written = {line.n: bytes(line.event) for line in journal.read_lines(id)}
    return {key: written[n] for key, n in journal.request_keys(id).items() if n in written}


def _reader_place(via: str) -> int:
    """The place whose reader brought this, or 0."""
    word, _, place = via.partition(" ")
    return int(place) if word == "reader" and place.isdecimal() else 0
