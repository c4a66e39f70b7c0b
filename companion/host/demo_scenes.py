"""The scenes of a recorded game, and for how long each is shown.

Laws: what is shown of a scene is the public view of its moment and nothing besides; no hand, no
face-down card and no sealed bid of that game has a field in it, nor anything of the table that
shows it. A verdict is told step by step, as at a table, and then stands for a while. A trailer is
data that lies beside the record (trailer.json): its shots in their order, each a moment of the
record; how they were chosen is written in the generator that makes both (`make demo`).
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from companion.core.verdict import VerdictStep
from companion.games import list_games, make_rulebook
from companion.games.game import Game
from companion.records.format import Record
from companion.records.parse import BadRecord, read_record
from companion.records.verify import record_events
from companion.table.activity_log import table_status
from companion.table.history import History, apply_event
from companion.table.telling import STANDS, telling_seconds
from companion.table.view import View, open_view

VERDICT_STANDS = 5.0
"""Seconds for which a verdict stands once it has been told."""
SCORE_STANDS = 20.0
"""Seconds for which the final score stands."""
ACT, AGAIN = 2.4, 0.9
"""Seconds for a moment of the game; for one of the same kind as the moment before."""


def scene_seconds(before: object, after: object, is_repeat: bool) -> float:
    """Return the seconds for which the state after an event is shown."""
    steps = told_steps(before, after)
    told = telling_seconds(len(steps)) if steps else 0.0
    if getattr(after, "score", None) != getattr(before, "score", None):
        return told + STANDS + SCORE_STANDS
    return told + VERDICT_STANDS if steps else AGAIN if is_repeat else ACT


def told_steps(before: object, after: object) -> Sequence[VerdictStep]:
    """Return the steps of the verdict that is new in a state."""
    verdict = getattr(after, "verdict", None)
    if verdict is None or verdict is getattr(before, "verdict", None):
        return ()
    steps: Sequence[VerdictStep] = verdict.steps
    return steps


class Shot(msgspec.Struct, frozen=True, omit_defaults=True):
    """A moment of the record, the seconds for which it is shown, and what was looked for in it."""

    at: int
    seconds: float
    shows: tuple[str, ...] = ()


class Trailer(msgspec.Struct, frozen=True):
    """The shots of one game, and the seed with which the bots played it."""

    seed: int
    shots: tuple[Shot, ...]

    @property
    def seconds(self) -> float:
        """The seconds that it takes as a whole."""
        return sum(shot.seconds for shot in self.shots)

    def seconds_by_moment(self) -> dict[int, float]:
        """Return for each moment that is shown its seconds."""
        return {shot.at: shot.seconds for shot in self.shots}


def load_trailer(game: Game) -> Trailer | None:
    """Return the trailer that comes with a box; None if there is none, or it cannot be read."""
    try:
        return msgspec.json.decode(game.trailer_file.read_bytes(), type=Trailer)
    except (OSError, ValueError, msgspec.MsgspecError):
        return None


class DemoScene(msgspec.Struct, frozen=True):
    """A public view, the game it is of, and for how many seconds it is shown; if it brings a
    verdict, the view before that; the names that the record tells."""

    game: str
    view: View
    lasts: float
    before: View | None = None
    names: tuple[str, ...] = ()


class DemoEvening(NamedTuple):
    """A recorded game, and what is shown of it; all of it without a trailer."""

    record: Record
    trailer: Trailer | None = None


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


def load_demo(note_fault: NoteFault = lambda game, fault: None) -> list[DemoEvening]:
    """Return these games, each with its trailer if it has one."""
    trailers = {game.name: load_trailer(game) for game in list_games()}
    return [
        DemoEvening(record, trailers[record.header.game]) for record in load_evenings(note_fault)
    ]


def iter_scenes(record: Record, trailer: Trailer | None = None) -> Iterator[DemoScene]:
    """Yield a scene for each visible moment; to close a hand again is not visible. With a trailer
    only those are made that it shows."""
    shown = None if trailer is None else trailer.seconds_by_moment()
    history = History(make_rulebook(record.header.game))
    for event, via, when in record_events(record):
        before, history = history, apply_event(history, event, via, when)
        if history.at > before.at and (shown is None or history.at in shown):
            scene = _make_scene(before, history)
            lasts = scene.lasts if shown is None else shown[history.at]
            yield msgspec.structs.replace(scene, lasts=lasts, names=record.header.names)


def _make_scene(before: History, after: History) -> DemoScene:
    rules, state = after.rules, after.state
    view = open_view(rules, state, after.at, table=table_status(after))
    last = [type(moment.event) for moment in after.moments[-2:]]
    again = len(last) == 2 and last[0] is last[1]
    earlier = None
    if told_steps(before.state, state):
        earlier = open_view(rules, before.state, before.at, table=table_status(before))
    return DemoScene(rules.box.game, view, scene_seconds(before.state, state, again), earlier)
