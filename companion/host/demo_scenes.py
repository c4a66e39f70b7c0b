"""The scenes of a recorded game, and for how long each is shown.

Laws: a scene is the public view of its moment and nothing besides; no hand, no face-down card and
no sealed bid of that game has a field in it, nor anything of the table that shows it. What the
table screen tells step by step is told to its last step, and then stands for a while. These times
are those of web/static/js/table.mjs.
"""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from companion.core.verdict import VerdictStep
from companion.games import list_games, make_rulebook
from companion.records.format import Record
from companion.records.parse import BadRecord, read_record
from companion.records.verify import record_events
from companion.table.activity_log import table_status
from companion.table.history import History, apply_event
from companion.table.view import View, open_view

EACH_STEP, ALL_STEPS = 2.2, 25.0
"""Seconds for a step that is told, and for all of them if they are many."""
VERDICT_STANDS = 5.0
"""Seconds for which a verdict stands once it has been told."""
SCORE_STANDS = 20.0
"""Seconds for which the final score stands."""
ACT, AGAIN = 2.4, 0.9
"""Seconds for a moment of the game; for one of the same kind as the moment before."""
TOLD_FIELDS = ("verdict", "sale", "score")
"""The fields of a state that are told in steps, in the order of the page."""


def scene_seconds(before: Any, after: Any, is_repeat: bool) -> float:
    """Return the seconds for which the state after an event is shown."""
    steps = told_steps(after)
    if not steps or steps == told_steps(before):
        return AGAIN if is_repeat else ACT
    score = getattr(after, "score", None)
    return telling_seconds(len(steps)) + (VERDICT_STANDS if score is None else SCORE_STANDS)


def telling_seconds(steps: int) -> float:
    """Return the seconds until so many steps have been told."""
    return EACH_STEP / 4 + steps * min(EACH_STEP, ALL_STEPS / (steps + 1))


def told_steps(state: Any) -> list[VerdictStep]:
    """Return the steps of the verdicts in a state."""
    verdicts = (getattr(state, name, None) for name in TOLD_FIELDS)
    return [step for verdict in verdicts if verdict is not None for step in verdict.steps]


class DemoScene(msgspec.Struct, frozen=True):
    """A public view, the game it is of, and for how many seconds it is shown."""

    game: str
    view: View
    lasts: float


NoteFault = Callable[[str, BadRecord], None]
"""What is told of a game whose record cannot be read."""


def load_evenings(note_fault: NoteFault = lambda game, fault: None) -> list[Record]:
    """Return the recorded games that come with the boxes; one that cannot be read is left out."""
    evenings = []
    for game in list_games():
        try:
            evenings += [read_record(game.demo_file)] if game.demo_file.exists() else []
        except BadRecord as fault:
            note_fault(game.name, fault)
    return evenings


def iter_scenes(record: Record) -> Iterator[DemoScene]:
    """Yield a scene for each visible moment; to close a hand again is not visible."""
    history = History(make_rulebook(record.header.game))
    for event, via, when in record_events(record):
        before, history = history, apply_event(history, event, via, when)
        if history.at > before.at:
            yield _make_scene(before, history)


def _make_scene(before: History, after: History) -> DemoScene:
    rules, state = after.rules, after.state
    view = open_view(rules, state, after.at, table=table_status(after))
    last = [type(moment.event) for moment in after.moments[-2:]]
    again = len(last) == 2 and last[0] is last[1]
    return DemoScene(rules.box.game, view, scene_seconds(before.state, state, again))
