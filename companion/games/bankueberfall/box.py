"""The box of Banküberfall: money and character cards, action tiles, coins."""

from collections.abc import Mapping
from typing import ClassVar, Literal

import msgspec

from companion.core.cards import FIGURE, TILE, Box, Count, Number
from companion.games.bankueberfall.rules import RULES

TILES = ("place", "spy", "reveal", "rob")


class BankueberfallBox(Box, frozen=True):
    """Banküberfall: money and character cards, action tiles, coins."""

    house_rules: ClassVar[Mapping[str, tuple[str, ...]]] = RULES.list_answers()

    game: Literal["bankueberfall"]
    banks: Count
    hand: Count
    purse: Count
    reward: Count
    cards: dict[str, Count]
    tiles: dict[str, Count]
    coins: dict[Number, Count] = msgspec.field(default_factory=dict)
    """How many coins of each value; empty where their values are not entered."""

    def tagged_pieces(self) -> dict[str, int]:
        tiles = {TILE + tile: n for tile, n in self.tiles.items()}
        return {**self.cards, **tiles, FIGURE: self.pieces.get("figures", 1)}

    def find_problems(self) -> list[str]:
        known = {"x", "seductress", "policeman", "detective", "thief"}
        odd = [card for card in self.cards if card not in known and not card.isdecimal()]
        problems = [f"cards.{card} is neither money nor a character" for card in odd]
        problems += [f"tiles.{tile} is no tile of this game"
                     for tile in self.tiles if tile not in TILES]  # fmt: skip
        problems += [f"tiles.{tile} is missing" for tile in TILES if tile not in self.tiles]
        if self.coins and sum(self.coins.values()) != self.pieces.get("coins", 0):
            problems.append("coins must name the value of every coin in pieces")
        if self.banks < self.players.most:
            problems.append("banks are fewer than players.most, and everyone sits behind one")
        if sum(self.cards.values()) < self.banks + self.players.most * self.hand:
            problems.append("cards are too few to deal every hand and one to each bank")
        return problems
