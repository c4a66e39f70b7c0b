"""Banküberfall for the registry."""

from companion.games.bankueberfall import Bankueberfall
from companion.games.bankueberfall.bot import DECISIONS
from companion.games.bankueberfall.box import BankueberfallBox
from companion.games.bankueberfall.kinds import make_kinds
from companion.games.bankueberfall.pieces import LAYOUT
from companion.games.bankueberfall.rules import RULES
from companion.games.bankueberfall.screens import SCREENS
from companion.games.bankueberfall.texts import TEXTS
from companion.games.game import Game

GAME = Game(
    name="bankueberfall",
    box=BankueberfallBox,
    rulebook=Bankueberfall,
    rules=RULES,
    make_kinds=make_kinds,
    bot=DECISIONS,
    screens=SCREENS,
    pieces=LAYOUT,
    texts=TEXTS,
)
