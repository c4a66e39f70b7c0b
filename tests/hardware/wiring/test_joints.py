"""The joints: each in one net, each in the picture once, under a name that can be looked up."""

from collections import Counter
from collections.abc import Callable
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.i18n import LANGUAGES, Language, get_language
from hardware.errors import WiringError
from hardware.plans.joint_list import format_joints
from hardware.plans.pi_page import draw_pi_page
from hardware.plans.readers_page import draw_readers_page
from hardware.wiring import Wiring, load_profile, parse_profile, profile_names
from hardware.wiring.joints import STAGES, joint_of, list_nets, stages_of
from tests.worlds.campaign import pick
from tests.worlds.paths import ROOT

Draw = Callable[[Wiring, Language], str]
WORDS = get_language("en")
TWO_DECODERS = """
title = "Two decoders"
reset = 25
address_lines = [22, 27, 17]
[readers]
1 = "mux:0.0/0"
2 = "mux:0.0/7"
3 = "mux:0.1/3"
"""


def pictures(wiring: Wiring) -> list[ElementTree.Element]:
    """Draw both pages of a wiring."""
    return [
        ElementTree.fromstring(draw(wiring, WORDS)) for draw in (draw_pi_page, draw_readers_page)
    ]


def shown_joints(wiring: Wiring) -> Counter[str]:
    """Count the circles that bear the name of a joint; the header shows all its pins."""
    names = [e.attrib["id"] for page in pictures(wiring) for e in page.iter() if "id" in e.attrib]
    used = {joint.name for net in list_nets(wiring) for joint in net.joints}
    return Counter(name for name in names if name in used or not name.startswith("J-P-"))


@pytest.mark.parametrize("profile", profile_names())
def test_no_joint_belongs_to_two_nets(profile: str) -> None:
    joints = [joint for net in list_nets(load_profile(profile)) for joint in net.joints]
    assert [joint for joint, n in Counter(joints).items() if n > 1] == []


@pytest.mark.parametrize("wiring", [*map(load_profile, profile_names()),
                                    parse_profile("two", TWO_DECODERS)])  # fmt: skip
def test_the_picture_shows_every_joint(wiring: Wiring) -> None:
    wanted = {joint.name for net in list_nets(wiring) for joint in net.joints}
    assert set(shown_joints(wiring)) == wanted


@settings(max_examples=pick(10, 50, 300))
@given(st.permutations(range(1, 9)))
def test_a_learnt_wiring_is_drawn_as_it_is(order: list[int]) -> None:
    base = load_profile()
    wiring = base.with_learnt(places=dict(zip(range(1, 9), order, strict=True)))
    wanted = {joint.name for net in list_nets(wiring) for joint in net.joints}
    assert set(shown_joints(wiring)) == wanted


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_list_names_every_joint_in_the_order_of_soldering(code: str) -> None:
    wiring = load_profile()
    text = format_joints(wiring, get_language(code))
    at = [text.index(f"companion doctor --stage {stage}") for stage in stages_of(wiring)]
    assert at == sorted(at)
    assert stages_of(wiring) == list(STAGES)
    assert all(f"`{joint.name}`" in text for net in list_nets(wiring) for joint in net.joints)


def test_a_joint_is_found_by_the_name_of_its_pin() -> None:
    wiring = load_profile()
    assert joint_of(wiring, "U1", "/G2A") == joint_of(wiring, "U1", "4")
    assert joint_of(wiring, "U1", "/G2A").name == "J-U1-4"
    assert joint_of(wiring, "RC3", "SDA").name == "J-RC3-SDA"
    with pytest.raises(WiringError, match="no joint J-RC9-SDA"):
        joint_of(wiring, "RC9", "SDA")


def test_pull_ups_stand_only_where_the_pi_selects_a_reader_itself() -> None:
    for profile, has in (("eight-readers", False), ("five-readers", True)):
        parts = {j.part for net in list_nets(load_profile(profile)) for j in net.joints}
        assert any(part.startswith("RSDA") for part in parts) is has


@pytest.mark.parametrize("draw", [draw_pi_page, draw_readers_page])
def test_the_picture_in_the_docs_is_the_one_of_the_default_wiring(draw: Draw) -> None:
    name = draw.__name__.removeprefix("draw_").removesuffix("_page")
    shown = (ROOT / "docs" / f"wiring-{name}.svg").read_text("utf-8")
    assert shown == draw(load_profile(), WORDS)
