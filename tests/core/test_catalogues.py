"""Every text is there in every language, and says the same things."""

from string import Formatter

import pytest

from companion.core.i18n import COUNTED_NOUNS, INSTALLED, LANGUAGES, get_language, message
from tests.generators.catalogues import TRANSLATED, catalogue, collected, po_file, updated


def gaps(text: str) -> set[str]:
    """The names of the facts that a text needs."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_the_languages_are_english_and_the_translated_ones() -> None:
    assert set(LANGUAGES) == {"en", *TRANSLATED}


@pytest.mark.parametrize("code", TRANSLATED)
def test_nothing_is_left_to_translate(code: str) -> None:
    """After a new text: `make texts`, then fill in what is empty."""
    written = catalogue(code)
    for text in collected():
        one = text if isinstance(text, str) else text[0]
        message = written.get(one)
        assert message is not None, f"{one!r} is not in {po_file(code).name}: run make texts"
        strings = message.string if isinstance(message.string, tuple) else (message.string,)
        assert all(strings), f"{one!r} has no {code} translation"


@pytest.mark.parametrize("code", TRANSLATED)
def test_nothing_is_translated_that_nobody_says(code: str) -> None:
    said = {message.id for message in updated(code) if message.id}
    assert {message.id for message in catalogue(code) if message.id} == said


@pytest.mark.parametrize("code", TRANSLATED)
def test_a_translation_has_the_same_gaps(code: str) -> None:
    for entry in catalogue(code):
        if entry.id:
            ids = entry.id if isinstance(entry.id, tuple) else (entry.id,)
            strings = entry.string if isinstance(entry.string, tuple) else (entry.string,)
            for string in strings:
                assert gaps(string) == gaps(ids[0]), f"{code}: {ids[0]!r} -> {string!r}"


@pytest.mark.parametrize("code", LANGUAGES)
def test_lists_and_numbers_are_worded(code: str) -> None:
    words = get_language(code)
    one = words(message("{who}", who=["Ana"]))
    three = words(message("{who}", who=["Ana", "Ben", "Cem"]))
    assert one == "Ana"
    assert three.startswith("Ana, Ben ")
    assert three.endswith(" Cem")
    assert words(message("{coins}", coins=1)) != words(message("{coins}", coins=2)).replace(
        "2", "1"
    )
    assert "×2" in words(message("{cards}", cards=["thief", "thief"]))


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_saying_within_a_saying_is_said_in_the_same_language(code: str) -> None:
    words, inner = get_language(code), message("button of seat {seat}", seat=3)
    told = words(message("{name}: {title}", name="mine", title=inner))
    assert told.endswith(words(inner))
    assert words(message("{name}: {title}", name="mine", title="{own}")).endswith("{own}")


@pytest.mark.parametrize(("code", "money"), [
    ("en", "$12,000"), ("de", "12.000 $"), ("fr", "12\u202f000\u00a0$"),
])  # fmt: skip
def test_money_is_written_as_the_language_writes_it(code: str, money: str) -> None:
    assert get_language(code).render_money(12_000) == money


@pytest.mark.parametrize("code", TRANSLATED)
def test_the_words_of_the_table_differ_from_english(code: str) -> None:
    english, words = get_language("en"), get_language(code)
    same = {
        word for word in INSTALLED.words if words.render_word(word) == english.render_word(word)
    }
    assert same <= {"x", "orange", "place"}
    assert set(COUNTED_NOUNS) >= {"coins", "chips"}
