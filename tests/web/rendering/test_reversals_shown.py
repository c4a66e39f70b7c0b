"""What would have to be different, as the judge's page says it, of cases that a box cannot hold."""

from web.rendering.game_words import reversals_of

LOOT = {"game": "robby_solo", "kind": "score", "loot": {"Ana": [1000] * 7, "Ben": [2000]}}


def test_of_more_cards_than_the_box_holds_no_change_is_told() -> None:
    assert reversals_of(LOOT) == ()
    assert reversals_of(LOOT | {"loot": {"Ana": [1000], "Ben": [2000]}}) == ()


def test_of_a_robbery_the_smallest_other_bid_is_told() -> None:
    case = {
        "game": "bankueberfall", "kind": "robbery", "cards": ["10"], "bids": {"Ana": 3, "Ben": 9},
    }  # fmt: skip
    assert next(one.case["bids"] for one in reversals_of(case)) == {"Ana": 1, "Ben": 9}
