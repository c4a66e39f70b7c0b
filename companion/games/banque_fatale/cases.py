"""The cases of Banque Fatale: what each kind of dispute is made of."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from companion.judge.contract import (
    AnyCase,
    CasePart,
    HouseRules,
    Names,
    OpenNumber,
    OpenWord,
    Possible,
    Unknown,
)

Game = Literal["banque_fatale"]
Colours = list[OpenWord]
"""The colours of a card, either way round."""
OpenCard = Colours | Unknown | Possible
Hand = dict[str, OpenNumber]
"""Chips by colour."""
Track = dict[str, OpenNumber]
"""The value of every colour."""


class AuctionCase(AnyCase, frozen=True):
    """An auction: what everyone bid on which card; `holdings` are the open cards before it."""

    game: Game
    kind: Literal["auction"]
    players: Names
    start: OpenWord
    bids: dict[str, Hand]
    values: Track
    card: OpenCard
    holdings: dict[str, list[OpenCard]] | UnsetType = UNSET
    house_rules: HouseRules = UNSET


class SaleCase(AnyCase, frozen=True):
    """A card to be sold; the one `won` in this round, and the colours that have `risen` in it."""

    game: Game
    kind: Literal["sale"]
    players: Names
    seller: OpenWord
    card: OpenCard
    values: Track
    won: OpenCard | UnsetType = UNSET
    risen: Colours | UnsetType = UNSET
    house_rules: HouseRules = UNSET


class ChipsCase(AnyCase, frozen=True):
    """The chips that lay in the middle, and those taken back so far."""

    game: Game
    kind: Literal["chips"]
    players: Names
    winner: OpenWord
    chips: Hand
    taken: Colours | UnsetType = UNSET
    house_rules: HouseRules = UNSET


class EstateCase(CasePart, frozen=True):
    """What a player owns at the end."""

    cash: OpenNumber
    chips: OpenNumber
    cards: list[OpenCard]


class EstatesCase(AnyCase, frozen=True):
    """What everyone owns at the end, and what the colours are worth."""

    game: Game
    kind: Literal["score"]
    values: Track
    funds: dict[str, EstateCase]
    house_rules: HouseRules = UNSET


CASES: dict[str, type[Struct]] = {
    "auction": AuctionCase,
    "sale": SaleCase,
    "chips": ChipsCase,
    "score": EstatesCase,
}
