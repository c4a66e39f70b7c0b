"""The demo: trailers of recorded games on the table screen while no person is at the table.

Laws: only what people do counts, not what bots do: a press, a piece that moves, a page that is
asked for something, a seat that is taken. After five minutes without any of it a game that is still
under way is ended, which the journal says, and put away as the host would; but not one that the
host has paused. Half a minute before, the pages say so.

What is shown of a scene is the public view of its moment and nothing besides; no hand, no face-down
card and no sealed bid of that game has a field in it, nor anything of the table that shows it. A
verdict is told step by step, as at a table, and then stands for a while. A trailer is data that
lies beside the record (trailer.json): the seed with which bots play that evening (`make demo`), and
its shots in their order, each a moment of the record.
"""

import logging
from collections.abc import Iterator
from itertools import cycle
from typing import NamedTuple

import msgspec

from companion.core.i18n import N_
from companion.core.log_lines import log_line
from companion.core.sensor_events import Arrived, ButtonPressed, Evidence, FellSilent, Left
from companion.games import list_games, make_rulebook
from companion.host.host import Host
from companion.records.format import Record, read_record
from companion.records.verify import record_events
from companion.table.history import History, apply_event
from companion.table.telling import TellingClock
from companion.table.view import View, make_view, table_status

LOG = logging.getLogger("companion.host")


class Shot(msgspec.Struct, frozen=True):
    """A moment of the record, and the seconds it is shown."""

    at: int
    seconds: float


class Trailer(msgspec.Struct, frozen=True):
    """The shots of one game, and the seed of its bots."""

    seed: int
    shots: tuple[Shot, ...]


class DemoScene(msgspec.Struct, frozen=True):
    """A public view, the game it is of, and for how many seconds it is shown; if it brings a
    verdict, the view before that; the names that the record tells."""

    game: str
    view: View
    lasts: float
    before: View | None = None
    names: tuple[str, ...] = ()


class DemoEvening(NamedTuple):
    """A recorded game, and the part of it that is shown."""

    record: Record
    trailer: Trailer


def load_demo() -> list[DemoEvening]:
    """Return the recorded games that come with the boxes; one that cannot be read is logged and
    left out."""
    evenings = []
    for game in list_games():
        try:
            if game.demo_file.exists():
                shots = (game.folder / "trailer.json").read_bytes()
                trailer = msgspec.json.decode(shots, type=Trailer)
                evenings.append(DemoEvening(read_record(game.demo_file), trailer))
        except (OSError, ValueError, msgspec.MsgspecError):
            LOG.warning(log_line("demo_unreadable", game=game.name))
    return evenings


def iter_scenes(record: Record, trailer: Trailer) -> Iterator[DemoScene]:
    """Yield a scene for each moment that the trailer shows."""
    shown = {shot.at: shot.seconds for shot in trailer.shots}
    history = History(make_rulebook(record.header.game))
    for event, via, when in record_events(record):
        before, history = history, apply_event(history, event, via, when)
        if history.at > before.at and history.at in shown:
            yield _make_scene(before, history, shown[history.at], record.header.names)


def _make_scene(
    before: History, after: History, seconds: float, names: tuple[str, ...]
) -> DemoScene:
    rules, state, earlier = after.rules, after.state, None
    view = make_view(rules, state, after.at, table=table_status(after))
    if after.decided_at > before.decided_at:
        earlier = make_view(rules, before.state, before.at, table=table_status(before))
    return DemoScene(rules.box.game, view, seconds, earlier, names)


# When it plays.

DEMO_PLAYS = N_("The demo plays on the table screen until a button is pressed or a page is opened.")
IDLE = 5 * 60.0
"""Seconds without a person, after which the demo plays."""
NOTICE = 30.0
"""Seconds before that during which pages announce the reset."""
LONG_AGO = float("-inf")


class DemoLoop:
    """Plays recorded games at one table while no person is there, first one of its own box."""

    def __init__(self, host: Host) -> None:
        own = host.table.rules.box.game
        self._host = host
        self._evenings = sorted(load_demo(), key=lambda one: one.record.header.game != own)
        self._records = cycle(self._evenings)
        self._scenes: Iterator[DemoScene] = iter(())
        self.scene: DemoScene | None = None
        """The moment of a recorded game that is shown now; None while the table is."""
        self._until = 0.0
        self.is_due = False
        """Whether the table is put away in a moment, for the demo to play."""
        self.telling = TellingClock(host.clock)
        self.telling.set_calm(host.table.telling.is_calm)
        self._people = self._people_here()
        self._last = host.clock() if self._is_in_use() else LONG_AGO
        host.listeners.append(self.note_evidence)

    # What pages ask and tell.

    def note_visitor(self) -> None:
        """Count from now the seconds without a person."""
        self._last = self._host.clock()

    # What happens at the table.

    def note_evidence(self, evidence: Evidence) -> None:
        """Count a press or a piece that moves as a person, unless it may have been a bot."""
        is_game_open = not self._host.table.history.is_over
        if self._host.source.simulated and is_game_open:
            return
        is_move = self.scene is None and isinstance(evidence, Arrived | Left | FellSilent)
        if is_move or isinstance(evidence, ButtonPressed):
            self.note_visitor()

    def advance(self) -> None:
        """Give way to people, begin, or go on to the next moment, if there is a recorded game."""
        if not self._evenings:
            return
        now, people = self._host.clock(), self._people_here()
        history = self._host.table.history
        if people != self._people or (history.paused and not history.is_over):
            self._people = people
            self.note_visitor()
        alone = now - self._last
        is_due = IDLE - NOTICE <= alone < IDLE and self._is_in_use()
        if is_due != self.is_due:
            self.is_due = is_due
            self._host.table.notify_watchers()
        if alone < IDLE:
            self._show_scene(None)
        elif self.scene is None:
            self._begin_demo(now)
        elif now >= self._until:
            self._show_next(now)

    def _begin_demo(self, now: float) -> None:
        """Put the last game away; if that cannot be written, try again later."""
        if self._is_in_use() and self._host.reset_table("abandoned") is not None:
            self._last = now
            return
        self._people, self._last = self._people_here(), LONG_AGO  # No person put it away.
        self._scenes = iter(())
        self._show_next(now)

    def _show_next(self, now: float) -> None:
        scene = next(self._scenes, None)
        if scene is None:
            self._scenes = iter_scenes(*next(self._records))
            scene = next(self._scenes)
        self._until = now + scene.lasts
        self._show_scene(scene)

    def _show_scene(self, scene: DemoScene | None) -> None:
        if scene is not self.scene:
            self._tell_verdict(scene)
            self.scene = scene
            self._host.table.notify_watchers()

    def _tell_verdict(self, scene: DemoScene | None) -> None:
        """Begin to tell the verdict that a scene brings."""
        if scene is None or scene.before is None:
            self.telling.skip()
            return
        before, public = scene.before, scene.view.public
        steps = len(public.verdict.steps)
        self.telling.begin(steps, lambda _seat: before, is_last=public.phase == "over")

    def _people_here(self) -> tuple[str, frozenset[int]]:
        """Return the id of the game on the table, and the seats that are taken."""
        state = self._host.table.state
        return str(state.id) if state is not None else "", self._host.seats.taken_seats()

    def _is_in_use(self) -> bool:
        """Check whether anything is on the table, or a seat is taken."""
        return self._people_here() != ("", frozenset())
