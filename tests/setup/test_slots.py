"""The slots for stickers: even over every kind of card, and different in every deck."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.cards import FIGURE, TILE
from companion.games import find_game
from companion.setup.stickers import SLOTS, suggest_slot
from tests.worlds.own_games import own_games

SALTS = st.binary(min_size=16, max_size=16).map(bytes.hex)


@pytest.mark.parametrize("game", own_games())
@given(salt=SALTS)
def test_each_kind_is_spread_evenly(game: str, salt: str) -> None:
    for thing, total in find_game(game).standard_box().tagged_pieces().items():
        slots = [suggest_slot(salt, thing, n) for n in range(1, total + 1)]
        if thing.startswith(TILE) or thing == FIGURE:
            assert set(slots) == {None}
            continue
        counts = Counter(slots)
        assert set(slots) <= set(SLOTS)
        assert max(counts.values()) - min(counts[slot] for slot in SLOTS) <= 1


def test_the_slot_of_a_card_differs_between_decks() -> None:
    """In many decks the first card of a kind lies about as often in each slot."""
    firsts = Counter(suggest_slot(f"{n:032x}", "thief", 1) for n in range(1000))
    assert all(180 <= firsts[slot] <= 320 for slot in SLOTS)


@given(salt=SALTS)
def test_asked_again_it_is_the_same(salt: str) -> None:
    assert suggest_slot(salt, "5", 7) == suggest_slot(salt, "5", 7)
