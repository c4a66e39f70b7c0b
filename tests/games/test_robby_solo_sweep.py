"""The sweep of robbed banks in Robby Solo: loot is shown one by one before it is given."""

from typing import Any

import pytest

from companion.core.sweep import SweepDifference
from companion.core.table_events import Found
from tests.worlds.event_story import Story

ROW = ("yellow", "green", "red", "blue")


def robbed(loot: dict[str, tuple[Any, ...]], *chosen: str, sweep: str = "doubtful") -> Story:
    """Ana, Ben and Cem rob these banks, at which this loot lies; their cards are up."""
    story = Story("robby_solo", "Ana", "Ben", "Cem", sweep=sweep)
    return choose(story, {bank: loot.get(bank, (1000,)) for bank in ROW}, chosen)


def choose(
    story: Story, banks: dict[str, tuple[Any, ...]], chosen: tuple[str, ...], said: str = ""
) -> Story:
    """All three rob a bank; Ana says that she will rob hers, or another one."""
    story.given(banks=banks, phase="seal", filled=tuple(banks))
    for seat in (2, 3, 1):
        story.seal(seat, chosen[seat - 1])
    said = said or chosen[0]
    story.when(f'declared seat=1 bank="{said}" will=true', "kept seat=2", "kept seat=3")
    for seat, bank in enumerate(chosen, 1):
        story.open(seat, bank)
    return story


def shown(story: Story, bank: str, *cards: str) -> Story:
    return story.when(*(f'loot_shown bank="{bank}" card={card}' for card in cards))


def piles(story: Story) -> list[tuple[Any, ...]]:
    return [player.pile for player in story.state.players]


def test_only_what_one_takes_alone_is_swept_bank_by_bank_along_the_row() -> None:
    story = robbed({"green": (2000, "object"), "blue": (3000,)}, "blue", "green", "green")
    assert (story.state.phase, story.state.sweep.place) == ("sweep", 4)
    story = robbed({"green": (2000, "object"), "blue": (3000,)}, "blue", "green", "yellow")
    assert (story.state.sweep.place, story.state.sweep.believed) == (1, ("1000",))
    shown(story, "yellow", "1000")
    assert (story.state.sweep.place, story.state.sweep.swept_before) == (2, (1,))
    shown(story, "green", '"object"', "2000")
    assert (story.state.sweep.place, piles(story)) == (4, [(), (), ()])
    shown(story, "blue", "3000").then(phase="fill", swept=(), shown=(), unswept=())
    assert piles(story) == [(3000,), (2000, "object"), (1000,)]


def test_an_empty_bank_is_not_swept() -> None:
    story = robbed({"green": (), "yellow": ()}, "green", "yellow", "yellow")
    assert (story.state.phase, piles(story)) == ("fill", [(), (), ()])


def test_the_bank_of_a_false_declarer_is_not_swept() -> None:
    story = Story("robby_solo", "Ana", "Ben", "Cem", sweep="always")
    choose(story, dict.fromkeys(ROW, (1000,)), ("red", "blue", "blue"), said="green")
    assert story.state.phase == "fill"


def test_other_loot_than_noted_is_settled_before_it_is_given() -> None:
    story = robbed({"red": (2000, 5000)}, "red", "blue", "blue")
    shown(story, "red", "9000", "2000").then(phase="sweep")
    assert story.state.sweep.difference == SweepDifference(("5000",), ("9000",))
    found = story.rules.corrections.apply_found(story.state, Found(3, ("9000", "2000")))
    assert (found.players[0].pile, found.deck) == ((9000, 2000), story.state.deck)
    assert piles(story.when('loot_believed bank="red"')) == [(2000, 5000), (), ()]


def test_a_card_found_too_few_goes_back_to_the_deck() -> None:
    story = shown(robbed({"red": (2000, 5000)}, "red", "blue", "blue"), "red", "2000")
    found = story.rules.corrections.apply_found(story.state, Found(3, ("2000",)))
    assert (found.players[0].pile, found.deck) == ((2000,), story.state.deck + 1)


def test_what_is_found_at_another_bank_ends_no_sweep() -> None:
    story = robbed({"red": (2000,), "blue": (5000,)}, "red", "blue", "yellow")
    shown(story, "yellow", "1000")
    found = story.rules.corrections.apply_found(story.state, Found(4, ()))
    assert (found.phase, found.sweep.place) == ("sweep", 3)
    after = story.rules.corrections.apply_found(found, Found(3, ("2000",)))
    assert [p.pile for p in after.players] == [(2000,), (), (1000,)]


def test_only_the_swept_bank_is_shown_and_as_many_as_the_box_holds() -> None:
    story = robbed({"red": (2000, 3000), "yellow": ("object",) * 6}, "red", "blue", "blue")
    story.refused('loot_shown bank="blue" card=1000', "wrong_bank", "R.solo")
    story.refused('loot_shown bank="red" card=7', "no_such_card", "R.solo")
    shown(story, "red", '"object"')
    story.refused('loot_shown bank="red" card="object"', "none_left", "R.solo")
    assert story.offered(3)["loot_believed"] == [{"bank": "red"}]


@pytest.mark.parametrize("sweep", ["doubtful", "always"])
def test_junior_is_swept_like_everyone(sweep: str) -> None:
    story = Story("robby_solo", "Ana", "Ben", "Cem", junior=True, sweep=sweep)
    row = tuple(story.state.banks)
    choose(story, dict.fromkeys(row, (1000,)), ("red", "blue", "blue"))
    story.when(f'junior_shown bank="{row[0]}"')
    assert (story.state.phase, story.state.unswept) == ("sweep", (row[0], "red"))
    shown(shown(story, row[0], "1000"), "red", "1000")
    assert story.state.junior.pile == (1000,)


def test_the_screens_tell_how_far_it_is_and_not_what_is_noted() -> None:
    story = shown(robbed({"red": (2000, 5000)}, "red", "blue", "blue"), "red", "9000")
    sweep = story.rules.public_view(story.state).sweep
    assert (sweep.shown, sweep.total, sweep.place) == (("9000",), 2, 3)


def test_the_deck_keeps_a_card_for_every_bank_that_is_still_filled() -> None:
    banks = dict.fromkeys(ROW, (1000,))
    story = Story("robby_solo", "Ana", "Ben", "Cem").given(
        phase="fill", banks=banks, filled=("yellow",), deck=4
    )
    more = [Found(1, ("1000", *["2000"] * n)) for n in (1, 2)]
    refused = [story.rules.corrections.refuse_found(story.state, found) for found in more]
    assert [one and one.code for one in refused] == [None, "too_many"]
    story.given(phase="seal", filled=ROW)
    assert (
        story.rules.corrections.refuse_found(story.state, Found(1, ("1000", *["2000"] * 4))) is None
    )
