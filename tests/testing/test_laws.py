"""Every law of companion.testing holds for our games, and catches a game that breaks it."""

from collections.abc import Callable, Iterator
from itertools import count
from random import Random
from typing import Any, ClassVar

import msgspec
import pytest
from lantern_night import game as lanterns
from lantern_night.game import GAME, LanternNight

from companion.core.commitment import fresh_hands
from companion.core.errors import Refusal, refusal
from companion.core.hand_choice import NumberChoice, OneChoice, SomeChoice, drop_nothing, is_offered
from companion.games import find_game, game_names
from companion.games.commit_reveal import sealed_round
from companion.games.game import Game
from companion.games.random_game import RandomGame
from companion.games.rulebook import Row, never_refuse
from companion.testing.laws import LAWS, check_game, first_finding
from tests.worlds.campaign import pick
from tests.worlds.lantern_night import on_the_shelf

SEEDS = range(4)


@pytest.fixture(autouse=True, scope="module")
def shelf() -> Iterator[None]:
    with on_the_shelf():
        yield


@pytest.mark.parametrize("name", [*game_names(), "lantern_night"])
def test_our_games_keep_every_law(name: str) -> None:
    assert list(check_game(find_game(name), range(pick(2, 12, 100)))) == []


def lantern_game(**changed: Any) -> Game:
    """Lantern Night with something broken in its rule book."""
    rulebook: Any = type("Broken", (LanternNight,), changed)
    return msgspec.structs.replace(GAME, rulebook=rulebook)


def rows_with(row: int, **changed: Any) -> tuple[Row[Any, Any], ...]:
    """The rows of Lantern Night, one of them changed."""
    rows: list[Row[Any, Any]] = [*LanternNight.rows]
    rows[row] = msgspec.structs.replace(rows[row], **changed)
    return tuple(rows)


def never_ends(state: Any, event: Any) -> Any:
    """Light a lantern, and put it back under the pile."""
    return msgspec.structs.replace(lanterns.light_lantern(state, event), pile=state.pile)


def refuse_all(_state: Any, _event: Any) -> Refusal:
    return refusal("never", "L.light", "Nothing is granted.")


ROLLS = count()
"""Of two games that begin one after the other, no two begin with the same seat."""


def roll_dice(self: Any, event: Any) -> Any:
    state = LanternNight.initial_state(self, event)
    return msgspec.structs.replace(state, active=1 + next(ROLLS) % len(state.players))


def show_open_hands(self: Any, state: Any) -> Any:
    table = LanternNight.public_view(self, state)
    return msgspec.structs.replace(table, numbers={"sum": sum(v or 0 for v in state.hands.values)})


def show_purses(self: Any, state: Any) -> Any:
    table = LanternNight.public_view(self, state)
    return msgspec.structs.replace(table, numbers={"sum": sum(p.coins for p in state.players)})


def lay_twice(_self: Any, state: Any) -> dict[int, tuple[str, ...]]:
    return {1: (state.lit,), 2: (state.lit,)} if state.lit else {}


def granted_at_any_time(self: Any, state: Any, event: Any) -> Any:
    """Change the game whatever comes."""
    found = LanternNight.apply(self, state, event)
    if found is None or found is not state or found.phase == "over":
        return found
    return msgspec.structs.replace(found, hands=fresh_hands(99, len(found.players)))


def first_lantern(state: Any, seat: int) -> Any:
    """Offer the same lantern again and again."""
    return [{"card": next(iter(state.box.cards))}] if seat == state.active else ()


def count_coins(_self: Any, state: Any) -> dict[str, int]:
    return {player.name: player.coins for player in state.players}


def one_more(state: Any, seat: int) -> NumberChoice:
    return NumberChoice(state.players[seat - 1].coins + 1)


def two_minds() -> tuple[Row[Any, Any], ...]:
    """Rows that say of a hand before it closes what they refuse when it opens."""
    sealed = sealed_round("L.bid", lanterns.choose_bid, lanterns.pay_contest, ("light", "over"), "")
    rows = [msgspec.structs.replace(row, hand_choice=one_more) if row.hand_choice else row
            for row in sealed]  # fmt: skip
    return (LanternNight.rows[0], *rows)


NOW = {**LanternNight.now, "light": "{nobody_knows} lights the next lantern."}
BROKEN: dict[str, Callable[[], Game]] = {
    "it comes to its end": lambda: lantern_game(
        rows=rows_with(0, choices=lambda _state, _seat: ())
    ),
    "its phases lead where their rows say": lambda: lantern_game(
        rows=rows_with(0, next_phases=("sael",))
    ),
    "what is offered is granted": lambda: lantern_game(rows=rows_with(0, refuse=refuse_all)),
    "whatever happens has an answer": lambda: lantern_game(apply=granted_at_any_time),
    "its events replay it": lambda: lantern_game(initial_state=roll_dice),
    "its fortunes add up to its score": lambda: lantern_game(count_fortunes=count_coins),
    "hands open as they closed": lambda: lantern_game(rows=two_minds()),
    "an open hand stays secret until the last": lambda: lantern_game(public_view=show_open_hands),
    "what is hidden stays hidden": lambda: lantern_game(public_view=show_purses),
    "no card lies at two places": lambda: lantern_game(expected_cards=lay_twice),
    "no card comes more often than the box has it": lambda: lantern_game(
        rows=rows_with(0, refuse=never_refuse, choices=first_lantern)
    ),
    "cited rules exist": lambda: lantern_game(rows=rows_with(0, rule="L.nowhere")),
    "sentences have their facts": lambda: lantern_game(now=NOW),
}


