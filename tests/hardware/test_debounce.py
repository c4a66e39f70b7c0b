"""Presses out of edges: the debounce as properties, with no clock but the one in the story."""

from itertools import accumulate

from hypothesis import assume, given
from hypothesis import strategies as st

from companion.core.sensor_events import ButtonHeldOff, ButtonHeldOn, ButtonPressed
from hardware.debounce import (
    HOLD_OFF,
    HOLD_ON,
    SETTLE,
    STUCK,
    TIE,
    Press,
    advance_time,
    apply_edge,
    initial_state,
    is_stuck,
    sort_presses,
)

bounces = st.lists(st.floats(0.0001, SETTLE * 0.9), max_size=9).filter(
    lambda gaps: len(gaps) % 2 == 0
)


LONG = HOLD_OFF + 2.0
"""Seconds after which all is certain."""


def play(edges: list[tuple[float, bool]], until: float, step: float = 0.02) -> list[Press]:
    """Edges as they come, and a question every step in between."""
    button, told, now = initial_state(3, False, 0.0), list[Press](), 0.0
    for at, down in edges:
        while now + step < at:
            now += step
            button, news = advance_time(button, now)
            told += news
        button, news = apply_edge(button, down, at)
        told += news
        now = at
    while now < until:
        now += step
        button, news = advance_time(button, now)
        told += news
    return told


def bouncing(at: float, down: bool, gaps: list[float]) -> list[tuple[float, bool]]:
    """A contact that closes or opens, with an even number of bounces after it."""
    edges = [(at, down)]
    for gap in gaps:
        edges.append((edges[-1][0] + gap, not edges[-1][1]))
    return edges


@given(bounces, bounces, st.floats(0.3, 1.7))
def test_a_short_press_is_one_press_from_its_first_edge(
    closing: list[float], opening: list[float], length: float
) -> None:
    edges = bouncing(1.0, True, closing) + bouncing(1.0 + length, False, opening)
    assert play(edges, 5.0) == [ButtonPressed(1.0, 3)]


@given(bounces, bounces, st.floats(2.1, 20.0))
def test_a_long_press_is_one_held_press_and_a_very_long_one_is_told_once_more(
    closing: list[float], opening: list[float], length: float
) -> None:
    edges = bouncing(1.0, True, closing) + bouncing(1.0 + length, False, opening)
    told: list[Press] = [ButtonPressed(1.0, 3, held=True)]
    told += [ButtonHeldOn(1.0, 3)] if length >= HOLD_ON else []
    told += [ButtonHeldOff(1.0, 3)] if length >= HOLD_OFF else []
    assert play(edges, 25.0) == told


@given(st.lists(st.floats(0.0005, SETTLE * 0.9), min_size=1, max_size=20))
def test_what_never_stands_still_is_no_press(gaps: list[float]) -> None:
    assume(len(gaps) % 2)
    edges = bouncing(1.0, True, gaps)
    assert play(edges, 4.0) == []


stories = st.lists(st.tuples(st.floats(0.0001, 3.0), st.booleans()), min_size=1, max_size=60)


def timed(story: list[tuple[float, bool]]) -> list[tuple[float, bool]]:
    """Edges at their moments, from the pauses between them."""
    moments = accumulate(wait for wait, _ in story)
    return [(at, down) for at, (_, down) in zip(moments, story, strict=True)]


@given(stories)
def test_any_edges_at_all_tell_presses_apart_and_in_order(story: list[tuple[float, bool]]) -> None:
    edges = timed(story)
    told = play(edges, edges[-1][0] + LONG)
    begun = [press.at for press in told if isinstance(press, ButtonPressed)]
    held_on = [press.at for press in told if isinstance(press, ButtonHeldOn)]
    assert begun == sorted(set(begun))
    assert set(begun) <= {at for at, _ in edges}
    assert held_on == sorted(set(held_on))
    assert set(held_on) <= {press.at for press in told if press == ButtonPressed(press.at, 3, True)}


@given(stories, st.floats(0.001, 0.5))
def test_how_often_somebody_asks_changes_nothing(
    story: list[tuple[float, bool]], step: float
) -> None:
    edges = timed(story)
    until = edges[-1][0] + LONG
    assert play(edges, until, step) == play(edges, until, 0.01)


def test_a_button_down_when_the_table_starts_is_stuck_until_it_is_let_go() -> None:
    button = initial_state(3, True, 0.0)
    button, news = advance_time(button, STUCK + 1)
    assert news == []
    assert is_stuck(button, STUCK + 1)
    button, _ = apply_edge(button, False, STUCK + 2)
    button, news = advance_time(button, STUCK + 3)
    assert news == []
    assert not is_stuck(button, STUCK + 3)
    button, _ = apply_edge(button, True, STUCK + 4)
    button, _ = apply_edge(button, False, STUCK + 4.2)
    assert advance_time(button, STUCK + 5)[1] == [ButtonPressed(STUCK + 4, 3)]


def test_ties_go_by_seat_and_anything_later_by_time() -> None:
    first, tie, late = (
        ButtonPressed(1.0, 5),
        ButtonPressed(1.0 + TIE / 2, 2),
        ButtonPressed(1.0 + 2 * TIE, 1),
    )
    assert sort_presses([late, first, tie]) == [tie, first, late]
