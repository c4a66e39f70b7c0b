"""How facts are worded in a sentence: numbers below zero, several cards, counts in the dative."""

from companion.core.i18n import get_language, message


def test_german_counts_have_a_dative() -> None:
    win = message("{who} wins with {use}.", who=["Ana"], use=message("{points}", points=27))
    assert get_language("de")(win) == "Sieg für Ana mit 27\u00a0Punkten."
    assert get_language("en")(win) == "Ana wins with 27\u00a0points."


def test_numbers_below_zero_have_the_same_minus_everywhere_in_a_sentence() -> None:
    facts = {"card": "-1", "n": -1, "coins": -2, "tally": {"Ana": -3}}
    said = get_language("en").render("{card}, {n}, {coins}, {tally}", facts)
    assert said == "−1, −1, −2\u00a0coins, Ana −3"


def test_a_number_after_a_name_that_ends_in_one_has_a_colon() -> None:
    facts = {"tally": {"Player 1": 0, "Ana": 3}, "fists": {"Player 2": {"red": 1}}}
    said = get_language("fr").render("{tally} / {fists}", facts)
    assert said == "Player 1\u00a0: 0, Ana 3 / Player 2\u00a0: 1 (rouge 1)"
