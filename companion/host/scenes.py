"""Scenes: a recorded evening as everyone at its table saw it, one after the other.

Law: a scene is the public view of its moment and nothing besides; nobody's hand, no face-down card
and no sealed bid of that evening has a field in it, nor anything of the table that shows it.
"""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from companion.games import rulebook
from companion.host.pace import lasts
from companion.records.record import Record, moments, read
from companion.table.activity_log import affairs
from companion.table.history import History, happen
from companion.table.view import View, open_view

FOLDER = Path(__file__).parents[1] / "demo"


class Scene(msgspec.Struct, frozen=True):
    """The table as everyone saw it, which box lay there, and for how many seconds it is shown."""

    game: str
    view: View
    lasts: float


def evenings(folder: Path = FOLDER) -> list[Record]:
    """The evenings that come with the companion, one of each box."""
    return [read(path) for path in sorted(folder.glob("*.json"))]


def scenes(record: Record) -> Iterator[Scene]:
    """All that there was to see; a hand that was closed again is nothing to be seen."""
    history = History(rulebook(record.header.game))
    for event, via, when in moments(record):
        before, history = history, happen(history, event, via, when)
        if history.at > before.at:
            yield _scene(before, history)


def _scene(before: History, after: History) -> Scene:
    rules, state = after.rules, after.state
    view = open_view(rules, state, after.at, table=affairs(after))
    last = [type(moment.event) for moment in after.moments[-2:]]
    again = len(last) == 2 and last[0] is last[1]
    return Scene(rules.box.game, view, lasts(before.state, state, again))
