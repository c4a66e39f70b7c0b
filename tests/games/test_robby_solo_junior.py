"""Robby Junior, the player who needs no chair (R.junior)."""

from typing import Any

import msgspec

from companion.games.robby_solo.choice_phase import cards_in_deck
from companion.games.robby_solo.raid import JUNIOR
from companion.games.robby_solo.state import JuniorShown, LootLaid
from tests.games.test_robby_solo import Robbers, small, three


def four(**started: Any) -> Robbers:
    """Three players and Robby Junior: five banks, the last one grey."""
    return three(junior=True, **started)


def junior_round(story: Robbers) -> Robbers:
    """A round in which the players only get in each other's way, at yellow."""
    for bank, card in zip(story.state.banks, range(1000, 6000, 1000), strict=True):
        there = cards_in_deck(story.state)
        story.when(LootLaid(bank, card if card in there else there[0]))
    return story.rob("yellow", "yellow", "yellow")


def test_junior_counts_as_a_player_for_the_banks() -> None:
    story = four()
    assert list(story.state.banks) == ["yellow", "green", "red", "blue", "grey"]
    assert len(story.rules.public_view(story.state).seats) == 3


def test_junior_robs_like_everyone_else() -> None:
    story = four().fill(1000, 2000, 3000, 4000, 5000).rob("blue", "red", "green")
    story.then(phase="junior", choices={"Ana": "blue", "Ben": "red", "Cleo": "green"})
    assert story.rules.awaited_seats(story.state) == (1, 2, 3)
    story.when('junior_shown bank="blue"').then(phase="fill")
    assert story.piles() == [(), (3000,), (2000,), ()]
    story.fill(1000, 2000, 3000, 4000, 5000).rob("blue", "red", "green").when(JuniorShown("grey"))
    junior = story.rules.public_view(story.state).junior
    assert (junior.name, junior.pile, junior.top) == (JUNIOR, 2, 5000)
    assert story.state.piles_by_name()[JUNIOR] == (5000, 5000)


def test_junior_shows_no_bank_twice_in_a_cycle() -> None:
    story = junior_round(four()).when(JuniorShown("red"))
    junior_round(story).refused(JuniorShown("red"), "shown_before", "R.junior")
    story.refused(JuniorShown("pink"), "no_such_bank", "R.junior")
    (may,) = story.rules.list_options(story.state, 2)
    assert [choice["bank"] for choice in may.choices] == ["yellow", "green", "blue", "grey"]


def test_from_the_second_cycle_on_junior_plays_by_himself() -> None:
    order, story = ["red", "grey", "green", "blue", "yellow"], four()
    for bank in order:
        junior_round(story).then(phase="junior").when(JuniorShown(bank))
    for bank in (*order, *order[:2]):
        junior_round(story).then(phase="fill")
        assert story.state.choices[JUNIOR] == bank


def test_the_police_visit_junior_who_is_never_gentleman() -> None:
    story = four()
    for bank in ("green", "red", "blue", "grey"):
        assert story.state.active <= 3
        junior_round(story).when(JuniorShown(bank))
    (raid,) = story.verdict.raids
    assert (raid.bank, raid.returns) == ("yellow", {JUNIOR: 5000})


def test_junior_is_scored_and_may_win() -> None:
    story = four(box=small(m1000=8, m9000=1)).fill(1000, 9000, 1000, 1000, 1000)
    story.rob("red", "red", "blue").when(JuniorShown("green")).then(phase="over")
    assert story.score.totals == {"Ana": 0, "Ben": 0, "Cleo": 1000, JUNIOR: 9000}
    assert story.score.winners == (JUNIOR,)


def test_the_order_of_his_cards_is_for_the_players_to_remember() -> None:
    story = junior_round(four()).when(JuniorShown("red"))
    junior = story.rules.public_view(story.state).junior
    assert msgspec.to_builtins(junior) == {"name": JUNIOR, "pile": 1, "top": 3000}
