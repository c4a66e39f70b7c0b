"""Hints for beginners at Banque Fatale, by phase."""

from companion.core.i18n import N_
from companion.games.rulebook import Hints

HINTS: dict[str, Hints] = {
    "deal": (
        N_("Win cards at auctions, drive up their colours, sell them dear: the most money wins."),
        N_("Lay your first card, of one colour, open before you and say on the phone which it is."),
        N_("Chips decide twice: who wins the card, and which colours rise or fall."),
    ),
    "lay": (
        N_("Three cards from the pile are turned up: soon one of them is auctioned."),
        N_("Turn them up beside the board, or say on the phone which they are."),
        N_("Remember who holds which colour: a player who shares yours helps to drive it up."),
    ),
    "choose": (
        N_("The start player picks one of the open cards; everyone may bid for it."),
        N_("Move that card to the auction place, or tap it on the phone."),
        N_("Choose your card while the others are short of chips, and don’t be mean with yours."),
    ),
    "refill": (
        N_("A new card from the pile fills the gap; then everyone bids."),
        N_("Turn it up on the empty place, or say on the phone which it is."),
        N_("The pile shows how long the game still takes; only a start player can sell."),
    ),
    "seal": (
        N_("Everyone bids chips in secret, or none. The most chips win the card."),
        N_("“Hold to peek” shows what you have. Set your chips and seal your bid."),
        N_("The colour with the most chips (two at least) rises; with one chip or none it falls."),
    ),
    "open": (
        N_("The bids are revealed: the most chips win the card, and the colours rise or fall."),
        N_("Your phone reveals your bid by itself. The chips bid go to the middle."),
        N_("A colour above 10 pays you for each of its aces that you own, then goes back to 6."),
    ),
    "take": (
        N_("The chips bid are taken back one at a time, beginning left of the card’s winner."),
        N_("Take one chip from the middle and tap its colour on the phone."),
        N_("Take colours to drive up, or ones that others need. Who bid little gets more back."),
    ),
    "sell": (
        N_("The start player may sell one card for the value of its colours; it leaves the game."),
        N_("Lay it on the sale place, or tap it on the phone; or sell nothing."),
        N_("Sell while a colour is dear: above 10 it pays its bonus and falls back to 6."),
    ),
    "over": (
        N_("Cash and cards are counted, and a million for each chip unless a house rule says no."),
        N_("Count what you own and compare: the screens say how much it should be."),
        N_("Which moment decided the game? With the judge you can look back at it."),
    ),
}
