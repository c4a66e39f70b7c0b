"""What the host asks of a new game, and why it may not be granted."""

import pytest

from companion.core.errors import Refusal
from companion.games.new_game import NewGame, prepare_game
from tests.worlds.own_games import own_games

THREE = ("Ana", "Ben", "Cleo")


@pytest.mark.parametrize("game", own_games())
def test_every_house_rule_is_written_out(game: str) -> None:
    found = prepare_game(NewGame(game, THREE, first=2), "g1")
    assert not isinstance(found, Refusal)
    rules, started = found
    assert (started.id, started.players, started.first) == ("g1", 3, 2)
    assert started.house_rules == rules.box.default_house_rules()


def test_a_house_rule_and_junior_are_granted_where_there_are_any() -> None:
    found = prepare_game(NewGame("bankueberfall", THREE, {"shortfall": "stop"}), "g1")
    assert not isinstance(found, Refusal)
    assert found[1].house_rules["shortfall"] == "stop"
    found = prepare_game(NewGame("robby_solo", THREE, junior=True), "g1")
    assert not isinstance(found, Refusal)
    assert found[1].junior is True  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        (NewGame("chess", THREE), "no_such_box"),
        (NewGame("bankueberfall", THREE, junior=True), "no_junior"),
        (NewGame("bankueberfall", ("Ana",)), "players"),
        (NewGame("bankueberfall", ("Ana", "ana")), "names"),
        (NewGame("bankueberfall", ("Ana", "\n")), "name"),
        (NewGame("bankueberfall", ("Ben", " Ana")), "name"),
        (NewGame("bankueberfall", ("Ben", "An  na")), "name"),
        (NewGame("bankueberfall", ("Ben", "A" * 25)), "name"),
        (NewGame("bankueberfall", THREE, first=4), "first"),
        (NewGame("bankueberfall", THREE, {"shortfall": "maybe"}), "house_rule"),
        (NewGame("robby_solo", ("Ana",)), "players"),
    ],
)
def test_what_cannot_be_is_said_before_anything_happens(wish: NewGame, code: str) -> None:
    refused = prepare_game(wish, "g1")
    assert isinstance(refused, Refusal)
    assert refused.code == code


def test_a_name_may_have_twenty_four_characters_or_be_unknown() -> None:
    wish = NewGame("bankueberfall", ("Anna-Maria von der Heide", "", ""))
    assert not isinstance(prepare_game(wish, "g1"), Refusal)
