"""The texts use the words of docs/words.md: none that it gives up, and every colour in its form."""

import re
from functools import cache
from string import Formatter

import pytest

from companion.core.i18n import LANGUAGES, Word, get_language, message
from tests.generators.catalogues import CATALOGUES, read_all, texts_of
from tests.worlds.paths import ROOT

ROW = re.compile(r"^\| (en|de|fr) \| (.+?) \| .+ \|$", re.MULTILINE)
FORM = re.compile(r"`(.+?)`")
COLOURS = ("red", "yellow", "green", "blue", "grey", "purple", "khaki")
GUIDES = (
    "README.md",
    "docs/play-*.md",
    "docs/cafe.md",
    "docs/running-a-game.md",
    "docs/troubleshooting.md",
)
"""What players read besides the pages."""


@cache
def given_up(language: str) -> tuple[str, ...]:
    """Return the forms that the last table of docs/words.md gives up in a language."""
    table = (ROOT / "docs" / "words.md").read_text("utf-8").partition("## What we do not say")[2]
    rows = [forms for code, forms in ROW.findall(table) if code == language]
    return tuple(form for row in rows for form in FORM.findall(row))


def pattern_of(form: str) -> str:
    """Return a form as a pattern: `*` is any ending, `…` up to two words, a space any space."""
    written = re.escape(form).replace(r"\*", r"\w*")
    written = written.replace(r"\ …\ ", r"\s(?:\S+\s){0,2}").replace(r"\ ", r"\s")
    return rf"(?<!\w){written}" + (r"(?!\w)" if form[-1].isalnum() else "")


def find_given_up(texts: list[str], language: str) -> list[str]:
    """Return the texts that use a form which a language gives up."""
    found = re.compile("|".join(map(pattern_of, given_up(language))), re.IGNORECASE)
    return [text for text in texts if found.search(text)]


@cache
def texts_in(language: str) -> list[str]:
    """Return every text as a reader of this language meets it."""
    if language == LANGUAGES[0]:
        texts = [text for catalogue in CATALOGUES for text in texts_of(catalogue)]
    else:
        texts = [one.string for each in read_all(language) for one in each if one.id]
    return [form for text in texts for form in ([text] if isinstance(text, str) else text)]


def texts_in_templates() -> list[str]:
    """Return what the templates show besides the texts of the catalogues."""
    files = [
        *ROOT.glob("web/templates/**/*.html"),
        *ROOT.glob("companion/games/*/templates/*.html"),
    ]
    shown = [JINJA.sub(" ", file.read_text("utf-8")) for file in files]
    attributes = [said for text in shown for said in SPOKEN.findall(text)]
    return [TAG.sub(" ", text) for text in shown] + attributes


JINJA = re.compile(r"{#.*?#}|{%.*?%}|{{.*?}}", re.DOTALL)
TAG = re.compile(r"<[^>]*>")
SPOKEN = re.compile(r'(?:aria-label|title|alt|placeholder)="([^"]*)"')


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_uses_a_form_that_is_given_up(language):
    assert find_given_up(texts_in(language), language) == []


def test_no_template_does():
    assert find_given_up(texts_in_templates(), "en") == []


def test_no_guide_for_players_does():
    guides = [guide for pattern in GUIDES for guide in ROOT.glob(pattern)]
    assert len(guides) >= len(GUIDES)
    lines = [line for guide in guides for line in guide.read_text("utf-8").splitlines()]
    assert find_given_up(lines, "en") == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_form_that_is_given_up_would_be_found(language):
    """Each form in a sentence of its own, with an ending and with words between."""
    forms = given_up(language)
    assert len(forms) > 5
    said = [f"So: {form.replace('*', 'e').replace('…', 'this one')} …" for form in forms]
    assert find_given_up(said, language) == said
    assert find_given_up(["Ana: sealed."], language) == []


def test_a_form_is_found_in_its_sentence():
    assert find_given_up(["Everyone closes a hand with coins."], "en")
    assert find_given_up(["Lege die Karte an Bank {colour}."], "de")
    assert find_given_up(["Renoncez-y\u202f!"], "fr")


NARROW_FRENCH = re.compile(
    r"(?: |[^\s\u202f\u00a0!?;])[;!?](?:\s|$)|[^\u00a0\"]:(?:\s|$)|«[^\u00a0]| »"
)
"""A sign of French without the no-break space that it needs."""
LOOSE_UNIT = re.compile(r"[\d}] (?:MB|GB|Mo|Go|°C|mm|kHz|ms)\b|\} \$")


def test_french_signs_keep_to_their_words():
    assert [text for text in texts_in("fr") if NARROW_FRENCH.search(text)] == []
    for broken in ("Quoi ?", "Quoi?", "Fin : {n}", "Fin: {n}", "« tuile\u00a0»", "«\u00a0tuile »"):
        assert NARROW_FRENCH.search(broken)


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_a_number_keeps_its_unit_on_its_line(language):
    assert [text for text in texts_in(language) if LOOSE_UNIT.search(text)] == []
    assert LOOSE_UNIT.search("{n} MB frei")


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
