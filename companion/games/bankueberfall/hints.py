"""Hints for beginners at Banküberfall, by phase."""

from companion.core.i18n import N_
from companion.games.rulebook import Hints

HINTS: dict[str, Hints] = {
    "start": (
        N_("You rob banks together and fight over the loot. The most coins in the end win."),
        N_("Turn up a tile and do what it says: the phone leads you through it."),
        N_("Watch who lays cards where: only the cards at a bank decide what its robbery brings."),
    ),
    "tile": (
        N_("Four of the seven tiles lay a card; the others are Spy, Reveal and Robbery."),
        N_("Lay a tile face up on the eighth spot, or tap it on the phone."),
        N_("Each tile comes up once before all seven are shuffled again: so count them."),
    ),
    "place": (
        N_("Lay a hand card face down at any bank; while the pile lasts, draw a new one."),
        N_("Put it down at the bank. If there is no reader, tap the bank on the phone."),
        N_("Money fills a bank, an X doubles it; a lone policeman or a thief may leave nothing."),
    ),
    "spy": (
        N_("You may look at one face-down card at any bank in secret; then it goes back."),
        N_("Lift it, look, and put it back face down; or tap it on the phone, or skip."),
        N_("Look where you may rob soon: a single card can decide a robbery."),
    ),
    "reveal": (
        N_("You may turn one card at a bank face up for all; each bank keeps at least one hidden."),
        N_("Lift it and put it back face up, or tap it on the phone; or skip."),
        N_("Show what frightens the others, or what lures them into bidding too much."),
    ),
    "rob": (
        N_("One bank is chosen, and everyone robs it, no matter who chose it."),
        N_("Put the robber figure at a bank, or tap the bank on the phone."),
        N_("The best bank is one where you know more cards than the others do."),
    ),
    "seal": (
        N_(
            "Everyone bids coins in secret. If you are paid, you get as many as you bid, and "
            "keep them."
        ),
        N_("“Hold to peek” shows what you have. Set your coins and seal your bid."),
        N_(
            "Low bids are usually paid first, so greed may earn nothing; and thieves take the bids."
        ),
    ),
    "open": (
        N_("Every bid is sealed: now all are revealed, then the cards at the bank are turned up."),
        N_("Your phone reveals your bid by itself; keep it awake, with this page in front."),
        N_("Notice who bids boldly and who carefully: it helps with the next robbery."),
    ),
    "turn_up": (
        N_("All bids are revealed. Now the cards at the robbed bank are turned up, one by one."),
        N_("Turn each card and show it to the reader; anyone may name one on a phone instead."),
        N_("Read them in order: first seductresses, then policemen, then detectives and thieves."),
    ),
    "refill": (
        N_("The robbed bank is empty, so a new card from the pile goes there face down."),
        N_("Lay it there without looking at it, or tap the bank on the phone."),
        N_("No one knows this card: be careful with that bank, or spy on it later."),
    ),
    "over": (
        N_("Every bank was robbed once more. The coins are counted; a red credit costs 10."),
        N_("Count what you own and compare: the screens say how much it should be."),
        N_("Which moment decided the game? With the judge you can look back at it."),
    ),
}
