"""Robby Solo, what the booklet leaves open: the end where everyone meets, and the own pile."""

import msgspec
import pytest

from tests.games.test_robby_solo import NEW, SOLD, Robbers, three

# R.end.quiet: everyone always meets


def test_after_many_rounds_without_loot_the_gentleman_may_end_the_game() -> None:
    story = three(box=msgspec.structs.replace(SOLD, quiet_rounds=2))
    for money in (1000, 2000):
        story.refused(f"end_agreed seat={story.state.active}", "not_quiet", "R.end")
        assert "end_agreed" not in story.offered(story.state.active)
        story.fill(money, money, money, money).rob("red", "red", "red")
    assert story.then(quiet=2, phase="fill").offered(3) == {"end_agreed": [{}]} | {
        "loot_laid": story.offered(3)["loot_laid"]
    }
    story.refused("end_agreed seat=1", "not_your_turn", "R.end")
    story.when("end_agreed seat=3").then(phase="over")
    assert story.score.totals == {"Ana": 0, "Ben": 0, "Cleo": 0}
    assert story.score.steps[0].facts == {"n": 2}
    assert story.score.steps[0].rulings == ("R.end.quiet",)


def test_loot_that_is_taken_counts_anew_and_a_round_that_began_is_played() -> None:
    story = three(box=msgspec.structs.replace(SOLD, quiet_rounds=1))
    story.fill(1000, 1000, 1000, 1000).rob("red", "red", "red").then(quiet=1)
    story.when('loot_laid bank="yellow" card=2000')
    story.refused("end_agreed seat=2", "not_quiet", "R.end")
    story.when(*(f'loot_laid bank="{bank}" card=2000' for bank in ("green", "red", "blue")))
    story.rob("red", "blue", "blue").then(quiet=0)


@pytest.mark.parametrize(("rule", "seen"), [("whole", (1000, 1000, 2000)), ("top_card", (2000,))])
def test_the_own_pile_is_seen_whole_or_its_top_card_alone(rule: str, seen: tuple[int, ...]) -> None:
    story = three(house_rules={"own_pile": rule}).fill(1000, 1000, 1000, 1000)
    story.rob("red", "blue", "blue").fill(2000, 2000, 2000, 2000).rob("green", "blue", "blue")
    assert story.rules.private_view(story.state, 1).pile == seen
    assert story.rules.private_view(story.state, 2).pile == ()


# Taking a card back: once, or until the Gentleman or Lady goes on


def declared(retake: str) -> Robbers:
    story = three(house_rules={"retake": retake}).fill(1000, 2000, 3000, 4000)
    return story.lay("blue", "red", "red").declare("blue")


def test_a_card_is_taken_back_once_unless_the_table_plays_otherwise() -> None:
    story = declared("once").seal(2, "green", NEW)
    story.refused(f'sealed seat=2 seal="{"0" * 64}"', "answered", "R.change")
    assert not any("went_on" in story.offered(seat) for seat in (1, 2, 3))
    story.when("kept seat=3").then(phase="open")


def test_cards_are_taken_back_until_the_gentleman_goes_on() -> None:
    story = declared("until_gone_on").seal(2, "green", NEW).when("kept seat=3")
    story.then(phase="change", relaid=(2,), kept=(3,))
    assert story.rules.awaited_seats(story.state) == (1,)
    story.refused("kept seat=3", "answered", "R.change")
    story.refused("went_on seat=2", "not_your_turn", "R.change")
    story.seal(3, "yellow", NEW).seal(2, "red", "e1" * 16).then(relaid=(3, 2), kept=())
    story.when("went_on seat=1").then(phase="open")
    story.open(1, "blue").open(2, "red", "e1" * 16).open(3, "yellow", NEW)
    assert story.piles() == [(4000,), (3000,), (1000,)]


def test_no_one_goes_on_before_everyone_has_answered() -> None:
    story = declared("until_gone_on").when("kept seat=2")
    story.refused("went_on seat=1", "unanswered", "R.change")
