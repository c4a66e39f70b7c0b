"""The cases of Robby Solo: what each kind of dispute is made of."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from companion.judge.contract import AnyCase, CasePart, HouseRules, OpenWord, Possible, Unknown

Game = Literal["robby_solo"]
Loot = list[int | str | Possible]
"""Cards by what they are worth, or by name."""


class DeclaredCase(CasePart, frozen=True):
    """A declaration: who would rob which bank, or not."""

    name: str
    bank: OpenWord
    will: bool | Unknown | Possible


class RoundCase(AnyCase, frozen=True):
    """The row of banks, and what everyone chose; `loot` lay in front of them before."""

    game: Game
    kind: Literal["round"]
    banks: dict[str, Loot]
    choices: dict[str, OpenWord]
    loot: dict[str, Loot] | UnsetType = UNSET
    declared: DeclaredCase | UnsetType = UNSET
    house_rules: HouseRules = UNSET


class LootCase(AnyCase, frozen=True):
    """The loot of everyone at the end."""

    game: Game
    kind: Literal["score"]
    loot: dict[str, Loot]
    house_rules: HouseRules = UNSET


CASES: dict[str, type[Struct]] = {"round": RoundCase, "score": LootCase}
