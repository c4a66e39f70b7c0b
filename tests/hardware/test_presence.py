"""Arrived and left, as properties of looks alone."""

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from companion.core.sensor_events import Arrived, Evidence, FellSilent, Left
from hardware.presence import (
    FEWEST,
    LIFTED,
    LyingTags,
    ReaderLook,
    Sign,
    TagPresence,
    apply_look,
    tags_at,
)

CARD = "04a1b2c3d4e5f6"
ROUND = 0.15

signs = st.sampled_from(["seen", "unclear", "silent"])
looks = st.lists(
    st.tuples(st.integers(1, 3), st.sampled_from("abc"), signs, st.floats(0.001, 0.5)), max_size=80
)


def follow(
    signs: Iterable[Sign], table: LyingTags | None = None
) -> tuple[LyingTags, list[Evidence]]:
    """One card at one place, a look every round."""
    table, told = table or {}, list[Evidence]()
    for number, sign in enumerate(signs):
        table, news = apply_look(table, ReaderLook(1, number * ROUND, {CARD: sign}))
        told += news
    return table, told


@given(looks)
def test_a_tag_is_at_one_place_and_what_is_told_adds_up(
    story: list[tuple[int, str, Sign, float]],
) -> None:
    table: LyingTags = {}
    where: dict[str, int] = {}
    now = 0.0
    for place, tag, sign, wait in story:
        now += wait
        table, news = apply_look(table, ReaderLook(place, now, {tag: sign}))
        for told in news:
            assert told.at == now
            if isinstance(told, Arrived):
                assert told.tag not in where
                where[told.tag] = told.place
            elif isinstance(told, Left | FellSilent):
                assert where.pop(told.tag) == told.place
        assert where == {tag: lying.place for tag, lying in table.items()}


@given(st.lists(st.sampled_from(["seen", "unclear"]), max_size=50))
def test_without_clean_silence_nothing_leaves(signs: list[Sign]) -> None:
    assert [type(e) for e in follow(["seen", *signs])[1]] == [Arrived]


@given(st.integers(1, 300), st.integers(0, FEWEST - 1))
def test_fewer_silences_than_the_fewest_are_a_flicker(answers: int, silences: int) -> None:
    told = follow([*["seen"] * answers, *["silent"] * silences, "seen"])[1]
    assert [type(e) for e in told] == [Arrived]


@given(st.integers(1, 300))
def test_a_lifted_card_leaves_in_the_end_and_returns(answers: int) -> None:
    told = follow([*["seen"] * answers, *["silent"] * 60, "seen"])[1]
    assert [type(e) for e in told] == [Arrived, FellSilent, Arrived]


@given(st.integers(30, 300))
def test_a_card_that_always_answers_has_left_within_a_second(answers: int) -> None:
    told = follow([*["seen"] * answers, *["silent"] * 30])[1]
    assert told[-1].at - answers * ROUND <= 1.0


@given(st.lists(st.sampled_from(["seen", "silent"]), max_size=200))
def test_a_quick_silence_never_lifts_a_card_however_many_looks_it_has(signs: list[Sign]) -> None:
    """A table with one reader looks every ten milliseconds."""
    table: LyingTags = {CARD: TagPresence(1)}
    last = 0.0
    for number, sign in enumerate(signs):
        now = number * 0.01
        table, news = apply_look(table, ReaderLook(1, now, {CARD: sign}))
        if sign == "seen":
            last = now
        if any(isinstance(e, FellSilent) for e in news):
            assert now - last >= LIFTED


def test_an_echo_changes_nothing_while_the_card_answers_at_its_place() -> None:
    table, _ = follow(["seen"] * 10)
    for number in range(50):
        table, news = apply_look(table, ReaderLook(2, 10 + number * ROUND, {CARD: "seen"}))
        assert news == []
        table, news = apply_look(table, ReaderLook(1, 10 + number * ROUND, {CARD: "seen"}))
        assert news == []
    assert tags_at(table, 1) == [CARD]


def test_a_card_silent_at_its_place_and_heard_elsewhere_has_moved() -> None:
    table, told = follow(["seen"] * 50)
    for number in range(10):
        table, news = apply_look(table, ReaderLook(1, 10 + number * ROUND, {CARD: "silent"}))
        told += news
        table, news = apply_look(table, ReaderLook(2, 10.05 + number * ROUND, {CARD: "seen"}))
        told += news
    assert [(type(e), e.place) for e in told] == [(Arrived, 1), (Left, 1), (Arrived, 2)]  # type: ignore[attr-defined]
