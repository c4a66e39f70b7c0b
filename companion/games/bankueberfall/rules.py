"""The rules of Banküberfall by id, paraphrased from the French booklet, and its box."""

from collections.abc import Mapping
from typing import ClassVar, Literal

import msgspec

from companion.core.cards import FIGURE, TILE, Box, Count, Number
from companion.core.i18n import N_
from companion.games.rule_texts import TIES, Open, Rule, Rules
from companion.games.rulebook import Hints

RULES = Rules(
    rules={
        "B.setup": Rule("Préparation", N_(
            "Everyone starts with 10 coins and 5 cards and sits behind one of the five banks. One"
            " card lies face down at every bank, the rest is the pile, the tiles lie face down."
        )),
        "B.turn": Rule("Déroulement du jeu", N_(
            "Clockwise, the active player turns one tile and does what it says. Once the seventh"
            " is done, all seven are shuffled again."
        )),
        "B.place": Rule("Déroulement du jeu\u00a0: Placement", N_(
            "A card from the hand goes face down to any bank; the hand is filled up to 5 while the"
            " pile lasts."
        )),
        "B.spy": Rule("Déroulement du jeu\u00a0: Espionnage", N_(
            "One card at a bank may be looked at in secret and is put back."
        )),
        "B.reveal": Rule("Déroulement du jeu\u00a0: Révélation", N_(
            "One card at a bank may be turned face up, but each bank keeps at least one face-down"
            " card."
        )),
        "B.rob": Rule("Déroulement du jeu\u00a0: Vol", N_(
            "The active player picks one of the five banks and puts the figure there; everyone "
            "robs it, and after the bids every card there is turned up."
        )),
        "B.bid": Rule("Le vol", N_(
            "Everyone secretly bids none, some or all of their coins; all bids are revealed at "
            "once."
        )),
        "B.rob.1": Rule("Le vol, 1", N_(
            "Exactly one seductress: every other character leaves. Several: all of them leave, the"
            " rest stays."
        )),
        "B.rob.2": Rule("Le vol, 2", N_(
            "Exactly one policeman: every card leaves, there is no loot, and each player who bid"
            " 0 receives 5. Several: all policemen leave."
        )),
        "B.rob.3": Rule("Le vol, 3", N_(
            "Detectives and thieves leave in pairs until one kind is left at most. If detectives"
            " are left, the highest bid is paid first."
        )),
        "B.rob.4": Rule("Le vol, 4", N_(
            "If thieves are left, every card leaves, there is no loot, and everyone loses what"
            " they bid. A player with fewer than 10 coins left shows them, takes 10 and a red"
            " credit."
        )),
        "B.loot": Rule("Le vol", N_(
            "The loot is the sum of the money, doubled by one X, tripled by two, and so on. An X"
            " alone is no loot. The reserve pays it; what players own is no part of it."
        )),
        "B.pay": Rule("Répartition du butin", N_(
            "The lowest bid is paid first (the highest where B.rob.3 says so); each receives"
            " exactly what was bid and keeps the bid."
        )),
        "B.pay.short": Rule("Répartition du butin", N_(
            "A bid that cannot be paid in full gets nothing; equal bids are paid together or "
            "not at all; what is left goes back to the reserve."
        )),
        "B.refill": Rule("Le vol", N_(
            "After a robbery a new card goes face down to that bank, while the pile lasts."
        )),
        "B.end": Rule("Fin de la partie", N_(
            "When the pile is empty and a player lays their last card, every bank is robbed "
            "once more, beginning in front of that player. The most coins win, 10 less for each "
            "credit."
        )),
    },
    house_rules={
        "shortfall": Open(
            N_("If a bid could not be paid, is the next one still tried?"),
            {
                "continue": N_("after a shortfall the next bid is still tried"),
                "stop": N_("after a shortfall no one else is paid"),
            },
            decides=("robbery",),
        ),
        "final_direction": Open(
            N_("Which way does the final round of robberies go?"),
            {
                "right_hand": N_("the final round goes to the right-hand neighbour"),
                "clockwise": N_("the final round goes clockwise"),
            },
            decides=("final",),
        ),
    },
    rulings={
        "B.players": N_(
            "Two to five may play: the booklet says four, the box and its five screens say five."
        ),
        "B.empty": N_(
            "A turn may rob an empty bank, too; its loot is nothing. The final round passes it by."
        ),
        "B.reserve": N_(
            "The reserve is counted and shown where the box file says what its coins are worth."
            " Once it is empty the game goes on, and what the reserve owes is noted."
        ),
        "B.ties": TIES,
    },
)  # fmt: skip


HINTS: dict[str, Hints] = {
    "start": (
        N_("You rob banks together and fight over the loot. The most coins in the end win."),
        N_("Watch who lays cards where: only the cards at a bank decide what its robbery brings."),
    ),
    "tile": (
        N_("Four of the seven tiles lay a card; the others are Spy, Reveal and Robbery."),
        N_("Each tile comes up once before all seven are shuffled again: so count them."),
    ),
    "place": (
        N_("Lay a hand card face down at any bank; while the pile lasts, draw a new one."),
        N_("Money fills a bank, an X doubles it; a lone policeman or a thief may leave nothing."),
    ),
    "spy": (
        N_("You may look at one face-down card at any bank in secret; then it goes back."),
        N_("Look where you may rob soon: a single card can decide a robbery."),
    ),
    "reveal": (
        N_("You may turn one card at a bank face up for all; each bank keeps at least one hidden."),
        N_("Show what frightens the others, or what lures them into bidding too much."),
    ),
    "rob": (
        N_("One bank is chosen, and everyone robs it, no matter who chose it."),
        N_("The best bank is one where you know more cards than the others do."),
    ),
    "seal": (
        N_("Everyone bids in secret. If you are paid, you get what you bid, and keep the bid."),
        N_("Low bids are usually paid first, so greed may earn nothing; thieves take the bids."),
    ),
    "open": (
        N_("Every bid is sealed: now all are revealed, then the cards at the bank are turned up."),
        N_("Notice who bids boldly and who carefully: it helps with the next robbery."),
    ),
    "turn_up": (
        N_("All bids are revealed. Now the cards at the robbed bank are turned up, one by one."),
        N_("Read them in order: first seductresses, then policemen, then detectives and thieves."),
    ),
    "refill": (
        N_("The robbed bank is empty, so a new card from the pile goes there face down."),
        N_("No one knows this card: be careful with that bank, or spy on it later."),
    ),
}


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
