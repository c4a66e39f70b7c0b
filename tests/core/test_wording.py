"""How facts are worded in a sentence: numbers below zero, several cards, counts in the dative."""

from companion.core.i18n import N_, get_language, message

PRIZE = N_("Prize {card} is turned up.")


def test_a_card_below_zero_has_a_minus_that_is_none_of_python() -> None:
    assert get_language("en").render(PRIZE, {"card": "-5"}) == "Prize −5 is turned up."


def test_a_fact_that_nobody_words_is_said_as_cards_if_it_holds_several() -> None:
    words = get_language("en")
    for held in (["-5", "2"], ("-5", "2")):
        assert words.render("{left} is open.", {"left": held}) == "−5 and 2 is open."


def test_german_counts_have_a_dative() -> None:
    win = message("{who} wins with {use}.", who=["Ana"], use=message("{points}", points=27))
    assert get_language("de")(win) == "Sieg für Ana mit 27\u00a0Punkten."
    assert get_language("en")(win) == "Ana wins with 27\u00a0points."
