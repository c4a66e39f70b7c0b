"""How long bots think: longer about weighty decisions, and never twice the same."""

from random import Random
from typing import Any

from companion.bots.bot import decision_weight, thinking_time
from companion.games import make_rulebook
from companion.table.view import View, make_view


def sees(game: str, seat: int = 1, **changes: Any) -> View:
    rules = make_rulebook(game)
    state = rules.apply(None, rules.start_event(id="g", players=4))
    return make_view(rules, type(state)(**{**{f: getattr(state, f) for f in
                     state.__struct_fields__}, **changes}), 9, seat)  # fmt: skip


def test_a_closed_hand_is_thought_about_longest_and_opened_at_once() -> None:
    hand = decision_weight(sees("bankueberfall", phase="seal", figure=1))
    place = decision_weight(sees("bankueberfall", phase="place"))
    refill = decision_weight(sees("bankueberfall", phase="refill", figure=1))
    opening = decision_weight(sees("bankueberfall", phase="open", figure=1))
    assert hand > place > refill > opening > 0


def test_a_long_sentence_is_left_for_as_long_as_people_read_it() -> None:
    usual, long = sees("bankueberfall"), sees("bankueberfall", skipped="reveal")
    assert decision_weight(usual) == decision_weight(long)
    assert max(thinking_time(usual, Random(n)) for n in range(9)) < 2.5
    assert min(thinking_time(long, Random(n)) for n in range(9)) > 2.5


def test_the_same_decision_takes_now_longer_and_now_shorter() -> None:
    view, random = sees("bankueberfall", phase="place"), Random(5)
    times = [thinking_time(view, random) for _ in range(200)]
    assert len(set(times)) == 200
    assert 0.2 * decision_weight(view) < min(times) < max(times) < 4 * decision_weight(view)
    again = Random(5)
    assert times == [thinking_time(view, again) for _ in range(200)]
