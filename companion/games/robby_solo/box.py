"""The box of Robby Solo: banks, a robbery card for each, and a deck of loot."""

from collections.abc import Mapping
from typing import ClassVar, Literal

from companion.core.cards import Box, Count, Money, find_doubles
from companion.games.robby_solo.rules import RULES


class RobbySoloBox(Box, frozen=True):
    """Robby Solo: banks, a robbery card for each, and a deck of loot."""

    house_rules: ClassVar[Mapping[str, tuple[str, ...]]] = RULES.list_answers()

    game: Literal["robby_solo"]
    banks: tuple[str, ...]
    robbery_cards: Count
    quiet_rounds: Count
    police: Count
    object_scores: tuple[Money, ...]
    loot: dict[str, Count]

    def tagged_pieces(self) -> dict[str, int]:
        return dict(self.loot)

    def find_problems(self) -> list[str]:
        problems = [f"loot.{card} is neither money nor object"
                    for card in self.loot if card != "object" and not card.isdecimal()]  # fmt: skip
        problems += find_doubles("banks", self.banks)
        if self.robbery_cards < self.players.most:
            problems.append("robbery_cards must be one for each player")
        if len(self.banks) <= self.players.most:
            problems.append("banks must be one more than the players")
        if len(self.object_scores) <= self.loot.get("object", 0):
            problems.append("object_scores must reach as far as the objects do")
        return problems
