"""Lantern Night, a game from outside: nothing of the companion is changed for it.

Law: `register` adds the game, a line in each of the companion's lists. A game inside the companion
has the same lines, written in the lists themselves. docs/new-game.md walks through.
"""

from pathlib import Path

from companion.core.cards import BOX_TYPES
from companion.core.house_rules import HOUSE_RULE_TEXTS
from companion.core.i18n import N_
from companion.games import RULEBOOKS
from companion.tracking.games import BANK, GAME_TRACKING, GameTracking
from examples.lantern_night import tracking
from examples.lantern_night.box import LanternBox
from examples.lantern_night.rulebook import LanternNight
from web.forms import PIECE_EVENTS
from web.rendering.screens import TEMPLATE_FOLDERS

GAME = "lantern_night"


def register() -> None:
    """Add Lantern Night to the companion's lists."""
    BOX_TYPES[GAME] = LanternBox
    RULEBOOKS[GAME] = LanternNight
    GAME_TRACKING[GAME] = GameTracking(tracking.infer_events, tracking.receiving_places, BANK)
    HOUSE_RULE_TEXTS["coins_at_end", "nothing"] = N_("coins are worth nothing at the end")
    HOUSE_RULE_TEXTS["coins_at_end", "a_tenth"] = N_("ten coins are worth a point at the end")
    PIECE_EVENTS.append("lantern_lit")
    TEMPLATE_FOLDERS.append(Path(__file__).with_name("templates"))
