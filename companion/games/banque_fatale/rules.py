"""The box of Banque Fatale, and its rules by id, paraphrased from the German and French booklet."""

from collections import Counter
from collections.abc import Mapping
from typing import ClassVar, Literal

import msgspec

from companion.core.cards import Box, Count, find_doubles
from companion.core.i18n import N_
from companion.games.rule_texts import TIES, Open, Rule, Rules
from companion.games.rulebook import Hints

RULES = Rules(
    rules={
        "F.setup": Rule("Die Spielvorbereitung", N_(
            "Every marker stands on 6; everyone has two chips of each colour and an open card of"
            " one colour. Three more cards lie open, the rest is the pile."
        )),
        "F.auction": Rule("Phase 1: Die Versteigerung", N_(
            "The start player picks one of the open cards, which is replaced from the pile. "
            "Everyone secretly bids any number of chips; the most chips win the card, and all "
            "chips stay in the middle."
        )),
        "F.auction.tie": Rule("Phase 1: Die Versteigerung", N_(
            "Of those who tie, the one who sits nearest clockwise to the start player wins, the"
            " start player before all."
        )),
        "F.track": Rule("Phase 2: Der Wert der Farben", N_(
            "Every colour with the most chips, two at least, goes up by 2. A single chip: down by"
            " 1. No chip: see the house rule. Otherwise it stays. Nothing falls below 2."
        )),
        "F.bonus": Rule("Phase 2: Der Wert der Farben", N_(
            "Above 10, each ace of that colour on an open card pays 5 at 11 and 6 at 12; then the"
            " marker goes back to 6."
        )),
        "F.chips": Rule("Phase 2: Die Jetons werden neu verteilt", N_(
            "The chips in the middle are taken back one at a time, any colour, clockwise from the"
            " left of the winner, until none is left."
        )),
        "F.sell": Rule("Phase 3: Der Verkauf", N_(
            "The start player may sell one card for the values of its colours; it leaves the game."
        )),
        "F.next": Rule("Die nächste Runde", N_(
            "The left neighbour becomes the start player."
        )),
        "F.end": Rule("Finalement: Die Abrechnung", N_(
            "When the last card has been auctioned and the round is over, everyone counts their"
            " cash, a million for each chip, and the value of their cards. The most wins."
        )),
    },
    house_rules={
        "unplayed": Open(
            N_(
                "How far does a colour fall that no one played? (German booklet: to 2,"
                " French: by 2)"
            ),
            {
                "to_minimum": N_("a colour that no one played falls to 2"),
                "minus_two": N_("a colour that no one played falls by 2"),
            },
            decides=("auction",),
        ),
        "tied_for_most": Open(
            N_(
                "Do three or more colours rise that tie for the most chips? The booklets speak"
                " of two."
            ),
            {
                "all_rise": N_("three or more colours that tie for most all rise"),
                "none_rises": N_("of three or more colours that tie for most none rises"),
            },
            decides=("auction",),
        ),
        "sale_ban": Open(
            N_("Which card cannot be sold? (German booklet: just won, French: just risen)"),
            {
                "just_won": N_("the card just won cannot be sold"),
                "just_risen": N_("a card of a colour that just rose cannot be sold"),
            },
            decides=("sale",),
        ),
        "chips_at_end": Open(
            N_("What is a chip worth at the end? (Printed variation: nothing)"),
            {
                "one_million": N_("every chip is worth one million at the end"),
                "nothing": N_("chips are worth nothing at the end"),
            },
            decides=("score",),
        ),
    },
    rulings={
        "F.nothing": N_("If every hand is empty all tie, so the start player takes the card."),
        "F.auction.three": N_(
            "The German booklet speaks of two who tie. Three or four are treated like two, as in"
            " the French one."
        ),
        "F.track.least": N_("A marker at the lowest value of the track stays there."),
        "F.bonus.won": N_("The card just won counts for the bonus."),
        "F.bonus.reset": N_("A marker above 10 goes back to 6 even if no one owns its ace."),
        "F.auction.last": N_(
            "Near the end the choice is among the open cards that are left, even if only one."
        ),
        "F.end.last": N_(
            "“Until none is left to sell” is read as: until the last card has been auctioned."
        ),
        "F.bank": N_(
            "The bank's money is counted and shown. Once it runs out the game goes on, and what the"
            " bank owes is noted."
        ),
        "F.cards": N_(
            "Our guess: the booklets count sixteen cards and do not list them. Five of one colour,"
            " one for each pair of colours and the double red fit what they say. A case with other"
            " cards is judged with a warning, and a box file of your own replaces the guess."
        ),
        "F.ties": TIES,
    },
)  # fmt: skip


HINTS: dict[str, Hints] = {
    "deal": (
        N_("Win cards at auctions, drive up their colours, sell them dear: the most money wins."),
        N_("Chips decide twice: who wins the card, and which colours rise or fall."),
    ),
    "lay": (
        N_("Three cards from the pile are turned up: soon one of them is auctioned."),
        N_("Remember who holds which colour: a player who shares yours helps to drive it up."),
    ),
    "choose": (
        N_("The start player picks one of the open cards; everyone may bid for it."),
        N_("Choose your card while the others are short of chips, and don’t be mean with yours."),
    ),
    "refill": (
        N_("A new card from the pile fills the gap; then everyone bids."),
        N_("The pile shows how long the game still takes; only a start player can sell."),
    ),
    "seal": (
        N_("Everyone bids chips in secret, or none. The most chips win the card."),
        N_("The colour with the most chips (two at least) rises; with one chip or none it falls."),
    ),
    "open": (
        N_("The bids are revealed: the most chips win the card, and the colours rise or fall."),
        N_("A colour above 10 pays you for each of its aces that you own, then goes back to 6."),
    ),
    "take": (
        N_("The chips bid are taken back one at a time, beginning left of the card’s winner."),
        N_("Take colours to drive up, or ones that others need. Who bid little gets more back."),
    ),
    "sell": (
        N_("The start player may sell one card for the value of its colours; it leaves the game."),
        N_("Sell while a colour is dear: above 10 it pays its bonus and falls back to 6."),
    ),
}


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
