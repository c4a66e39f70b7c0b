"""Banque Fatale for the registry: its parts of the pages, and the words for names in its box."""

from companion.core.i18n import N_
from companion.games.banque_fatale import AUCTION, SALE, BanqueFatale
from companion.games.banque_fatale.bot import DECISIONS
from companion.games.banque_fatale.kinds import make_kinds
from companion.games.banque_fatale.picture import picture_auction
from companion.games.banque_fatale.pieces import LAYOUT
from companion.games.banque_fatale.rules import RULES, BanqueFataleBox
from companion.games.game import Game
from companion.games.open_table import Sight, show_fields
from companion.games.screens import BID_LABELS, GameBlock, ReaderPlan, Screens, row_positions

OPEN_CARDS = (1, 2, 3)


def list_lanes(view: Sight) -> dict[str, object]:
    """Return for each colour its value, and the values that it reached in each auction."""
    course = view.public.course
    return {
        colour: (value, [values[colour] for values in course])
        for colour, value in view.public.values.items()
    }


SCREENS = Screens(
    board=show_fields(),
    stock=show_fields("pile", "bank"),
    beside=show_fields("sale"),
    bid=show_fields("mine", "auctioned"),
    play=show_fields(),
    board_items=list_lanes,
    blocks={
        "offer": GameBlock("offer.html", show_fields("open_cards")),
        "auction": GameBlock("auction.html", show_fields("auctioned", "phase")),
        "middle": GameBlock("middle.html", show_fields("middle")),
    },
    readers=ReaderPlan(
        {**row_positions(OPEN_CARDS, 132, 60), **row_positions((AUCTION, SALE), 212, 60)}
    ),
    button_labels=BID_LABELS,
    picture=picture_auction,
    short_phases=("refill", "choose", "take", "sell"),
    prompts_with_pieces={
        "card_turned": (
            N_("Lift the card on top of the pile, and lay it on the place that then glows."),
        ),
    },
    welcome=("aces-yellow-blue", "ace-red", "aces-green-orange"),
    count_labels={"millions": N_("Cash in millions")},
    colours=("red", "yellow", "green", "blue", "orange"),
    marks={"green": N_("Gn")},
)

WORDS = {
    "red": N_("red"),
    "yellow": N_("yellow"),
    "green": N_("green"),
    "blue": N_("blue"),
    "orange": N_("orange"),
}


GAME = Game(
    name="banque_fatale",
    box=BanqueFataleBox,
    rulebook=BanqueFatale,
    rules=RULES,
    make_kinds=make_kinds,
    bot=DECISIONS,
    screens=SCREENS,
    pieces=LAYOUT,
    words=WORDS,
)
