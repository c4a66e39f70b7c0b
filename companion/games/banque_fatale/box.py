"""The box of Banque Fatale: cards of one or two colours, chips of every colour, money."""

from collections import Counter
from collections.abc import Mapping
from typing import ClassVar, Literal

import msgspec

from companion.core.cards import Box, Count, find_doubles
from companion.games.banque_fatale.rules import RULES

MOST_OPEN_CARDS = 3


class Track(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The value track of Banque Fatale, in millions."""

    least: Count
    most: Count
    start: Count
    up: Count
    down: Count
    fall: Count
    bonus: dict[int, Count]


class BanqueFataleBox(Box, frozen=True):
    """Banque Fatale: cards of one or two colours, chips of every colour, money."""

    house_rules: ClassVar[Mapping[str, tuple[str, ...]]] = RULES.list_answers()

    game: Literal["banque_fatale"]
    colours: tuple[str, ...]
    open_cards: Count
    chips_each: Count
    cards: tuple[str, ...]
    chips: dict[str, Count]
    track: Track
    money: dict[int, Count]

    def count_money(self) -> int:
        """Return the bank's money before the game, in millions."""
        return sum(value * notes for value, notes in self.money.items())

    def tagged_pieces(self) -> dict[str, int]:
        return dict(Counter(self.cards))

    def find_problems(self) -> list[str]:
        problems = [f"cards names “{card}”, which is not made of one or two colours"
                    for card in self.cards
                    if not 1 <= len(card.split("-")) <= 2
                    or not set(card.split("-")) <= set(self.colours)]  # fmt: skip
        problems += find_doubles("cards", self.cards) + find_doubles("colours", self.colours)
        if sum("-" not in card for card in self.cards) < self.players.most:
            problems.append("cards of a single colour are too few to deal one to each player")
        if len(self.cards) < self.players.most + self.open_cards:
            problems.append("cards are too few to deal one to each player and lay open_cards")
        if self.open_cards > MOST_OPEN_CARDS:
            problems.append(f"open_cards is more than the {MOST_OPEN_CARDS} places for them")
        if set(self.chips) != set(self.colours):
            problems.append("chips must name every colour once")
        if any(n < self.chips_each * self.players.most for n in self.chips.values()):
            problems.append("chips are too few for every player")
        track = self.track
        lowest, highest = (end(track.bonus, default=track.most) for end in (min, max))
        if not track.least <= track.start < lowest <= highest <= track.most:
            problems.append("track must hold start, and bonus above it")
        return problems
