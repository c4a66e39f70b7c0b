"""Banque Fatale for the registry."""

from companion.games.banque_fatale import BanqueFatale
from companion.games.banque_fatale.bot import DECISIONS
from companion.games.banque_fatale.box import BanqueFataleBox
from companion.games.banque_fatale.kinds import make_kinds
from companion.games.banque_fatale.pieces import LAYOUT
from companion.games.banque_fatale.rules import RULES
from companion.games.banque_fatale.screens import SCREENS
from companion.games.banque_fatale.texts import TEXTS
from companion.games.game import Game

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
