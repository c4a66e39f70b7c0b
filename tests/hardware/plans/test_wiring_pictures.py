"""The wiring pictures: one colour for each signal, on both pages."""

import re

import pytest

from companion.core.i18n import get_language
from hardware.plans.pi_page import draw_pi_page
from hardware.plans.readers_page import draw_readers_page
from hardware.plans.symbols import COLOURS, decoder_colour, header_colour
from hardware.wiring import load_profile
from hardware.wiring.drawing import POWER
from hardware.wiring.joints import Net, list_nets
from hardware.wiring.table import DECODER_PINS

PROFILES = ["eight-readers", "five-readers"]


def header_nets(profile: str) -> dict[int, Net]:
    nets = (net for net in list_nets(load_profile(profile)) if net.joints[0].part == "P")
    return {int(net.joints[0].pin): net for net in nets}


@pytest.mark.parametrize("profile", PROFILES)
def test_only_ground_is_black_and_only_5_volts_is_as_hot(profile: str) -> None:
    for pin, net in header_nets(profile).items():
        kind = header_colour(net)
        assert (kind == COLOURS["GND"]) == (POWER.get(pin) == "GND"), net
        assert (kind == COLOURS["5V"]) == (POWER.get(pin) == "5 V"), net


@pytest.mark.parametrize("profile", PROFILES)
def test_a_wire_has_the_colour_at_the_pi_that_it_has_at_the_readers(profile: str) -> None:
    wiring, words = load_profile(profile), get_language("en")
    page = draw_readers_page(wiring, words)
    ends = {net.joints[1].name: net for net in header_nets(profile).values()}
    drawn = dict(re.findall(r'id="(J-[^"]+)"[^>]*?style="fill:(#[0-9a-f]{6})"', page))
    both = ends.keys() & drawn.keys()
    assert len(both) > len(wiring.readers)
    assert {name: drawn[name] for name in both} == {n: header_colour(ends[n]) for n in both}
    assert all(kind in draw_pi_page(wiring, words) for kind in map(header_colour, ends.values()))


def test_a_decoder_has_power_ground_three_address_lines_and_selects() -> None:
    kinds = [decoder_colour(name) for name in DECODER_PINS.values()]
    counted = {name: kinds.count(COLOURS[name]) for name in ("3.3V", "GND", "address", "SDA")}
    assert counted == {"3.3V": 2, "GND": 2, "address": 3, "SDA": 9}
