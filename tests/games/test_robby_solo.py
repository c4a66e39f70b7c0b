"""Robby Solo at the table, told rule by rule: how its stories are told, set-up, and loot.

Three players make four banks: yellow, green, red and blue. Ana is the first Gentleman or Lady.
"""

from typing import Any, Self

import msgspec
import pytest

from companion.core.cards import standard_box
from companion.games.robby_solo import RobbySolo, RobbySoloStarted
from companion.games.robby_solo.rules import RobbySoloBox
from companion.games.robby_solo.state import Declared, Kept, LootLaid
from tests.worlds.event_story import Story

SOLD = standard_box(RobbySoloBox)
NEW = "f0" * 16
"""The nonce of a card that is laid again."""


class Robbers(Story):
    """A story of Robby Solo, with the table's usual motions in one word each."""

    def __init__(self, *players: str, **started: Any) -> None:
        super().__init__("robby_solo", *players, **started)

    def fill(self, *cards: int | str) -> Self:
        """A loot card to every bank, from the first end of the row on."""
        return self.when(*map(LootLaid, self.state.banks, cards))

    def lay(self, *banks: str) -> Self:
        """Everyone lays a robbery card, seat by seat, the Gentleman or Lady last."""
        for seat in (*self.state.other_seats(), self.state.active):
            self.seal(seat, banks[seat - 1])
        return self

    def declare(self, bank: str, will: bool = True) -> Self:
        return self.when(Declared(self.state.active, bank, will))

    def keep(self) -> Self:
        """Everyone lets their card lie."""
        return self.when(*map(Kept, self.state.other_seats()))

    def turn_up(self, *banks: str) -> Self:
        for seat, bank in enumerate(banks, 1):
            self.open(seat, bank)
        return self

    def rob(self, *banks: str) -> Self:
        """Everything from the first card laid to the last one turned up."""
        honest = banks[self.state.active - 1]
        return self.lay(*banks).declare(honest).keep().turn_up(*banks)

    def piles(self) -> list[tuple[int | str, ...]]:
        return list(self.state.piles_by_name().values())


def three(**started: Any) -> Robbers:
    return Robbers("Ana", "Ben", "Cleo", **started)


def laid(*banks: str) -> Robbers:
    """Round one, up to the Gentleman's or Lady's declaration."""
    return three().fill(1000, 2000, 3000, 4000).lay(*banks)


def small(**loot: int) -> RobbySoloBox:
    """A box with as many cards of 1,000 as are asked for by default, and these."""
    cards = {name.removeprefix("m"): n for name, n in {"m1000": 6, **loot}.items()}
    return msgspec.structs.replace(SOLD, loot=cards)


def without_seals(public: Any) -> str:
    """What is seen, but for the seals, which nobody can read."""
    return "".join(part for part in str(public).split("'") if len(part) != 64)


# R.setup


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_there_is_one_bank_more_than_players(players: int) -> None:
    story = Robbers(*"ABCDEF"[:players])
    story.then(phase="fill", active=1, deck=61)
    assert tuple(story.state.banks) == SOLD.banks[: players + 1]


def test_the_table_may_choose_its_banks_and_who_begins() -> None:
    row = ("khaki", "grey", "red", "blue")
    story = three(banks=row, first=3).then(active=3)
    assert tuple(story.state.banks) == row


@pytest.mark.parametrize(
    ("started", "code", "rule"),
    [
        ({"players": 2}, "players", "R.setup"),
        ({"players": 7}, "players", "R.setup"),
        ({"players": 6, "junior": True}, "players", "R.junior"),
        ({"banks": ("red", "blue", "grey")}, "banks", "R.setup"),
        ({"banks": ("red", "blue", "grey", "red")}, "banks", "R.setup"),
        ({"banks": ("red", "blue", "grey", "pink")}, "banks", "R.setup"),
        ({"first": 4}, "first", "R.setup"),
    ],
)
def test_a_game_cannot_start_like_this(started: Any, code: str, rule: str) -> None:
    rules = RobbySolo(SOLD)
    event = RobbySoloStarted(**{"id": "g", "players": 3, **started})
    refused = rules.refuse(None, event)
    assert refused is not None
    assert (refused.code, refused.rule) == (code, rule)
    assert rules.apply(None, event) is None
    assert rules.refuse(None, Kept(1)).code == "not_started"  # type: ignore[union-attr]


# R.fill


def test_loot_is_laid_from_the_left_end() -> None:
    story = three().when(LootLaid("yellow", 5000))
    story.refused(LootLaid("red", 1000), "out_of_line", "R.fill")
    story.refused(LootLaid("yellow", 1000), "out_of_line", "R.fill")
    story.when('loot_laid bank="green" card="object"').then(phase="fill", deck=59)
    story.when(LootLaid("red", 1000), LootLaid("blue", 1000)).then(phase="seal", deck=57)
    assert story.rules.expected_cards(story.state) == {
        1: ("5000",),
        2: ("object",),
        3: ("1000",),
        4: ("1000",),
    }


def test_or_from_the_right_end() -> None:
    story = three().refused(LootLaid("green", 1000), "out_of_line", "R.fill")
    story.when(LootLaid("blue", 1000)).refused(LootLaid("yellow", 1000), "out_of_line", "R.fill")
    story.when(LootLaid("red", 1000), LootLaid("green", 1000), LootLaid("yellow", 1000))
    story.then(phase="seal")


def test_only_cards_of_the_box_are_laid_and_never_more_than_it_holds() -> None:
    counted = msgspec.structs.replace(small(object=1), guesses={})
    story = three(box=counted).refused(LootLaid("pink", 1000), "no_such_bank", "R.fill")
    story.refused(LootLaid("yellow", 1500), "no_such_card", "R.fill")
    story.when(LootLaid("yellow", "object"))
    story.refused(LootLaid("green", "object"), "none_left", "R.fill")
    assert story.rules.list_options(story.state, 2) == []
    (may,) = story.rules.list_options(story.state, 1)
    assert may.choices == [{"bank": "green", "card": (1000,)}]


def test_more_of_a_loot_card_than_we_guess_is_laid_all_the_same() -> None:
    story = three(box=small(object=1)).when(LootLaid("yellow", "object"))
    story.when(LootLaid("green", "object")).then(filled=("yellow", "green"))


def test_loot_piles_up_where_it_stayed() -> None:
    story = three().fill(1000, 2000, 3000, 4000).rob("red", "red", "blue")
    story.fill(5000, 6000, 7000, 8000)
    story.then(banks={"yellow": (1000, 5000), "green": (2000, 6000), "red": (3000, 7000),
                      "blue": (8000,)})  # fmt: skip
