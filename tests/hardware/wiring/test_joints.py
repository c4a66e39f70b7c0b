"""The joints: each in one net, each in the picture once, under a name that can be looked up."""

from xml.etree import ElementTree

import pytest

from hardware.errors import WiringError
from hardware.wiring import load_profile
from hardware.wiring.joints import joint_of, list_nets
from tests.worlds.paths import ROOT

PICTURES = ROOT / "docs" / "plans"


@pytest.mark.parametrize("profile", ["eight-readers", "five-readers"])
def test_the_pictures_in_the_docs_show_every_joint_of_their_profile(profile: str) -> None:
    size = profile.partition("-")[0]
    pages = [
        ElementTree.parse(PICTURES / f"wiring-{size}-{page}.svg") for page in ("pi", "readers")
    ]
    shown = {e.attrib["id"] for page in pages for e in page.iter() if "id" in e.attrib}
    joints = {joint.name for net in list_nets(load_profile(profile)) for joint in net.joints}
    assert joints <= shown
    assert {name for name in shown - joints if not name.startswith("J-P-")} == set()


def test_the_picture_of_one_reader_draws_its_seven_wires() -> None:
    picture = ElementTree.parse(PICTURES / "wiring-one.svg")
    wires = {(e.get("data-from"), e.get("data-to")) for e in picture.iter() if e.get("data-from")}
    nets = [net.joints for net in list_nets(load_profile("one-reader"))]
    assert wires == {(one.name, other.name) for one, other in nets}
    assert len(wires) == 7
    shown = {e.attrib["id"] for e in picture.iter() if e.attrib.get("id", "").startswith("J-")}
    assert shown == {joint.name for joints in nets for joint in joints}


def test_a_joint_is_found_by_the_name_of_its_pin() -> None:
    wiring = load_profile()
    assert joint_of(wiring, "U1", "/G2A") == joint_of(wiring, "U1", "4")
    assert joint_of(wiring, "U1", "/G2A").name == "J-U1-4"
    assert joint_of(wiring, "RC3", "SDA").name == "J-RC3-SDA"
    with pytest.raises(WiringError, match="no joint J-RC9-SDA"):
        joint_of(wiring, "RC9", "SDA")
