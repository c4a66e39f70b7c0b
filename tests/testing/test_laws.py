"""Every law of companion.testing holds for our games, and catches a game that breaks it."""

from itertools import count
from typing import Any, ClassVar

import msgspec
import pytest
from goofspiel.game import GAME, Goofspiel, GoofspielState

from companion.core.commitment import (
    NumberChoice,
    OneChoice,
    SomeChoice,
    drop_nothing,
    fresh_hands,
    is_offered,
)
from companion.core.errors import Refusal, refusal
from companion.games import find_game
from companion.games.game import Game
from companion.games.rulebook import Row
from companion.testing.laws import LAWS, check_game
from tests.worlds.campaign import pick
from tests.worlds.own_games import own_games

OURS = own_games()


@pytest.mark.parametrize("name", OURS)
def test_our_games_keep_every_law(name: str) -> None:
    assert check_game(find_game(name), range(pick(2, 12, 100))) == {}


def broken(**changed: Any) -> Game:
    """Goofspiel with something broken in its rule book."""
    rulebook: Any = type("Broken", (Goofspiel,), changed)
    return msgspec.structs.replace(GAME, rulebook=rulebook)


def rows_with(row: int, **changed: Any) -> tuple[Row[Any, Any], ...]:
    """The rows of Goofspiel, one of them changed."""
    rows: list[Row[Any, Any]] = [*Goofspiel.rows]
    rows[row] = msgspec.structs.replace(rows[row], **changed)
    return tuple(rows)


def refuse_all(_state: Any, _event: Any) -> Refusal:
    return refusal("never", "G.prize", "Nothing is granted.")


ROLLS = count()
"""Of two games that begin one after the other, no two begin with the same seat."""


def roll_dice(self: Any, event: Any) -> GoofspielState:
    state = Goofspiel.initial_state(self, event)
    return msgspec.structs.replace(state, active=1 + next(ROLLS) % len(state.players))


def show_open_hands(self: Any, state: Any) -> Any:
    table = Goofspiel.public_view(self, state)
    return msgspec.structs.replace(table, id=str(state.hands.values))


def granted_at_any_time(self: Any, state: Any, event: Any) -> Any:
    """Change the game whatever comes."""
    found = Goofspiel.apply(self, state, event)
    if found is None or found is not state or found.phase == "over":
        return found
    return msgspec.structs.replace(found, hands=fresh_hands(99, len(found.players)))


def lay_twice(_self: Any, state: Any) -> dict[int, tuple[str, ...]]:
    return {1: (state.prize,), 2: (state.prize,)} if state.prize else {}


def explode(_state: Any, _event: Any) -> Any:
    return {}[8]


NO_FACT = {**Goofspiel.now, "prize": "{nobody_knows} turns up the next prize."}
NOT_SAID = [msgspec.structs.replace(row, hand_choice=None) for row in Goofspiel.rows]

BROKEN: list[tuple[str, dict[str, Any], str]] = [
    ("the game ends", {"rows": rows_with(0, choices=lambda _state, _seat: ())},
     "In the phase “prize” no seat that is awaited is offered anything."),
    ("the game ends", {"awaited_seats": lambda _self, state: (state.active - 1,)},
     "waits for seat 0"),
    ("the game ends", {"count_fortunes": lambda _self, state: {"Ana": -1}}, "-1"),
    ("every offer is granted", {"rows": rows_with(0, refuse=refuse_all)}, "and then refused"),
    ("every offer is granted", {"rows": rows_with(0, next_phases=("sael",))},
     "“prize_turned” leads from “prize” to “seal”; its row says sael."),
    ("every offer is granted", {"apply": granted_at_any_time}, "leads to"),
    ("events replay the game", {"initial_state": roll_dice}, "is a clock or a die in the rules?"),
    ("closed hands open, and stay secret until the last", {"rows": tuple(NOT_SAID)},
     "do not say what a hand may hold"),
    ("closed hands open, and stay secret until the last",
     {"public_view": show_open_hands}, "can be seen before the last hand is open"),
    ("no card is in two places", {"expected_cards": lay_twice}, "the box has less"),
    ("sentences have their facts, and cited rules exist", {"rows": rows_with(0, rule="G.nowhere")},
     "The rule G.nowhere is cited"),
    ("its own code raises nothing", {"now": NO_FACT}, "nobody_knows"),
    ("its own code raises nothing", {"now": {}}, "`now` has no sentence for the phase “"),
    ("its own code raises nothing", {"rows": rows_with(0, change=explode)}, "KeyError: 8"),
]  # fmt: skip


@pytest.mark.parametrize(("law", "changed", "said"), BROKEN)
def test_a_game_that_breaks_a_law_is_caught(law: str, changed: dict[str, Any], said: str) -> None:
    assert said in check_game(broken(**changed), range(3))[law]


class Purse(msgspec.Struct, frozen=True):
    """A player with a number that no page may show."""

    name: str
    suit: tuple[str, ...]
    prizes: tuple[str, ...] = ()
    coins: int = 3

    points = 0


def test_a_number_that_others_can_see_is_caught_unless_it_is_declared() -> None:
    def initial_state(self: Any, event: Any) -> GoofspielState:
        state = Goofspiel.initial_state(self, event)
        players = tuple(Purse(player.name, player.suit) for player in state.players)
        return msgspec.structs.replace(state, players=players)

    def show_purses(self: Any, state: Any) -> Any:
        coins = sum(player.coins for player in state.players)
        return msgspec.structs.replace(Goofspiel.public_view(self, state), id=str(coins))

    shown = {"initial_state": initial_state, "public_view": show_purses}
    law = "hidden things stay hidden"
    assert "others see “coins”" in check_game(broken(**shown), range(1))[law]
    declared = (*Goofspiel.open_fields, "coins")
    assert law not in check_game(broken(open_fields=declared, **shown), range(1))


def test_there_is_a_broken_game_for_every_law() -> None:
    assert {law for law, _, _ in BROKEN} | {"hidden things stay hidden"} >= LAWS.keys()


class Choices:
    """What hands may hold."""

    number: ClassVar = NumberChoice(7, 2)
    one: ClassVar = OneChoice(("red", "blue"))
    some: ClassVar = SomeChoice({"red": 2, "blue": 1})


@pytest.mark.parametrize(
    ("choice", "yes", "no"),
    [
        (Choices.number, [2, 7], [1, 8, True, "2", {}]),
        (Choices.one, ["red", "blue"], ["green", 1, {}, ""]),
        (Choices.some, [{}, {"red": 2}, {"red": 1, "blue": 1}, {"red": 0}],
         [{"red": 3}, {"red": -1}, {"green": 1}, 2, "red"]),
    ],
)  # fmt: skip
def test_a_hand_holds_what_its_choice_offers_and_nothing_else(
    choice: Any, yes: list[Any], no: list[Any]
) -> None:
    assert [value for value in yes if not is_offered(choice, value)] == []
    assert [value for value in no if is_offered(choice, value)] == []
    assert drop_nothing({"red": 0, "blue": 1}) == {"blue": 1}
