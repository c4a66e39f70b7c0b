"""Banküberfall for the registry, with what the names in its box are called."""

from companion.core.i18n import N_, GameTexts
from companion.games.bankueberfall import Bankueberfall
from companion.games.bankueberfall.bot import DECISIONS
from companion.games.bankueberfall.box import BankueberfallBox
from companion.games.bankueberfall.kinds import make_kinds
from companion.games.bankueberfall.pieces import LAYOUT
from companion.games.bankueberfall.rules import RULES
from companion.games.bankueberfall.screens import SCREENS
from companion.games.game import Game

WORDS = {
    "seductress": N_("seductress"),
    "policeman": N_("policeman"),
    "detective": N_("detective"),
    "thief": N_("thief"),
    "x": N_("X"),
    "place": N_("Placement"),
    "spy": N_("Spy"),
    "reveal": N_("Reveal"),
    "rob": N_("Robbery"),
}

GAME = Game(
    name="bankueberfall",
    box=BankueberfallBox,
    rulebook=Bankueberfall,
    rules=RULES,
    make_kinds=make_kinds,
    bot=DECISIONS,
    screens=SCREENS,
    pieces=LAYOUT,
    texts=GameTexts(words=WORDS),
)
