"""Robby Solo for the registry."""

from companion.games.game import Game
from companion.games.robby_solo import RobbySolo
from companion.games.robby_solo.bot import DECISIONS
from companion.games.robby_solo.box import RobbySoloBox
from companion.games.robby_solo.kinds import make_kinds
from companion.games.robby_solo.pieces import LAYOUT
from companion.games.robby_solo.rules import RULES
from companion.games.robby_solo.screens import SCREENS
from companion.games.robby_solo.texts import TEXTS

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
