"""Alternatives: what could have happened at a moment instead of what was noted.

Laws: only what the door would grant as a correction is offered, worked out from the rule book at
the table as it stood then; a card that lies face down is never named. A kind of moment that says
no more than whose it was has no alternatives.
"""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import msgspec

from companion.core.events import Entered, Event, Started
from companion.core.table_events import AMENDMENTS, Corrected
from companion.games.rulebook import Row
from companion.table import permissions
from companion.table.history import History, corrected, folded
from companion.table.permissions import HOSTED, SECRET

SAYS_WHOSE = frozenset({"seat", "rules"})
"""The fields that are the same whatever happened instead."""


def correctable(event: Event) -> bool:
    """Whether such an event could have said something else."""
    if isinstance(event, (Started, Entered, *SECRET, *AMENDMENTS)):
        return False
    return not {*event.__struct_fields__} <= SAYS_WHOSE


def alternatives(history: History, at: int) -> list[dict[str, Any]]:
    """What `Corrected` may say of this moment; each as the fields of the event instead."""
    moment, noted = history.moment(at), history.instead.get(at)
    if moment is None or not correctable(moment.event):
        return []
    was, state = noted or moment.event, folded(history, at).state
    row = history.rules.row(state, type(was)) if state is not None else None
    if row is None:
        return []
    return [fields for fields in _ways(row, state, was) if _granted(history, at, state, fields)]


def _ways(row: Row, state: Any, was: Any) -> Iterator[dict[str, Any]]:
    """Every way to fill the event, but for the one that was noted."""
    seat = getattr(was, "seat", state.active)
    same = msgspec.to_builtins(was)
    whose = {field: same[field] for field in ("event", *SAYS_WHOSE) if field in same}
    for choice in row.choices(state, seat):
        for one in _each(choice):
            if any(same.get(field) != value for field, value in one.items()):
                yield whose | one


def _each(choice: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """A choice with its open fields filled in all ways."""
    values = [value if isinstance(value, tuple) else (value,) for value in choice.values()]
    for way in product(*values):
        yield dict(zip(choice, way, strict=True))


def _granted(history: History, at: int, state: Any, fields: dict[str, Any]) -> bool:
    """Whether the door grants it: to the table, and to whoever may not name what lies hidden."""
    event = Corrected(at, fields)
    instead = corrected(history, event)
    if instead is None or history.rules.refuse(state, instead) is not None:
        return False
    return permissions.refuse_target(history, event) is None and not permissions.guesses(
        history, event, HOSTED
    )
