"""What everyone could have decided to get more, as the judge's page says it."""

from companion.core.i18n import get_language
from web.rendering.game_words import decisions_of

ROBBERY = {"game": "bankueberfall", "kind": "robbery", "cards": ["10"]}


def test_of_more_cards_than_the_box_holds_nothing_is_told() -> None:
    assert decisions_of(ROBBERY | {"cards": ["10"] * 3, "bids": {"Ana": 3}}) == ()


def test_every_player_of_a_robbery_has_an_answer() -> None:
    words = get_language("en")
    found = decisions_of(ROBBERY | {"bids": {"Ana": 3, "Ben": 9}})
    assert [words(one.question) for one in found] == [
        "What would Ana have had to bid?", "What would Ben have had to bid?",
    ]  # fmt: skip
    assert all(one.answers for one in found)
