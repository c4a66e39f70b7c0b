"""Lantern Night: the rule book, put together.

light -> seal … -> open … -> light …
the last lantern won -> over
"""

from typing import ClassVar

from companion.core.errors import Refusal
from companion.core.events import Event
from companion.core.i18n import N_, Message
from companion.games import start
from companion.games.rulebook import CorrectionRules, Rulebook
from companion.tracking.game_tracking import GameTracking
from examples.lantern_night import corrections, rounds, state, view
from examples.lantern_night.box import LanternBox
from examples.lantern_night.state import LanternNightStarted, LanternNightState
from examples.lantern_night.tracking import TRACKING

NOW = {
    "light": N_("{who} lights the next lantern."),
    "seal": N_("The lantern {card} is lit: everyone closes a hand with coins."),
    "open": N_("The lantern {card} is lit: the hands open."),
    "over": N_("The game is over."),
}


class LanternNight(Rulebook[LanternNightState]):
    """Lantern Night with one box."""

    box: LanternBox
    start_event = LanternNightStarted
    rows = rounds.ROWS
    corrections: ClassVar[CorrectionRules[LanternNightState]] = corrections
    tracking: ClassVar[GameTracking[LanternNightState]] = TRACKING
    start_rule = "L.setup"
    end_rule = "L.end"

    def initial_state(self, event: LanternNightStarted) -> LanternNightState:
        return state.initial_state(event, self.box)

    def refuse_start(self, event: Event) -> Refusal | None:
        return start.refuse_start(self.box, event, "L.setup")

    def describe_phase(self, state: LanternNightState) -> Message:
        who = [state.players[state.active - 1].name]
        return Message(NOW[state.phase], {"who": who, "card": state.lit})

    def public_view(self, state: LanternNightState) -> view.LanternNightPublic:
        return view.build_public_view(state, self.describe_phase(state), self.awaited_seats(state))

    def private_view(self, state: LanternNightState, seat: int) -> view.LanternNightMine:
        return view.build_private_view(state, seat)

    def expected_cards(self, state: LanternNightState) -> dict[int, tuple[str | None, ...]]:
        return corrections.expected_cards(state)
