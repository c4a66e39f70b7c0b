"""Banque Fatale for the registry, with what the names in its box are called."""

from companion.core.i18n import N_, GameTexts
from companion.games.banque_fatale import BanqueFatale
from companion.games.banque_fatale.bot import DECISIONS
from companion.games.banque_fatale.box import BanqueFataleBox
from companion.games.banque_fatale.kinds import make_kinds
from companion.games.banque_fatale.pieces import LAYOUT
from companion.games.banque_fatale.rules import RULES
from companion.games.banque_fatale.screens import SCREENS
from companion.games.game import Game

TEXTS = GameTexts(
    words={
        "red": N_("red"),
        "yellow": N_("yellow"),
        "green": N_("green"),
        "blue": N_("blue"),
        "orange": N_("orange"),
    },
)


GAME = Game(
    name="banque_fatale",
    box=BanqueFataleBox,
    rulebook=BanqueFatale,
    rules=RULES,
    make_kinds=make_kinds,
    bot=DECISIONS,
    screens=SCREENS,
    pieces=LAYOUT,
    texts=TEXTS,
)
