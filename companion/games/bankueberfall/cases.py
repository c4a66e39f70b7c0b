"""The cases of Banküberfall: what each kind of dispute is made of."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from companion.judge.contract import (
    AnyCase,
    CasePart,
    HouseRules,
    Names,
    OpenNumber,
    OpenWord,
    Whole,
)

Game = Literal["bankueberfall"]


class RobberyCase(AnyCase, frozen=True):
    """The cards of a bank, and what everyone bid; `funds` is what they owned before."""

    game: Game
    kind: Literal["robbery"]
    cards: list[OpenWord]
    bids: dict[str, OpenNumber]
    bank: Whole | UnsetType = UNSET
    funds: dict[str, OpenNumber] | UnsetType = UNSET
    house_rules: HouseRules = UNSET


class FinalCase(AnyCase, frozen=True):
    """Who laid the last card, and the banks robbed so far or empty."""

    game: Game
    kind: Literal["final"]
    players: Names
    last: OpenWord
    front: OpenNumber | UnsetType = UNSET
    robbed: list[OpenNumber] | UnsetType = UNSET
    empty: list[OpenNumber] | UnsetType = UNSET
    house_rules: HouseRules = UNSET


class PurseCase(CasePart, frozen=True):
    """What a player owns at the end."""

    coins: OpenNumber
    credits: OpenNumber


class PursesCase(AnyCase, frozen=True):
    """What everyone owns at the end."""

    game: Game
    kind: Literal["score"]
    funds: dict[str, PurseCase]
    house_rules: HouseRules = UNSET


CASES: dict[str, type[Struct]] = {"robbery": RobberyCase, "final": FinalCase, "score": PursesCase}
