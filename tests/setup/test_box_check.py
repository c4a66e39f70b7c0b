"""The check before and after play: what of the deck has not been seen yet."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from companion.core.cards import Box, PlayerCount
from companion.core.deck import Deck
from companion.core.i18n import LANGUAGES, get_language
from companion.core.sensor_events import Arrived, ButtonPressed, Evidence, Left, Odd, ReaderLost
from companion.setup.box_check import BoxCheck


class SmallBox(Box, frozen=True, kw_only=True):
    """A box that holds just these."""

    cards: dict[str, int]


BOX = SmallBox(
    game="small", title="Small", author="", publisher="", year=2020,
    players=PlayerCount(least=2, most=4),
    cards={"2": 2, "5": 3, "thief": 1, "figure": 1},
)  # fmt: skip
TAGS = {"04aa": "5", "04ab": "5", "04ac": "thief", "04ad": "figure", "04ae": "2"}
DECK = Deck({Deck({}, "5a" * 16).mark(tag): thing for tag, thing in TAGS.items()}, "5a" * 16)


def swept(*evidence: Evidence, lang: str = "en") -> tuple[BoxCheck, list[str]]:
    """The check after this evidence, and what it said after each piece that changed it."""
    check, said = BoxCheck(BOX, DECK), list[str]()
    for seen in evidence:
        before, check = check, check.take_evidence(seen)
        said += [get_language(lang)(check.progress().says)] if check is not before else []
    return check, said


def is_odd(*evidence: Evidence) -> bool:
    """Whether something is to be put right after this."""
    return swept(*evidence)[0].progress().odd


def test_it_names_what_is_still_missing_until_all_was_seen() -> None:
    check, said = swept(*(Arrived(n, n, tag) for n, tag in enumerate(TAGS, 1)))
    assert said == [
        "Still missing: 2, 5, thief and robber figure.",
        "Still missing: 2, thief and robber figure.",
        "Still missing: 2 and robber figure.",
        "Still missing: 2.",
        "All is there: 5 of 5.",
    ]
    assert check.progress().done
    fresh = swept()[0].progress()
    assert get_language("en")(fresh.says) == "Still missing: 2, 2 × 5, thief and robber figure."
    assert (fresh.done, fresh.odd) == (False, False)


def test_an_unknown_sticker_is_said_until_it_is_gone() -> None:
    stranger = Arrived(1, 4, "04ff")
    _, said = swept(stranger)
    assert said == ["An unknown sticker lies on reader 4: it is on nothing of this deck."]
    assert is_odd(stranger)
    for over in (Left(2, 4, "04ff"), ReaderLost(2, 4)):
        assert not is_odd(stranger, over)
    for not_over in (Left(2, 3, "04ff"), Left(2, 4, "04aa"), ReaderLost(2, 3), ButtonPressed(2, 1)):
        assert is_odd(stranger, not_over)


def test_what_is_odd_is_said_too() -> None:
    _, said = swept(Odd(1, 2, "unreadable"))
    assert "reader 2 answers and cannot be read" in said[0]
    assert is_odd(Odd(1, 2, "unreadable"))
    assert not is_odd(Odd(1, 2, "unreadable"), Odd(2, 2, "nothing"))


READINGS = st.lists(
    st.builds(
        lambda kind, place, tag: kind(0.0, place, tag),
        st.sampled_from([Arrived, Left]),
        st.integers(1, 3),
        st.sampled_from([*TAGS, "04ff", "9a8b7c6d"]),
    )
)


@given(READINGS)
def test_in_any_order_missing_is_what_never_arrived(readings: list[Evidence]) -> None:
    arrived = {seen.tag for seen in readings if isinstance(seen, Arrived)}
    check, _ = swept(*readings)
    unseen = sorted(thing for tag, thing in TAGS.items() if tag not in arrived)
    assert sorted(thing for thing, n in check.missing.items() for _ in range(n)) == unseen
    assert check.progress().done is (not unseen)
    for lang in LANGUAGES:
        assert not any(tag in line for line in swept(*readings, lang=lang)[1] for tag in arrived)


OTHER = Deck({Deck({}, "6b" * 16).mark("04b0"): "thief"}, "6b" * 16)


def test_a_card_of_another_box_is_named_also_after_it_has_gone() -> None:
    check, said = BoxCheck(BOX, DECK, {"Banküberfall": OTHER}), list[str]()
    passed = ["04b0", "04ff", *TAGS]
    for n, tag in enumerate(passed):
        check = check.take_evidence(Arrived(n, 1, tag))
        said.append(get_language("en")(check.progress().says))
        check = check.take_evidence(Left(n + 0.5, 1, tag))
    assert said[:2] == [
        "On reader 1 lies thief of Banküberfall: put it back into its box.",
        "An unknown sticker lies on reader 1: it is on nothing of this deck.",
    ]
    assert said[-1] == "All is there: 5 of 5. Not of this box: thief of Banküberfall."
    small = msgspec.structs.replace(BOX, cards={"2": 1, "5": 2, "thief": 1})
    all_enrolled = msgspec.structs.replace(check, box=small)
    names = [get_language("en")(found) for found in all_enrolled.progress().besides]
    assert names == ["thief of Banküberfall", "unknown stickers: 1"]
