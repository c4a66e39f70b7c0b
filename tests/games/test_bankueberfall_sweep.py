"""The sweep of a robbed bank: cards are shown one by one, and compared with those noted."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from companion.core.sweep import SweepDifference, compare_sweep
from companion.core.table_events import Found
from tests.worlds.event_story import Story
from tests.worlds.naive_judges import rob


def robbed(*cards: str | None, sweep: str = "doubtful", bank: int = 3) -> Story:
    """Ana and Ben rob a bank at which these cards are noted; their hands are open."""
    story = Story("bankueberfall", "Ana", "Ben", sweep=sweep)
    cards_there = tuple(_noted(story, card) for card in cards)
    banks = list(story.state.banks)
    banks[bank - 1] = cards_there
    story.given(banks=tuple(banks)).when('tile_turned seat=1 tile="rob"')
    return story.when(f"bank_chosen seat=1 bank={bank}").hands(3, 0)


def _noted(story: Story, card: str | None) -> Any:
    kind = type(story.state.banks[0][0])
    return kind(card, known_to=(1,))


def shown(story: Story, *cards: str) -> Story:
    return story.when(*(f'card_shown bank=3 card="{card}"' for card in cards))


def test_an_empty_bank_is_not_swept() -> None:
    assert robbed().verdict.loot == 0


def test_cards_shown_in_any_order_decide_once_all_are_shown() -> None:
    story = robbed("5", None, "x")
    story.then(phase="turn_up")
    shown(story, "x", "10").then(phase="turn_up")
    shown(story, "5").then(phase="refill", discard=("5", "10", "x"), shown=())
    assert story.verdict.loot == 30


def test_a_different_card_is_settled_before_money_is_paid() -> None:
    story = shown(robbed("5", "2"), "10", "2")
    story.then(phase="turn_up")
    assert story.state.sweep.difference == SweepDifference(("5",), ("10",))
    found = story.rules.corrections.apply_found(story.state, Found(3, ("10", "2")))
    assert found.verdict.loot == 12
    assert story.when("pile_believed bank=3").verdict.loot == 7


def test_a_pile_is_believed_only_if_every_card_was_heard() -> None:
    story = robbed("5", None).refused("pile_believed bank=3", "unnamed", "B.rob")
    assert "pile_believed" not in story.offered(1)
    shown(story, "5").refused("pile_believed bank=3", "unnamed", "B.rob")
    assert robbed("5", "2").offered(2)["pile_believed"] == [{"bank": 3}]


def test_only_cards_of_the_robbed_bank_are_shown_and_as_many_as_the_box_holds() -> None:
    story = robbed("10", "10", "2")
    story.refused('card_shown bank=2 card="5"', "wrong_bank", "B.rob")
    story.refused('card_shown bank=3 card="ace"', "no_such_card", "B.rob")
    story.refused('card_named bank=3 slot=1 card="5"', "not_its_name", "T.hidden")
    shown(story, "10", "10").refused('card_shown bank=3 card="10"', "none_left", "B.rob")
    robbed("5", sweep="").refused('card_shown bank=3 card="5"', "wrong_phase", "B.refill")


def test_the_bank_looks_the_same_whatever_is_noted_there() -> None:
    one, other = shown(robbed("5", "2", None), "x"), shown(robbed("x", "10", None), "x")
    views = [story.rules.public_view(story.state) for story in (one, other)]
    assert views[0] == views[1]
    assert views[0].banks[2] == ("x", None, None)
    assert (views[0].sweep.shown, views[0].sweep.total) == (("x",), 3)
    assert one.offered(2) == other.offered(2)


def test_a_card_that_lay_open_is_shown_too_and_fills_no_other_place() -> None:
    story = robbed("5", "2")
    cards = story.state.banks[2]
    turned = type(cards[0])("2", up=True)
    story.given(banks=(*story.state.banks[:2], (cards[0], turned), *story.state.banks[3:]))
    shown(story, "2")
    assert story.rules.public_view(story.state).banks[2] == (None, "2")


@pytest.mark.parametrize("seed", range(40))
def test_the_verdict_is_that_of_the_true_cards_whatever_was_noted(seed: int) -> None:
    """Some cards were never heard; they are shown in any order."""
    random = Random(seed)
    kinds = list(Counter(Story("bankueberfall", "Ana", "Ben").rules.box.cards).elements())
    true = random.sample(kinds, random.randint(1, 8))
    noted = [card if random.random() < 0.6 else None for card in true]
    story = shown(robbed(*noted), *random.sample(true, len(true)))
    naive: dict[str, Any] = rob(true, {"Ana": 3, "Ben": 0}, {})  # type: ignore[no-untyped-call]
    assert (story.verdict.loot, story.verdict.change) == (naive["loot"], naive["change"])
    assert Counter(story.state.discard) == Counter(true)


def test_a_card_without_a_name_stands_for_any_card() -> None:
    assert compare_sweep(("5", None), ("5", "5")) == ((), ())
    assert compare_sweep((None, "5"), ("10", "x")) == (("5",), ("x",))
    assert compare_sweep(("5", "5"), ("5",)) == (("5",), ())
