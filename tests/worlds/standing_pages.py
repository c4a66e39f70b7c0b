"""The pages of a table that stands still, as a game played at random came to each of its phases.

Nothing is read from a disk but templates and sheets.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from companion.core.cards import Box
from companion.core.i18n import Message
from companion.games.game import Game
from companion.games.random_game import play_at_random
from companion.games.rulebook import AnyRulebook
from companion.table.telling import TellingClock
from companion.table.view import View, open_view, seat_view
from web.app import create_app
from web.context import CONTEXT_KEY, AppContext
from web.rendering.screens import Screen, render_page, template_facts

T = TypeVar("T")
PHONES = ((390, 844), (390, 664), (360, 640))
"""Widths and heights of small phones."""
ADDRESS = "http://table.invalid"


class StandingTable:
    """A table at which nothing happens: it stands as it is put."""

    def __init__(self, rules: AnyRulebook) -> None:
        self.rules, self.state = rules, None
        self.faults = self.guard = self
        self.game_fault: Message | None = None
        self.telling = TellingClock()

    def view(self, seat: int = 0) -> View:
        if seat:
            return seat_view(self.rules, self.state, 1, seat)
        return open_view(self.rules, self.state, 1)

    def ask(self, _asked: str, call: Callable[[], T], _box: Box | None = None) -> T:
        """Let what the game raises come out, as a finding."""
        return call()

    def find_failure(self, _asked: str, _error: Exception) -> None:
        """Take no error for one of the game: whatever is raised comes out."""

    def messages(self) -> tuple[Message, ...]:
        return ()


class StandingPages:
    """The pages of a table that stands still in each phase of a game."""

    def __init__(self, game: Game, seed: int) -> None:
        played = play_at_random(game, seed)
        self.states: dict[str, Any] = {state.phase: state for state in played.states}
        self.table = StandingTable(played.rules)
        self.app = create_app(AppContext(self.table))  # type: ignore[arg-type]

    def draw_page(self, phase: str, screen: Screen) -> str:
        """Return a whole page as it is first sent."""
        self.table.state = self.states[phase]
        with self.app.test_request_context(f"/{screen.page}"):
            return render_page(template_facts(self.app.extensions[CONTEXT_KEY], screen))
