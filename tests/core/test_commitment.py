"""Sealed hands: one spelling for each value, and a seal that nothing else opens."""

import hashlib
import itertools

import pytest

from companion.core.commitment import (
    RoundHands,
    canonical_text,
    fresh_hands,
    make_seal,
    refuse_opening,
)
from companion.core.events import Value
from companion.core.i18n import get_language

NONCE = "0123456789abcdef" * 2
VALUES: list[Value] = [
    0, 1, 10, 12, "red", "green", {}, {"red": 1}, {"red": 2}, {"blue": 1}, {"blue": 2, "red": 1},
]  # fmt: skip


def hands(value: Value, nonce: str = NONCE) -> RoundHands:
    """Three hands of round 4; seat 2 closed around a value."""
    return fresh_hands(4, 3).close(2, make_seal("g1", 4, 2, value, nonce))


def opens(held: RoundHands, game: str, seat: int, value: Value, nonce: str) -> str:
    """The code of the refusal, or "" if it opens."""
    refused = refuse_opening(held, game, seat, value, nonce)
    assert refused is None or (refused.rule == "S.open" and get_language("en")(refused.say))
    return refused.code if refused else ""


# The one spelling.


@pytest.mark.parametrize(
    ("value", "spelled"),
    [
        (0, "0"),
        (12, "12"),
        ("yellow", "yellow"),
        ({}, ""),
        ({"red": 0}, ""),
        ({"red": 1, "blue": 2}, "blue:2,red:1"),
        ({"blue": 2, "green": 0, "red": 1}, "blue:2,red:1"),
    ],
)
def test_a_value_has_one_canonical_spelling(value: Value, spelled: str) -> None:
    assert canonical_text(value) == spelled


def test_a_seal_is_the_sha_256_that_the_phones_compute_too() -> None:
    text = f"g1|3|2|12|{NONCE}"
    assert make_seal("g1", 3, 2, 12, NONCE) == hashlib.sha256(text.encode()).hexdigest()
    chips = f"g1|3|2|blue:2,red:1|{NONCE}"
    assert make_seal("g1", 3, 2, {"red": 1, "blue": 2}, NONCE) == (
        hashlib.sha256(chips.encode()).hexdigest()
    )


# What opens a seal, and what does not.


@pytest.mark.parametrize(("sealed", "told"), list(itertools.product(VALUES, repeat=2)))
def test_a_hand_opens_to_exactly_what_was_sealed(sealed: Value, told: Value) -> None:
    code = "" if told == sealed else "broken_seal"
    assert opens(hands(sealed), "g1", 2, told, NONCE) == code


def test_another_nonce_game_seat_or_round_does_not_open_it() -> None:
    held = hands(3)
    assert opens(held, "g1", 2, 3, "f" * 32) == "broken_seal"
    assert opens(held, "g2", 2, 3, NONCE) == "broken_seal"
    assert opens(held, "g1", 1, 3, NONCE) == "broken_seal"
    later = RoundHands(5, held.seals, held.values)
    assert opens(later, "g1", 2, 3, NONCE) == "broken_seal"
    copied = held.close(1, held.seals[1])
    assert opens(copied, "g1", 1, 3, NONCE) == "broken_seal"


@pytest.mark.parametrize(
    "nonce", ["", "ab", "f" * 31, "f" * 65, "F" * 32, "g" * 32, "f" * 32 + "\n", " " + "f" * 32]
)
def test_a_nonce_is_32_to_64_hexadecimal_digits(nonce: str) -> None:
    assert opens(hands(3, nonce), "g1", 2, 3, nonce) == "bad_nonce"


# The hands of a round.


def test_hands_close_one_by_one_and_then_open_one_by_one() -> None:
    held = fresh_hands(4, 3)
    assert (held.unclosed_seats(), held.unopened_seats()) == ((1, 2, 3), (1, 2, 3))
    held = held.close(2, "b").close(1, "a")
    assert held.unclosed_seats() == (3,)
    held = held.close(3, "c").open(3, 0).enter(1, 7)
    assert held == RoundHands(4, ("a", "b", "c"), (7, None, 0), (1,))
    assert held.unopened_seats() == (2,)
    assert held.open(2, {}).unproven == (1,)
