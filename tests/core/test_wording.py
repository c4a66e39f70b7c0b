"""How facts are worded in a sentence: numbers below zero, several cards, counts in the dative."""

from pathlib import Path

import babel.messages
from babel.messages.mofile import write_mo

from companion.core.catalogues import Catalogue
from companion.core.i18n import N_, Language, get_language, message

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


def test_numbers_below_zero_have_the_same_minus_everywhere_in_a_sentence() -> None:
    facts = {"card": "-1", "n": -1, "coins": -2, "tally": {"Ana": -3}}
    said = get_language("en").render("{card}, {n}, {coins}, {tally}", facts)
    assert said == "−1, −1, −2\u00a0coins, Ana −3"


def test_a_word_of_a_game_is_translated_by_the_game_before_the_companion(tmp_path: Path) -> None:
    game = Catalogue("hill", tmp_path)
    file = game.find_file("de", ".mo")
    file.parent.mkdir(parents=True)
    texts = babel.messages.Catalog("de")
    texts.add("pile", "Halde")
    with file.open("wb") as written:
        write_mo(written, texts)
    german = Language("de")
    german.use_games([game])
    assert german.render_word("pile") == "Halde"
    assert german.render("pile", {}) == "Stapel"
