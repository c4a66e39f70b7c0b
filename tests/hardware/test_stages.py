"""The doctor while the table is being soldered: one stage, one verdict, the next thing to do."""

from functools import partial

import pytest

from companion.core.errors import Malformed
from companion.core.i18n import get_language
from hardware.doctor.rehearsal import Fault, rehearse_stage
from hardware.doctor.stages import list_stages, parse_stage
from hardware.simulator.faults import antenna_cut, jam_button, silence_reader
from hardware.wiring import load_profile
from hardware.wiring.joints import list_nets

ENGLISH = get_language("en")
EIGHT = load_profile("eight-readers")


@pytest.mark.parametrize("profile", ["eight-readers", "five-readers"])
def test_the_stages_lead_through_the_whole_table(profile: str) -> None:
    """Each verdict names joints of the wiring and the command of the stage after it."""
    wiring = load_profile(profile)
    joints = {joint.name for net in list_nets(wiring) for joint in net.joints}
    order = list_stages(wiring)
    for work, later in zip(order, [*order[1:], None], strict=True):
        report = rehearse_stage(wiring, work)
        assert {line.state for line in report.lines} == {"good"}
        verdict = ENGLISH(report.summary())
        assert report.exit_status == 0
        if later is None:
            assert verdict.endswith("companion doctor")
            continue
        assert verdict.endswith(later.command)
        named = {word.strip(",.") for word in verdict.split() if word.startswith("J-")}
        assert named
        assert named <= joints


@pytest.mark.parametrize(
    ("stage", "place", "fault", "words"),
    [
        ("bus", 0, partial(silence_reader, reader=0, byte=0xFF), "MISO touches 3.3 V, SCK"),
        ("decoder", 0, partial(silence_reader, reader=0), "no 3.3 V arrives"),
        ("reader", 3, partial(antenna_cut, reader=2), "no card is read"),
        ("buttons", 0, partial(jam_button, seat=3), "down though no one presses it"),
    ],
)
def test_a_fault_keeps_a_stage_from_being_good(
    stage: str, place: int, fault: Fault, words: str
) -> None:
    work = parse_stage([stage, *([str(place)] if place else [])], EIGHT)
    report = rehearse_stage(EIGHT, work, fault)
    bad = [ENGLISH(line.said) for line in report.lines if line.state == "bad"]
    assert any(words in said for said in bad)
    assert ENGLISH(report.summary()).endswith(f"again: {work.command}")
    assert report.exit_status == 1


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["glue"], "no stage 'glue'; write one of power, bus, decoder, reader 1, "),
        (["reader", "9"], "no stage 'reader 9'"),
    ],
)
def test_a_stage_that_is_none_is_refused(words: list[str], sentence: str) -> None:
    with pytest.raises(Malformed, match=sentence):
        parse_stage(words, EIGHT)
    with pytest.raises(Malformed, match="no stage 'decoder'"):
        parse_stage(["decoder"], load_profile("five-readers"))
