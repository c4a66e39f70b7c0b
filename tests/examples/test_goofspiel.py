"""Goofspiel: who wins a prize."""

from goofspiel.game import resolve_bidding


def test_equal_highest_cards_lose_the_prize_and_a_lower_one_does_not_win() -> None:
    assert resolve_bidding("9", {"Ana": "12", "Ben": "12", "Cleo": "3"}).winner == ""
    assert resolve_bidding("9", {"Ana": "12", "Ben": "9", "Cleo": "9"}).winner == "Ana"
    assert resolve_bidding("9", {"Ana": "2", "Ben": "13"}).winner == "Ben"
