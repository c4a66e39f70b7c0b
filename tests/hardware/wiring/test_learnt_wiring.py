"""A wiring that was learnt: the same wires, each where it was found, in a file like any other."""

from collections.abc import Mapping

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from companion.core.sensor_events import PlaceMode
from hardware.wiring import Wiring, format_profile, load_profile, parse_profile, profile_names

WIRINGS = st.sampled_from([load_profile(profile) for profile in profile_names()])
NUMBERS = st.integers(0, 9)
FOUND = st.dictionaries(NUMBERS, NUMBERS, max_size=9)
"""Anything: numbers that the wiring does not have, and two that were found at one wire."""


MODES: tuple[PlaceMode, ...] = ("tap", "presence")


def wires(wiring: Wiring) -> list[Mapping[int, object]]:
    return [wiring.readers, wiring.buttons, wiring.lamps]


@given(WIRINGS, FOUND, FOUND, FOUND)
def test_no_wire_is_lost_and_none_leads_to_two(
    wiring: Wiring, places: dict[int, int], buttons: dict[int, int], lamps: dict[int, int]
) -> None:
    learnt = wiring.with_learnt(places, buttons, lamps)
    for before, after in zip(wires(wiring), wires(learnt), strict=True):
        assert list(after) == list(before)
        assert sorted(after.values(), key=str) == sorted(before.values(), key=str)
    assert sorted(pin for pin, _ in learnt.pin_uses()) == sorted(
        pin for pin, _ in wiring.pin_uses()
    )
    assert learnt.has_same_wires(wiring)
    assert learnt.config_lines() == wiring.config_lines()


@given(WIRINGS, FOUND)
def test_what_was_found_is_there_and_the_rest_stays_if_it_can(
    wiring: Wiring, found: dict[int, int]
) -> None:
    buttons = {n: called for n, called in found.items() if {n, called} <= {*wiring.buttons}}
    once = {n: c for n, c in buttons.items() if list(buttons.values()).count(c) == 1}
    learnt = wiring.with_learnt(buttons=once)
    assert all(learnt.buttons[n] == wiring.buttons[called] for n, called in once.items())
    for seat in {*wiring.buttons} - {*once} - {*once.values()}:
        assert learnt.buttons[seat] == wiring.buttons[seat]


@given(WIRINGS, FOUND, FOUND, st.text(max_size=30), st.text(max_size=30))
def test_it_is_read_as_it_was_written(
    wiring: Wiring, places: dict[int, int], lamps: dict[int, int], title: str, base: str
) -> None:
    one_line = " ".join(title.encode(errors="ignore").decode().split())
    profile = base.encode(errors="ignore").decode()
    learnt = msgspec.structs.replace(
        wiring.with_learnt(places, lamps=lamps),
        title=one_line,
        learnt_from=profile,
        found={"banks": tuple(places)},
        modes={} if wiring.by_turns else dict(zip(wiring.readers, MODES, strict=False)),
    )
    again = parse_profile(wiring.name, format_profile(learnt))
    assert again == learnt


def test_another_pin_is_another_wiring() -> None:
    wiring = load_profile()
    other = msgspec.structs.replace(wiring, lamps={**wiring.lamps, 1: 26})
    assert not other.has_same_wires(wiring)
