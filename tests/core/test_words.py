"""The texts use the words of docs/words.md: none that it gives up, and every colour in its form."""

import re
from string import Formatter

import pytest

from companion.core.i18n import LANGUAGES, Word, get_language, message
from tests.generators.catalogues import CATALOGUES, read_all, texts_of

GIVEN_UP = {
    "en": (
        r"clos(?:e|es|ed) (?:a |my |your |every |all )?hands?\b", r"\bhand (?:is )?closed",
        r"\bhands? opens?\b", r"\banew\b", r"\bdo(?:es)? without\b", r"\bhears? well\b",
        r"\blistens\b", r"\bat turn\b", r"neither win nor lose",
    ),
    "de": (
        r"schließ\w* (?:ihre|deine|die|meine|alle) H[aä]nd", r"\bHand schließ",
        r"geschlossene Hand", r"\bHände (?:öffnen|neu)", r"öffnet die Hand", r"Bank \{colour",
        r"Darauf verzichten", r"\bhört (?:gut|zu|daneben)\b",
    ),
    "fr": (
        r"\bferm\w+ (?:la|sa|votre|une|les) mains?\b", r"refermer? toutes", r"mains? s’ouvr",
        r"Renoncez-y", r"Indiquez-le ici", r"mais il reste", r"banque « \{colour",
    ),
}  # fmt: skip
"""What the last table of docs/words.md gives up, in each language."""
COLOURS = ("red", "yellow", "green", "blue", "grey", "purple", "khaki")


def texts_in(language: str) -> list[str]:
    """Return every text as a reader of this language meets it."""
    if language == LANGUAGES[0]:
        texts = [text for catalogue in CATALOGUES for text in texts_of(catalogue)]
    else:
        texts = [one.string for each in read_all(language) for one in each if one.id]
    return [form for text in texts for form in ([text] if isinstance(text, str) else text)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_uses_a_form_that_is_given_up(language):
    given_up = re.compile("|".join(GIVEN_UP[language]), re.IGNORECASE)
    assert [text for text in texts_in(language) if given_up.search(text)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_form_that_is_given_up_would_be_found(language):
    examples = {
        "en": "Everyone closes a hand.", "de": "Allein an Bank {colour}", "fr": "mais il reste 2",
    }  # fmt: skip
    assert re.search("|".join(GIVEN_UP[language]), examples[language], re.IGNORECASE)


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_a_count_stays_on_the_line_of_its_noun(language):
    words = get_language(language)
    for noun in ("coins", "chips", "count", "objects", "aces", "credits"):
        for n in (1, 7):
            assert words.render_count(noun, n).startswith(f"{n}\u00a0")


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", ("the red bank", "the grey bank")),
        ("de", ("die rote Bank", "die graue Bank")),
        ("fr", ("la banque rouge", "la banque grise")),
    ],
)
def test_a_colour_agrees_with_its_bank(language, told):
    words = get_language(language)
    for colour, bank in zip(("red", "grey"), told, strict=True):
        said = words(message("Robby Junior shows the {colour} bank.", colour=colour))
        assert bank in said


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_every_form_that_a_sentence_asks_for_is_there(language):
    """A colour whose forms are all alike names none."""
    asked = {
        (form.removeprefix("C"))
        for text in texts_in(language)
        for _, name, form, _ in Formatter().parse(text)
        if name == "colour" and form
    } - {""}
    words = [get_language(language).inflect_word(colour) for colour in COLOURS]
    inflected = [word for word in words if word.forms]
    assert inflected
    assert asked <= {form for word in inflected for form in word.forms}


def test_a_word_has_forms_and_a_capital():
    word = Word("grün|e=grüne|en=grünen")
    assert word == "grün"
    assert f"{word} {word:e} {word:en} {word:C} {word:Ce} {word:other}" == (
        "grün grüne grünen Grün Grüne grün"
    )


def test_equal_cards_are_no_product():
    words = get_language("en")
    assert words.render_cards(["2", "5", "5", "x"]) == "2, 5, 5 and X"
    assert words.render_cards(["5"] * 4) == "4\u00a0× 5"
