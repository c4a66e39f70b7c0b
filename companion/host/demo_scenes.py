"""The scenes of a recorded game, and for how long each is shown.

Laws: what is shown of a scene is the public view of its moment and nothing besides; no hand, no
face-down card and no sealed bid of that game has a field in it, nor anything of the table that
shows it. A verdict is told step by step, as at a table, and then stands for a while. A trailer is
data that lies beside the record (trailer.json): its shots in their order, each a moment of the
record; how they were chosen is written in the generator that makes both (`make demo`).
"""

import logging
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from companion.core.log_lines import log_line
from companion.core.verdict import VerdictStep
from companion.games import list_games, make_rulebook
from companion.records.format import Record
from companion.records.parse import read_record
from companion.records.verify import record_events
from companion.table.activity_log import table_status
from companion.table.history import History, apply_event
from companion.table.view import View, open_view

LOG = logging.getLogger("companion.host")


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

    def seconds_by_moment(self) -> dict[int, float]:
        """Return for each moment that is shown its seconds."""
        return {shot.at: shot.seconds for shot in self.shots}


class DemoScene(msgspec.Struct, frozen=True):
    """A public view, the game it is of, and for how many seconds it is shown; if it brings a
    verdict, the view before that; the names that the record tells."""

    game: str
    view: View
    lasts: float
    before: View | None = None
    names: tuple[str, ...] = ()


class DemoEvening(NamedTuple):
    """A recorded game, and what is shown of it."""

    record: Record
    trailer: Trailer


def load_demo() -> list[DemoEvening]:
    """Return the recorded games that come with the boxes; one that cannot be read is logged and
    left out."""
    evenings = []
    for game in list_games():
        try:
            if game.demo_file.exists():
                record, shots = read_record(game.demo_file), game.trailer_file.read_bytes()
                evenings.append(DemoEvening(record, msgspec.json.decode(shots, type=Trailer)))
        except (OSError, ValueError, msgspec.MsgspecError) as fault:
            code, field = getattr(fault, "code", "trailer"), getattr(fault, "field", "shots")
            LOG.warning(log_line("demo_unreadable", game=game.name, code=code, field=field))
    return evenings


def iter_scenes(record: Record, trailer: Trailer) -> Iterator[DemoScene]:
    """Yield a scene for each moment that the trailer shows."""
    shown, history = trailer.seconds_by_moment(), History(make_rulebook(record.header.game))
    for event, via, when in record_events(record):
        before, history = history, apply_event(history, event, via, when)
        if history.at > before.at and history.at in shown:
            yield _make_scene(before, history, shown[history.at], record.header.names)


def _make_scene(
    before: History, after: History, seconds: float, names: tuple[str, ...]
) -> DemoScene:
    rules, state, earlier = after.rules, after.state, None
    view = open_view(rules, state, after.at, table=table_status(after))
    if told_steps(before.state, state):
        earlier = open_view(rules, before.state, before.at, table=table_status(before))
    return DemoScene(rules.box.game, view, seconds, earlier, names)
