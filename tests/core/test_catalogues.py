"""Every text is there in every language, and says the same things."""

import re
from pathlib import Path
from string import Formatter

import pytest

from companion.core.catalogues import Catalogue
from companion.core.i18n import LANGUAGES, get_language, message
from companion.core.verdict import describe_house_rule
from companion.games import broken_games
from tests.generators.catalogues import CATALOGUES, sources, texts_of
from tests.generators.text_collection import (
    TRANSLATED,
    read_catalogue,
    translations,
    update_catalogue,
    write_catalogue,
)
from tests.worlds.installed_games import installed, write_game


def gaps(text: str) -> list[str]:
    """The names of the facts that a text needs, each as often as it stands there."""
    return sorted(name for _, name, _, _ in Formatter().parse(text) if name is not None)


@pytest.mark.parametrize(
    ("catalogue", "code"),
    [(catalogue, code) for catalogue in CATALOGUES for code in TRANSLATED],
    ids=lambda part: part if isinstance(part, str) else part.name,
)
def test_what_is_said_and_nothing_else_is_translated_with_its_gaps(
    catalogue: Catalogue, code: str
) -> None:
    """After a new text: `make texts`, then fill in what is empty."""
    kept = {entry.id: entry.string for entry in read_catalogue(catalogue, code) if entry.id}
    now = update_catalogue(catalogue, code, texts_of(catalogue))
    assert kept.keys() == {entry.id for entry in now if entry.id}, "run make texts"
    for id, string in kept.items():
        one = id if isinstance(id, str) else id[0]
        assert all(translations(string)), f"{one!r} has no {code} translation"
        for text in "|".join(map(str, translations(string))).split("|"):  # And its forms.
            assert gaps(text) == gaps(one), f"{code}: {one!r} -> {text!r}"
            assert not re.fullmatch(r"(.{9,}?)\1+", text), f"{code}: {text!r} is said twice"


@pytest.mark.parametrize("catalogue", CATALOGUES, ids=lambda catalogue: catalogue.name)
def test_no_french_line_begins_with_a_sign(catalogue: Catalogue) -> None:
    """A no-break space stands before : ; ! ? » and after «."""
    for entry in read_catalogue(catalogue, "fr"):
        assert re.search(" [:;!?»]|« ", str(entry.string)) is None, entry.id


def test_no_template_writes_a_colon_of_its_own() -> None:
    """French sets a space before it, so a sentence of the catalogue does."""
    pages = [path for path in sources() if path.suffix == ".html"]
    assert [path.name for path in pages if "}}: " in path.read_text("utf-8")] == []


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
    thief = words.render_word("thief")
    assert words(message("{cards}", cards=["thief", "thief"])).count(thief) == 2


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_saying_within_a_saying_is_said_in_the_same_language(code: str) -> None:
    words, inner = get_language(code), message("button of seat {seat}", seat=3)
    told = words(message("{name}: {title}", name="mine", title=inner))
    assert told.endswith(words(inner))
    assert words(message("{name}: {title}", name="mine", title="{own}")).endswith("{own}")


# The catalogue of a game that is installed.

MORE = """
TITLE = message("The fog rises over {n} islands.")
MORE = {"words": {"fog": N_("fog bank"), "reveal": N_("Reveal")}}
"""
HOUSE_RULE = """
from companion.games.rule_texts import Open, Rules

OPEN = Open(N_("How dense is the fog?"), {"thick": N_("the fog is a wall")})
MORE = {"rules": Rules(house_rules={"fog": OPEN})}
"""
SENTENCE = message("The fog rises over {n} islands.", n=3)


@pytest.fixture
def fog(tmp_path: Path) -> Path:
    """The folder of a game of another package, which is not installed yet."""
    write_game(tmp_path, "fog", more=MORE)
    return tmp_path


def test_a_game_is_translated_by_its_own_catalogue(fog: Path) -> None:
    german, french = get_language("de"), get_language("fr")
    catalogue = Catalogue("fog", fog / "fog_game" / "locale")
    words = {
        "The fog rises over {n} islands.": "Nebel steigt auf über {n} Inseln.",
        "fog bank": "Nebelbank",
        "nobody": "kein Mensch",
    }
    translate(catalogue, "de", words)
    assert german(SENTENCE) == "The fog rises over 3 islands."
    with installed("fog-games", {"fog": "fog_game:GAME"}, fog):
        assert broken_games() == ()
        assert german(SENTENCE) == "Nebel steigt auf über 3 Inseln."
        assert german.render_word("fog") == "Nebelbank"
        assert german(message("{who}", who=[])) == "niemand"  # The companion's own word.
        assert french(SENTENCE) == "The fog rises over 3 islands."
    assert german(SENTENCE) == "The fog rises over 3 islands."


def translate(catalogue: Catalogue, code: str, words: dict[str, str]) -> None:
    """Write and compile a catalogue with these translations."""
    texts: dict[str | tuple[str, str], tuple[str, ...]] = dict.fromkeys(words, ())
    assert write_catalogue(catalogue, code, texts) == len(words)
    po = catalogue.find_file(code)
    told = po.read_text("utf-8")
    for one, other in words.items():
        told = told.replace(f'msgid "{one}"\nmsgstr ""', f'msgid "{one}"\nmsgstr "{other}"')
    po.write_text(told, "utf-8")
    assert write_catalogue(catalogue, code, texts) == 0


def test_a_house_rule_is_said_by_the_sentence_of_its_answer(tmp_path: Path) -> None:
    write_game(tmp_path, "fog", more=HOUSE_RULE)
    translate(
        Catalogue("fog", tmp_path / "fog_game" / "locale"),
        "de",
        {"the fog is a wall": "der Nebel ist eine Wand"},
    )
    with installed("fog-games", {"fog": "fog_game:GAME"}, tmp_path):
        assert broken_games() == ()
        thick = describe_house_rule("fog", "thick")
        assert get_language("en")(thick) == "the fog is a wall"
        assert get_language("de")(thick) == "der Nebel ist eine Wand"
    assert get_language("en")(describe_house_rule("fog", "thick")) == "fog: thick"


def test_a_game_with_a_damaged_catalogue_is_left_out(fog: Path) -> None:
    path = Catalogue("fog", fog / "fog_game" / "locale").find_file("de", ".mo")
    path.parent.mkdir(parents=True)
    path.write_bytes(b"no catalogue at all")
    with installed("fog-games", {"fog": "fog_game:GAME"}, fog):
        told = [get_language("en")(broken.say) for broken in broken_games()]
    assert len(told) == 1
    assert told[0].startswith("The game fog of the package fog-games cannot be loaded. OSError: ")
