"""What bots imagine and count agrees with the rules and with the truth."""

from random import Random
from typing import Any

import pytest

from bench.arena import ArenaTable
from companion.bots.decisions import BotView
from companion.bots.habits import spread_numbers, weigh_habits
from companion.bots.mixing import pour_out
from companion.games import find_game, game_names
from companion.games.bankueberfall.foresight import foresee_changes, foresee_outcome
from companion.games.bankueberfall.opponents import count_coins
from companion.games.bankueberfall.robbery import Stakes, resolve_robbery
from companion.games.banque_fatale.opponents import count_chips
from companion.games.robby_solo.opponents import find_choices, loot_before
from companion.table.view import seat_view
from tests.worlds.campaign import pick


@pytest.mark.parametrize("shortfall", ["continue", "stop"])
def test_a_robbery_that_is_foreseen_ends_as_the_rules_say(shortfall: str) -> None:
    box, random = find_game("bankueberfall").standard_box(), Random(3)
    cards = [card for card, n in box.cards.items() for _ in range(n)]  # type: ignore[attr-defined]
    rules = {"shortfall": shortfall}
    for _ in range(pick(1_000, 5_000, 20_000)):
        lying = random.sample(cards, random.randint(0, 8))
        bids = [random.choice([0, 1, 2, 3, 5, 8, 13]) for _ in range(random.randint(2, 5))]
        stakes = Stakes(dict(zip("abcde", bids, strict=False)), rules, box)  # type: ignore[arg-type]
        truth = resolve_robbery(lying, stakes)
        outcome = foresee_outcome(lying)
        changes = foresee_changes(outcome, bids, stakes.box.reward, shortfall == "stop")
        assert changes == list(truth.change.values()), (lying, bids)
        assert outcome.loot == truth.loot


class CountingTable(ArenaTable):
    """A game in which everything that a bot counts in its head is compared with the truth."""

    compared = 0

    def step(self) -> None:
        before = self.state
        super().step()
        if self.state.verdict is not before.verdict:
            COMPARISONS[self.rules.box.game](before, self)
            self.compared += 1

    def sight(self) -> BotView:
        """The first seat, as its bot sees it."""
        view = seat_view(self.rules, self.state, 0, 1)
        return BotView(self.rules.box, view, (), self.past, None, Random(1))


def compare_coins(_before: Any, table: CountingTable) -> None:
    others = table.state.players[1:]
    assert count_coins(table.sight()) == {player.name: player.coins for player in others}


def compare_chips(_before: Any, table: CountingTable) -> None:
    """As they will be, once the chips in the middle are taken back."""
    state, truth = table.state, [sum(p.chips.values()) for p in table.state.players]
    middle, seat = sum(state.middle.values()), state.active
    while state.phase == "take" and middle:
        truth[seat - 1] += 1
        middle, seat = middle - 1, seat % len(truth) + 1
    assert list(count_chips(table.sight()).values()) == truth


def compare_choices(before: Any, table: CountingTable) -> None:
    told: Any = table.past[-1]
    assert loot_before(told) == before.banks
    choices = table.state.verdict.steps and find_choices(told)
    assert set(choices) == {player.name for player in before.players}


COMPARISONS = {
    "bankueberfall": compare_coins,
    "banque_fatale": compare_chips,
    "robby_solo": compare_choices,
}


@pytest.mark.parametrize("game", game_names())
def test_what_a_bot_counts_in_its_head_is_true(game: str) -> None:
    weak = find_game(game).strategies["weak"]
    table = CountingTable(game, [weak] * 4, f"counted {game}")
    table.play()
    assert table.compared > 3


def test_a_mixture_leaves_no_choice_worth_more_than_those_that_are_made() -> None:
    worth = {"rich": 9.0, "good": 6.0, "poor": 3.0, "empty": 0.1}

    def value(bank: str, p: float) -> float:
        return worth[bank] * (1 - p) ** 2

    mixture = pour_out(list(worth), value)
    assert sum(mixture.values()) == pytest.approx(1)
    assert mixture["rich"] > mixture["good"] > mixture["poor"] > mixture["empty"] == 0
    made = [value(bank, p) for bank, p in mixture.items() if p]
    assert max(made) - min(made) < 0.6
    assert value("empty", 0) < min(made)


def test_a_habit_is_believed_after_a_few_rounds_and_forgotten_after_as_many() -> None:
    prior = {"mixes": 0.8, "richest": 0.2}
    follows, strays = {"mixes": 0.4, "richest": 0.9}, {"mixes": 0.6, "richest": 0.1}
    assert weigh_habits(prior, []) == prior
    assert weigh_habits(prior, [follows] * 6)["richest"] > 0.6
    assert weigh_habits(prior, [follows] * 6 + [strays] * 4)["richest"] < 0.1


def test_numbers_seen_often_are_expected_and_others_not_ruled_out() -> None:
    usual = dict.fromkeys(range(11), 1.0)
    before, after = spread_numbers([], usual, 3), spread_numbers([4] * 8, usual, 3)
    assert before[4] == pytest.approx(1 / 11)
    assert after[4] > 0.25
    assert after[4] > after[5] > after[9] > 0
    assert sum(after.values()) == pytest.approx(1)
