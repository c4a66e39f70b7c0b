"""How facts are worded in a sentence: numbers below zero, several cards, counts in the dative."""

from pathlib import Path

import babel.messages
from babel.messages.mofile import write_mo

from companion.core.catalogues import Catalogue
from companion.core.i18n import Language, get_language, message


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
