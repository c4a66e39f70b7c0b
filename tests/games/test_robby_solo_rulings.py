"""Robby Solo, what the booklet leaves open: the end where everyone meets, and the own pile."""

import msgspec
import pytest

from tests.games.test_robby_solo import SOLD, three

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
    assert story.state.score.totals == {"Ana": 0, "Ben": 0, "Cleo": 0}
    assert story.state.score.steps[0].facts == {"n": 2}


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
