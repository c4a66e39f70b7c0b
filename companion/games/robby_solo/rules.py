"""The rules of Robby Solo by id, paraphrased from the French booklet, and its box."""

from collections.abc import Mapping
from typing import ClassVar, Literal

from companion.core.cards import Box, Count, Money, find_doubles
from companion.core.i18n import N_
from companion.games.rule_texts import TIES, Open, Rule, Rules
from companion.games.rulebook import Hints

RULES = Rules(
    rules={
        "R.setup": Rule("Règles\u00a0: préparation", N_(
            "One bank more than players lies in a row. Everyone holds one robbery card for each of"
            " these banks. The first Gentleman or Lady takes the deck of loot."
        )),
        "R.fill": Rule("Règles\u00a0: au début de chaque tour", N_(
            "At the start of a round, every bank gets one open loot card, from one end of the row"
            " to the other, on top of what is already there."
        )),
        "R.end": Rule("Règles\u00a0: fin de la partie", N_(
            "If the deck has too few cards to fill every bank, the game ends at once."
        )),
        "R.choose": Rule("Règles\u00a0: choix et déclaration", N_(
            "All others lay a robbery card face down, then the Gentleman or Lady does, who then"
            " truly names a bank that they will rob, or one that they will not."
        )),
        "R.change": Rule("Règles\u00a0: confirmer ou reprendre", N_(
            "Everyone else keeps their card, or takes it back and lays one again, even the same"
            " one. All see that it was taken back, but not which card is laid."
        )),
        "R.solo": Rule("Règles\u00a0: les braquages", N_(
            "All cards are turned up. A player who is alone at a bank takes everything there;"
            " where two or more meet, it all stays."
        )),
        "R.pile": Rule("Règles\u00a0: les butins obtenus", N_(
            "Loot lies face up in one pile in front of its owner; only the top card can be read."
        )),
        "R.police": Rule("Règles\u00a0: la Police", N_(
            "At the end of a round, the cards of each bank that holds four go under the deck, "
            "and the player with the most loot cards gives up their best money card, or an "
            "object if they own no money. Count again for each such bank."
        )),
        "R.next": Rule("Règles\u00a0: le tour suivant", N_(
            "The deck passes clockwise to the next Gentleman or Lady."
        )),
        "R.score": Rule("Règles\u00a0: décompte", N_(
            "Money counts what it says. Objects count together: 1,000 for one, then 10,000,"
            " 20,000, 40,000, 60,000, 80,000, and 100,000 for seven. The most wins."
        )),
        "R.junior": Rule("Règles\u00a0: Robby Junior", N_(
            "With fewer than six, Robby Junior may join: one bank more, and a set of robbery cards"
            " that is shuffled once and always played in that order."
        )),
    },
    house_rules={
        "retake": Open(
            N_("How often may you take your card back after the declaration?"),
            {
                "once": N_("after the declaration a card is taken back once at most"),
                "until_gone_on": N_("cards are taken back until the Gentleman goes on"),
            },
        ),
        "own_pile": Open(
            N_("May you look through your own pile of loot?"),
            {
                "whole": N_("everyone may look through their own pile"),
                "top_card": N_("no one may look through a pile, not even their own"),
            },
        ),
    },
    rulings={
        "R.junior.loot": N_(
            "Robby Junior takes loot, is visited by the police and is scored like everyone; he is"
            " never the Gentleman, and gives up an object only if he has nothing else."
        ),
        "R.police.object": N_(
            "Only the number of objects counts. A player who owns nothing else chooses which one"
            " to give up; the companion notes one fewer."
        ),
        "R.end.quiet": N_(
            "By the booklet, players could meet for ever. Once no one has taken loot for twelve"
            " rounds, the Gentleman or Lady may end the game for the table, and it is scored."
        ),
        "R.police.none": N_("If the police come and no one owns a card, nothing is given up."),
        "R.false": N_(
            "A false declaration, which only a tampered phone can make: that card is set aside and"
            " robs nothing, and the verdict says so."
        ),
        "R.police.equal": N_(
            "Of several most valuable money cards, the lowest one in the pile is given up."
        ),
        "R.split": N_(
            "Our guess: the booklet counts 61 loot cards without their split. Six of each of nine"
            " values and seven objects fit what it says. A case with other cards is judged with a"
            " warning, and a box file of your own replaces the guess."
        ),
        "R.banks": N_(
            "Our guess: the booklet does not name the colours of the seven banks. A box file of"
            " your own replaces them."
        ),
        "R.ties": TIES,
    },
)  # fmt: skip


HINTS: dict[str, Hints] = {
    "start": (
        N_("Be alone at a bank, and you take everything there. The most valuable loot wins."),
        N_("One object is worth little, but seven together are worth 100,000."),
    ),
    "fill": (
        N_("A new round: every bank gets one open loot card, on top of what is still there."),
        N_("If a round leaves four cards at a bank, the police take one from the richest pile."),
    ),
    "seal": (
        N_("Everyone chooses a bank in secret; the Gentleman or Lady is last."),
        N_("The richest bank lures everyone. Alone at a poor one you get more than nothing."),
    ),
    "declare": (
        N_("The Gentleman or Lady names a bank they will rob, or one they will not."),
        N_("Naming your bank keeps many away, but may bring someone who spoils it."),
    ),
    "change": (
        N_("All others keep their card, or take it back and lay one again, even the same."),
        N_("To take a card back and lay the same one again can be a fine bluff."),
    ),
    "open": (
        N_("All robbery cards are turned up: only a player alone at a bank takes its loot."),
        N_("Only the top card of a pile can be read: remember what the others took."),
    ),
    "junior": (
        N_("Robby Junior robs as well: the next card of his set is turned up."),
        N_(
            "His cards always come in the same order: remember it, and soon you know where he goes."
        ),
    ),
    "sweep": (
        N_("Before loot is given, its cards are shown to the reader of the bank, one by one."),
        N_("Watch which cards go where: soon only the top one of each pile can be read."),
    ),
}


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
