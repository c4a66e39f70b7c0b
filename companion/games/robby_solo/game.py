"""Robby Solo for the registry, with what the names in its box are called."""

from companion.core.i18n import N_, GameTexts
from companion.games.game import Game
from companion.games.robby_solo import RobbySolo
from companion.games.robby_solo.bot import DECISIONS
from companion.games.robby_solo.box import RobbySoloBox
from companion.games.robby_solo.kinds import make_kinds
from companion.games.robby_solo.pieces import LAYOUT
from companion.games.robby_solo.rules import RULES
from companion.games.robby_solo.screens import SCREENS

TEXTS = GameTexts(
    words={
        "object": N_("object"),
        "red": N_("red"),
        "yellow": N_("yellow"),
        "green": N_("green"),
        "blue": N_("blue"),
        "grey": N_("grey"),
        "purple": N_("purple"),
        "khaki": N_("khaki"),
        "will": N_("I rob it"),
        "not will": N_("I leave it alone"),
    },
)


GAME = Game(
    name="robby_solo",
    box=RobbySoloBox,
    rulebook=RobbySolo,
    rules=RULES,
    make_kinds=make_kinds,
    bot=DECISIONS,
    screens=SCREENS,
    pieces=LAYOUT,
    texts=TEXTS,
)
