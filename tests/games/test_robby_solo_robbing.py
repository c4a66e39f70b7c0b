"""Robby Solo, the cards are turned up: who may see what, who is next, and the end."""

import pytest

from companion.core.events import Entered, Resealed
from companion.games.robby_solo.state import Kept, LootLaid
from tests.games.test_robby_solo import NEW, laid, small, three, without_seals

# Turning up


def test_a_card_must_show_a_bank_of_the_row() -> None:
    story = laid("blue", "red", "red").declare("blue").keep()
    story.refused(Entered(2, "grey"), "no_such_bank", "R.choose")
    story.refused(Entered(2, 3), "not_a_hand", "R.solo")


@pytest.mark.parametrize("phase", ["seal", "declare", "change", "open"])
def test_the_table_may_have_all_cards_laid_anew(phase: str) -> None:
    story = three().fill(1000, 2000, 3000, 4000).seal(2, "red")
    if phase != "seal":
        story.seal(3, "red").seal(1, "blue")
    if phase in ("change", "open"):
        story.declare("blue").seal(2, "green", NEW)
    if phase == "open":
        story.when(Kept(3)).open(1, "blue")
    story.then(phase=phase).when(Resealed()).then(phase="seal", declaration=None, relaid=())
    assert story.state.hands.unclosed_seats() == (1, 2, 3)
    story.rob("blue", "green", "red")
    assert story.piles() == [(4000,), (2000,), (3000,)]


# R.next, R.end


def test_the_game_ends_when_the_deck_does_not_reach_every_bank() -> None:
    story = three(box=small(m2000=1)).fill(1000, 2000, 1000, 1000).rob("green", "red", "red")
    story.then(phase="over", deck=3)
    assert story.score.winners == ("Ana",)
    assert story.rules.awaited_seats(story.state) == ()
    story.refused(LootLaid("yellow", 1000), "wrong_phase", "R.end")


def test_it_goes_on_when_the_deck_just_reaches() -> None:
    story = three(box=small(m2000=2)).fill(1000, 2000, 1000, 1000).rob("green", "red", "red")
    story.then(phase="fill", deck=4, score=None)


def test_a_box_with_too_few_cards_is_over_at_once() -> None:
    story = three(box=small(m1000=3)).then(phase="over")
    assert story.score.winners == ("Ana", "Ben", "Cleo")


# R.pile, and what may be seen


def test_of_a_pile_only_the_top_card_is_seen() -> None:
    story = three().fill(9000, 2000, 3000, 4000).rob("yellow", "red", "red")
    story.fill(1000, 2000, 3000, 4000).rob("yellow", "red", "red")
    public = story.public()
    assert (public.seats[0].pile, public.seats[0].top) == (2, 1000)
    assert (public.seats[1].pile, public.seats[1].top) == (0, None)
    assert "9000" not in str(public)
    assert story.rules.private_view(story.state, 1).pile == (9000, 1000)
    assert public.verdict.taken["Ana"] == (1000,)
    assert public.choices == {"Ana": "yellow", "Ben": "red", "Cleo": "red"}


def test_choices_are_seen_only_when_all_are_up() -> None:
    one, two = (laid("blue", "red", bank).declare("blue").keep() for bank in ("red", "green"))
    for story in (one, two):
        story.open(1, "blue").open(2, "red")
    seen, other = (story.rules.public_view(story.state) for story in (one, two))
    assert seen != other
    assert without_seals(seen) == without_seals(other)
    assert seen.choices == {}
    assert [seat.open for seat in seen.seats] == [True, True, False]
    assert one.open(3, "red").piles() != two.open(3, "green").piles()
