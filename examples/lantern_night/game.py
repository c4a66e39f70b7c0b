"""Lantern Night for the registry."""

from companion.core.i18n import N_, GameTexts
from companion.games.game import Game
from examples.lantern_night.box import LanternBox
from examples.lantern_night.rulebook import LanternNight
from examples.lantern_night.rules import RULES

GAME = Game(
    name="lantern_night",
    box=LanternBox,
    rulebook=LanternNight,
    rules=RULES,
    texts=GameTexts(
        house_rules={
            ("coins_at_end", "nothing"): N_("coins are worth nothing at the end"),
            ("coins_at_end", "a_tenth"): N_("ten coins are worth a point at the end"),
        },
    ),
)
