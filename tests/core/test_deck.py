"""Decks: what a box holds, what is missing, and a file that shows nobody's UID."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.deck import Deck, count_missing
from companion.core.errors import Malformed
from companion.core.i18n import LANGUAGES, get_language
from companion.games import find_game
from companion.setup.deck_file import load_deck, save_deck

BOX = find_game("bankueberfall").standard_box()
SALT, OTHER_SALT = "5a" * 16, "a5" * 16
TAGS = {"04a1b2c3d4e5f6": "5", "04a1b2c3d4e5f7": "5", "04778899aabbcc": "tile spy"}


def salted(tags: dict[str, str], salt: str = SALT) -> Deck:
    maker = Deck({}, salt)
    return Deck({maker.mark(tag): thing for tag, thing in tags.items()}, salt)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "decks" / "bankueberfall.json"


def test_a_mark_tells_neither_the_tag_nor_what_another_salt_would_make_of_it() -> None:
    one, other = Deck({}, SALT), Deck({}, OTHER_SALT)
    for tag in TAGS:
        assert one.mark(tag) == one.mark(tag)
        assert len({tag, one.mark(tag), other.mark(tag)}) == 3
    assert len({one.mark(tag) for tag in TAGS}) == len(TAGS)


@given(st.data())
def test_missing_and_found_pieces_make_up_the_box(data: st.DataObject) -> None:
    holds = BOX.tagged_pieces()
    everything = [thing for thing, n in holds.items() for _ in range(n)]
    found = data.draw(st.lists(st.sampled_from(range(len(everything))), unique=True))
    names = [everything[n] for n in found]
    left = count_missing(holds, names)
    assert Counter(names) + Counter(left) == Counter(holds)
    assert list(left) == [thing for thing in holds if thing in left]
    assert count_missing(holds, [*names, *everything]) == {}


def test_a_deck_comes_back_from_its_file_as_it_was(path: Path) -> None:
    deck = salted(TAGS)
    save_deck(path, deck, BOX, "2025-03-01")
    assert load_deck(path, BOX) == deck
    old, new, newest = (deck.mark(tag) for tag in ("04778899aabbcc", "04a2", "04a3"))
    changed = deck.with_thing(old, "tile spy").with_replacement(old, new, "g1")
    changed = changed.with_replacement(new, newest, "")
    save_deck(path, changed, BOX, "2025-03-01")
    assert load_deck(path, BOX) == changed
    assert {changed.pieces[mark] for mark in (old, new, newest)} == {"tile spy"}
    assert len(changed.things) == 3
    assert (changed.mark_in_game(old, "g1"), changed.newest_mark(old)) == (new, newest)
    assert changed.mark_in_game(old, "g2") == old
    again = changed.with_thing(new, "tile spy")
    assert (again.pieces[old], again.replaced.keys()) == ("tile spy", {old})
    save_deck(path, salted({}), BOX, "2025-03-01")
    assert load_deck(path, BOX) == salted({})


def test_the_file_holds_no_uid_in_any_writing(path: Path) -> None:
    save_deck(path, salted(TAGS), BOX, "2025-03-01")
    written = path.read_bytes()
    for tag in TAGS:
        raw = bytes.fromhex(tag)
        assert raw not in written
        for text in (tag, raw[::-1].hex(), raw.hex(":"), str(int(tag, 16))):
            assert text.encode() not in written.lower()


def written(**fields: Any) -> dict[str, Any]:
    """A good file, but for these fields; `...` leaves one out."""
    things = {Deck({}, SALT).mark(tag): thing for tag, thing in TAGS.items()}
    good = {"deck": 2, "game": "bankueberfall", "box": "Banküberfall", "made": "2025-03-01",
            "salt": SALT, "things": things}  # fmt: skip
    return {name: value for name, value in {**good, **fields}.items() if value is not ...}


def refused(path: Path, data: bytes) -> str:
    """What is said of this file: one sentence, in every language."""
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    with pytest.raises(Malformed) as caught:
        load_deck(path, BOX)
    for lang in LANGUAGES:
        said = get_language(lang)(caught.value.say)
        assert path.name in said
        assert "\n" not in said
        assert len(said) < 500
    return str(caught.value)


MARK = "0123456789abcdef" * 2


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"replacd": {}}, "is not a deck: Object contains unknown field `replacd`"),
        ({"deck": 1}, "is not a deck: Invalid enum value 1 - at `$.deck`"),
        ({"deck": True}, "$.deck"),
        ({"deck": ...}, "is not a deck: Object missing required field `deck`"),
        ({"salt": ...}, "is not a deck: Object missing required field `salt`"),
        ({"salt": ""}, "$.salt"),
        ({"salt": SALT + "\n"}, "$.salt"),
        ({"salt": "5A" * 16}, "$.salt"),
        ({"things": []}, "$.things"),
        ({"things": {"04a1b2c3d4e5f6": "5"}}, "is not a deck: "),
        ({"things": {MARK: 5}}, "$.things"),
        ({"made": "x" * 61}, "$.made"),
        ({"box": "a\nb"}, "$.box"),
        ({"game": "banque_fatale"}, "is a deck of Banque Fatale, not of Banküberfall"),
        ({"game": "poker"}, "is a deck of poker, not of Banküberfall"),
        ({"things": {MARK: "7"}}, "has 1 × “7” among its things; the box holds 0"),
        ({"things": {f"{n:032x}": "thief" for n in range(5)}},
         "has 5 × thief among its things; the box holds 4"),
        ({"things": {f"{n:032x}": "figure" for n in range(2)}}, "has 2 × robber figure"),
        ({"replaced": {MARK: {"new": MARK}}}, "“replaced” names a mark that leads to no thing"),
        ({"replaced": {MARK: {"new": "0" * 32}}}, "names a mark that leads to no thing"),
        ({"things": {MARK: "5", "0" * 32: "5"}, "replaced": {MARK: {"new": "0" * 32}}},
         "names a mark that leads to no thing"),
        ({"replaced": {"04a1b2c3d4e5f6": {"new": MARK}}}, "is not a deck: "),
    ],
)  # fmt: skip
def test_a_bad_deck_is_one_sentence_that_names_what_is_bad(
    fields: dict[str, Any], sentence: str, path: Path
) -> None:
    assert sentence in refused(path, json.dumps(written(**fields)).encode())


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"\xff\xfe", b"[]", b"null", b"5", b'"deck"', b"[" * 100_000, b" " * 1_000_001],
)
def test_a_file_that_is_no_deck_is_refused(data: bytes, path: Path) -> None:
    assert f"{path.name} is not a deck: " in refused(path, data)
