"""What pages show of Banque Fatale: a value track with lanes, open cards, an auction."""

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.core.i18n import N_, Message
from companion.core.verdict import Verdict
from companion.games.banque_fatale.picture import picture_auction
from companion.games.reader_plan import BOTTOM_EDGE, ReaderPlan, row_positions
from companion.games.screens import GameBlock, Screens, Sight

OPEN_CARDS, AUCTION, SALE = (1, 2, 3), 4, 5
"""The places of the cards."""


class ColoursShown(msgspec.Struct, frozen=True):
    """The colours that have a value."""

    colours: tuple[str, ...]


def show_colours(view: Sight) -> ColoursShown:
    """Return the facts of the board's frame."""
    return ColoursShown(tuple(view.public.values))


class StockShown(msgspec.Struct, frozen=True):
    """The pile of cards, and the millions of the bank."""

    pile: int
    bank: int


def show_stock(view: Sight) -> StockShown:
    """Return the facts of the stock."""
    return StockShown(view.public.pile, view.public.bank)


class AuctionShown(msgspec.Struct, frozen=True):
    """The card on auction, and the phase of the game."""

    auctioned: str | None
    phase: str


def show_auction(view: Sight) -> AuctionShown:
    """Return the facts of the auction."""
    return AuctionShown(view.public.auctioned, view.public.phase)


class OfferShown(msgspec.Struct, frozen=True):
    """The open cards."""

    open_cards: tuple[str | None, ...]


class MiddleShown(msgspec.Struct, frozen=True):
    """The chips in the middle."""

    middle: Mapping[str, int]


class SaleShown(msgspec.Struct, frozen=True):
    """The sale that followed the last auction, if there was one."""

    sale: Verdict | None


class BidShown(msgspec.Struct, frozen=True):
    """What a seat bids from, and for which card."""

    mine: Any
    auctioned: str | None


def list_lanes(view: Sight) -> dict[str, object]:
    """Return for each colour its value, and the values that it reached in each auction."""
    course = view.public.course
    return {
        colour: (value, [values[colour] for values in course])
        for colour, value in view.public.values.items()
    }


def name_place(_public: object, place: int) -> Message:
    """Return the name of a place on the simulated table."""
    if place in OPEN_CARDS:
        return Message(N_("Open card {n}"), {"n": place})
    return Message(N_("Auction") if place == AUCTION else N_("The sale"))


SCREENS = Screens(
    board=show_colours,
    stock=show_stock,
    beside=lambda view: SaleShown(view.public.sale),
    bid=lambda view: BidShown(view.mine, view.public.auctioned),
    play=show_colours,
    board_items=list_lanes,
    blocks={
        "offer": GameBlock("offer.html", lambda view: OfferShown(view.public.open_cards)),
        "auction": GameBlock("auction.html", show_auction),
        "middle": GameBlock("middle.html", lambda view: MiddleShown(view.public.middle)),
    },
    name_place=name_place,
    readers=ReaderPlan(
        {**row_positions(OPEN_CARDS, 132, 60), **row_positions((AUCTION, SALE), 212, 60)},
        BOTTOM_EDGE,
    ),
    button_labels={"sealed": N_("Seal my bid"), "sealed_again": N_("Undo my bid")},
    picture=picture_auction,
    short_phases=("refill", "choose", "take", "sell"),
    prompts_with_pieces={
        "card_turned": (
            N_("Lift the card on top of the pile, and lay it on the place that then glows."),
        ),
    },
    welcome=("aces-yellow-blue", "ace-red", "aces-green-orange"),
    count_labels={"millions": N_("Cash in millions")},
    marks={
        "red": N_("Re"),
        "yellow": N_("Ye"),
        "green": N_("Gn"),
        "blue": N_("Bl"),
        "orange": N_("Or"),
    },
)
