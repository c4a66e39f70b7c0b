"""When a reader is worried about, treated, given up and welcomed back: pure, told as a story."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.rc522.chip import TIMER_MODE, Finding, Vitals
from hardware.reader_health import (
    GIVE_UP,
    RETRY,
    CareRecord,
    HealthState,
    Treatment,
    choose_treatment,
    update_care,
)

findings: st.SearchStrategy[Finding] = st.sampled_from(["well", "forgetful", "dead"])


def story(findings: list[Finding], pace: float) -> list[tuple[float, Treatment]]:
    health, told = HealthState(), []
    for number, finding in enumerate(findings):
        treatment = choose_treatment(health, finding, number * pace)
        health = treatment.health
        told.append((number * pace, treatment))
    return told


@given(st.lists(findings, max_size=200), st.floats(0.01, 0.4))
def test_lost_and_found_take_turns(findings: list[Finding], pace: float) -> None:
    news = [t.news for _, t in story(findings, pace) if t.news is not None]
    assert news == ["lost", "found"] * (len(news) // 2) + ["lost"] * (len(news) % 2)


@given(st.sampled_from(["dead", "forgetful"]), st.floats(0.005, 0.4))
def test_whatever_the_pace_a_reader_is_lost_within_two_seconds(
    finding: Finding, pace: float
) -> None:
    told = story([finding] * int(3 / pace), pace)
    (lost,) = (at for at, treatment in told if treatment.news == "lost")
    assert GIVE_UP - 1e-6 <= lost <= 2


def test_a_dead_reader_gets_three_rounds_then_a_soft_then_a_hard_reset() -> None:
    told = story(["dead"] * 10, 0.15)
    assert [t.remedy for _, t in told[:4]] == ["none", "none", "soft reset", "hard reset"]
    assert told[-1][1].health.word == "offline"


def test_the_shared_reset_line_is_pulled_only_now_and_then() -> None:
    told = story(["dead"] * 700, 0.15)
    pulls = [at for at, t in told if t.remedy == "hard reset"]
    assert all(later - earlier >= RETRY for earlier, later in pairwise(pulls))
    assert len(pulls) == 4


@pytest.mark.parametrize(
    ("vitals", "finding"),
    [
        (Vitals(0x92, 0x83, 0x00, TIMER_MODE), "well"),
        (Vitals(0x92, 0x80, 0x00, TIMER_MODE), "forgetful"),  # the field went off
        (Vitals(0x92, 0x83, 0x08, TIMER_MODE), "forgetful"),  # the crypto unit is on
        (Vitals(0x92, 0x83, 0x00, 0x00), "forgetful"),  # a brown-out
        (Vitals(0x91, 0x83, 0x00, TIMER_MODE), "dead"),  # another chip answers
        (Vitals(0x00, 0x00, 0x00, 0x00), "dead"),
        (Vitals(0xFF, 0xFF, 0xFF, 0xFF), "dead"),
    ],
)
def test_four_registers_tell_how_a_chip_is(vitals: Vitals, finding: Finding) -> None:
    assert vitals.assess_finding(0x92) == finding


def through(findings: list[Finding]) -> CareRecord:
    health, care = HealthState(), CareRecord()
    for number, finding in enumerate(findings):
        treatment = choose_treatment(health, finding, number * 0.15)
        care, health = update_care(care, health, treatment), treatment.health
    return care


def test_only_who_was_treated_has_been_healed() -> None:
    assert through(["dead", "dead", "well"]).healings == 0
    assert through(["dead"] * 5 + ["well"] * 3).healings == 1
    assert through([*["dead"] * 20, "well", "forgetful", "well"]).healings == 2