def test_there_is_a_broken_game_for_every_law() -> None:
    assert BROKEN.keys() == LAWS.keys()


@pytest.mark.parametrize("law", LAWS)
def test_a_game_that_breaks_a_law_is_caught(law: str) -> None:
    found = first_finding(BROKEN[law](), law, SEEDS)
    assert found is not None
    assert found.endswith((".", "?"))
    assert "\n" not in found


def test_a_game_that_never_ends_is_caught() -> None:
    endless = lantern_game(rows=rows_with(0, change=never_ends, refuse=never_refuse))
    assert first_finding(endless, "it comes to its end", SEEDS) is not None


def no_lanterns(state: Any, seat: int) -> Any:
    return [{"card": ()}] if seat == state.active else ()


def waits_for_nobody(_self: Any, state: Any) -> tuple[int, ...]:
    return (state.active - 1,)


@pytest.mark.parametrize(
    ("law", "changed", "said"),
    [
        ("it comes to its end", {"rows": rows_with(0, choices=no_lanterns)},
         "nothing can be chosen for “card”: is the pile empty"),
        ("it comes to its end", {"awaited_seats": waits_for_nobody}, "waits for seat 0"),
        ("its phases lead where their rows say", {"rows": rows_with(0, who="actve")},
         "The row of “lantern_lit” in “light” is for “actve”, and should be for one of active, "),
        ("its phases lead where their rows say", {"rows": rows_with(0, next_phases=("sael",))},
         "The row of “lantern_lit” in “light” leads to “sael”, a phase that has no row."),
        ("its phases lead where their rows say", {"rows": rows_with(0, next_phases=("open",))},
         "“lantern_lit” leads from “light” to “seal”; its row says “open”."),
        ("no card comes more often than the box has it",
         {"rows": rows_with(0, refuse=never_refuse, choices=first_lantern)},
         "The card “1” comes 2 times in a game, and the box has 1 of it"),
        ("no card lies at two places", {"expected_cards": lambda _self, state: {1: state.lit}},
         "expected_cards says '' of place 1: no tuple of cards."),
        ("sentences have their facts", {"now": {}},
         "`now` has no sentence for the phase “light”."),
        ("hands open as they closed",
         {"rows": rows_with(3, hand_choice=lambda _state, _seat: 3)},
         "hand_choice gives 3: no NumberChoice, OneChoice or SomeChoice"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_the_words_of_the_game(
    law: str, changed: dict[str, Any], said: str
) -> None:
    assert said in str(first_finding(lantern_game(**changed), law, SEEDS))


def test_a_game_may_say_that_its_cards_come_again() -> None:
    rows = rows_with(0, refuse=never_refuse, choices=first_lantern)
    law = "no card comes more often than the box has it"
    assert first_finding(lantern_game(rows=rows, cards_come_again=True), law, SEEDS) is None


def test_what_a_game_raises_is_a_finding() -> None:
    def explode(_self: Any, _state: Any) -> Any:
        raise ZeroDivisionError("by no means")

    law = "an open hand stays secret until the last"
    found = first_finding(lantern_game(public_view=explode), law, SEEDS)
    assert found is not None
    assert "ZeroDivisionError: by no means" in found


def test_the_same_seed_plays_the_same_game() -> None:
    rules = GAME.make_rulebook()
    one, other = (RandomGame(rules, 3, Random(5)).play_to_end().events for _ in range(2))
    assert one == other


class Choices:
    """What hands may hold."""

    number: ClassVar = NumberChoice(7, 2)
    one: ClassVar = OneChoice(("red", "blue"))
    some: ClassVar = SomeChoice({"red": 2, "blue": 1}, total=2)


@pytest.mark.parametrize(
    ("choice", "yes", "no"),
    [
        (Choices.number, [2, 7], [1, 8, True, "2", {}]),
        (Choices.one, ["red", "blue"], ["green", 1, {}, ""]),
        (Choices.some, [{}, {"red": 2}, {"red": 1, "blue": 1}, {"red": 0}],
         [{"red": 3}, {"red": 2, "blue": 1}, {"red": -1}, {"green": 1}, 2, "red"]),
    ],
)  # fmt: skip
def test_a_hand_holds_what_its_choice_offers_and_nothing_else(
    choice: Any, yes: list[Any], no: list[Any]
) -> None:
    assert [value for value in yes if not is_offered(choice, value)] == []
    assert [value for value in no if is_offered(choice, value)] == []
    assert drop_nothing({"red": 0, "blue": 1}) == {"blue": 1}
