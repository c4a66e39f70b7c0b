"""Hints for beginners at Robby Solo, by phase."""

from companion.core.i18n import N_
from companion.games.rulebook import Hints

HINTS: dict[str, Hints] = {
    "start": (
        N_("Be alone at a bank, and you take everything there. The most valuable loot wins."),
        N_("Lay an open loot card at each bank; where no reader lies, say on the phone which."),
        N_("One object is worth little, but seven together are worth 100,000."),
    ),
    "fill": (
        N_("A new round: every bank gets one open loot card, on top of what is still there."),
        N_("Go along the row from either end; where no reader lies, say on the phone which card."),
        N_("If a round leaves four cards at a bank, the police take one from the richest pile."),
    ),
    "seal": (
        N_("Everyone chooses a bank in secret; the Gentleman or Lady is last."),
        N_("Choose a bank on your phone and lay its card: it lies face down until all are in."),
        N_("The richest bank lures everyone. Alone at a poor one you get more than nothing."),
    ),
    "declare": (
        N_("The Gentleman or Lady names a bank they will rob, or one they will not."),
        N_("Say it aloud and tap it on the phone; it must be true."),
        N_("Naming your bank keeps many away, but may bring someone who spoils it."),
    ),
    "change": (
        N_("All others keep their card, or take it back and lay one again, even the same."),
        N_("Keep it or lay another, on your phone. All see which you do, but not the card itself."),
        N_("To take a card back and lay the same one again can be a fine bluff."),
    ),
    "open": (
        N_("All robbery cards are turned up: only a player alone at a bank takes its loot."),
        N_("Your phone turns up your card by itself. Loot goes face up onto your one pile."),
        N_("Only the top card of a pile can be read: remember what the others took."),
    ),
    "junior": (
        N_("Robby Junior robs as well: the next card of his set is turned up."),
        N_("Turn up his top card, and say on a phone which bank it shows; anyone may do it."),
        N_(
            "His cards always come in the same order: remember it, and soon you know where he goes."
        ),
    ),
    "sweep": (
        N_("Before loot is given, its cards are shown to the reader of the bank, one by one."),
        N_("Hold them over it one after the other; or name them on a phone, or believe the pile."),
        N_("Watch which cards go where: soon only the top one of each pile can be read."),
    ),
    "over": (
        N_("Too few loot cards are left to fill all banks: money and objects are counted."),
        N_("Count what you own and compare: the screens say how much it should be."),
        N_("Which moment decided the game? With the judge you can look back at it."),
    ),
}
