"""The walk through the measurements on a simulated bench, its file, and the air made of it."""

import json
from pathlib import Path
from typing import Any

import pytest

from companion.app.simulated.simulated_table import build_tabletop
from companion.cli import main
from companion.core.errors import Malformed
from companion.core.i18n import LANGUAGES, get_language
from hardware.measure.bench import STICKER, rehearse_measuring
from hardware.measure.file import UNITS, Measured, load_measured, save_measured
from hardware.measure.walk import DISTANCES, HEIGHTS, SLOTS, STICKERS
from hardware.simulator.air.airs import POWER_FIRST, HearingLimits, IdealAir, PhysicsAir
from hardware.simulator.air.calibration import calibrate_limits, choose_air
from hardware.wiring import load_profile
from tests.worlds.campaign import pick

LEAST_TO_MEET = 0.0
"""dB: a receiver that needs less is never the first to fail."""
WIRING = load_profile("eight-readers")
HEARING_FIRST = HearingLimits(power=0.25, hearing_db=25.0)
"""The opposite of what is assumed: a card is powered where it is no longer heard."""
GIVEN = [
    (POWER_FIRST, 30_000),
    (HearingLimits(power=0.4, hearing_db=8.0), 300_000),
    (HearingLimits(power=0.12, hearing_db=12.0), 30_000),
]


@pytest.fixture(scope="module")
def measured() -> Measured:
    return rehearse_measuring(WIRING, PhysicsAir(limits=HEARING_FIRST), 150_000)


@pytest.mark.parametrize(("limits", "host_ns"), GIVEN[: pick(1, 3, 3)])
def test_measured_values_come_back_as_they_were_set(limits: HearingLimits, host_ns: int) -> None:
    check_values(rehearse_measuring(WIRING, PhysicsAir(limits=limits), host_ns), limits, host_ns)


def check_values(found: Measured, limits: HearingLimits, host_ns: int) -> None:
    """The file of a bench whose values were given leads to the same values."""
    again = calibrate_limits(found)
    assert again.power == pytest.approx(limits.power, rel=0.15)
    if limits.hearing_db > LEAST_TO_MEET:
        assert again.hearing_db == pytest.approx(limits.hearing_db, abs=3.0)
    else:
        assert again.hearing_db == POWER_FIRST.hearing_db, "never met, so as it is assumed"
    assert found.transfer_us == pytest.approx(host_ns / 1000, rel=0.02)


def test_every_measurement_is_made_and_agrees_with_the_air(measured: Measured) -> None:
    assert [(p.slot, p.height_mm) for p in measured.ranges[: len(HEIGHTS)]] == [
        (0, height) for height in HEIGHTS
    ]
    assert {p.slot for p in measured.ranges} == {0, *SLOTS}
    heard = {p.height_mm: p.heard for p in measured.ranges if not p.slot}
    assert heard[4.0] > 0.9
    assert heard[15.0] < 0.1
    piles = {(p.cards, p.in_slots): p.heard for p in measured.piles}
    assert len(piles) == 2 * STICKERS
    assert piles[1, False] == piles[1, True] == piles[2, True] == 1.0
    assert piles[6, False] < 0.5
    assert [(p.distance_mm, p.heard) for p in measured.cross_reads] == [(d, 0.0) for d in DISTANCES]
    assert measured.halt_is_obeyed
    assert measured.wake_ms is not None
    assert 0 < measured.wake_ms < 5
    check_values(measured, HEARING_FIRST, 150_000)


def test_the_file_comes_back_and_names_no_sticker(measured: Measured, tmp_path: Path) -> None:
    path = tmp_path / "air.json"
    save_measured(path, measured)
    assert load_measured(path) == measured
    written = path.read_text().lower()
    assert not any(STICKER.format(n=n) in written for n in range(1, STICKERS + 1))
    assert json.loads(written)["units"] == {k: v.lower() for k, v in UNITS.items()}
    chosen = choose_air(str(path))
    assert chosen.air.power_floor == calibrate_limits(measured).power
    tabletop = build_tabletop(air=str(path))
    assert tabletop.world.bus.host_ns == pytest.approx(150_000, rel=0.02)
    tabletop.close()
    assert isinstance(choose_air("ideal").air, IdealAir)


def test_one_module_is_measured_without_a_neighbour() -> None:
    found = rehearse_measuring(load_profile("one-reader"))
    assert found.cross_reads == ()
    assert len(found.piles) == 2 * STICKERS
    heard = [p.height_mm for p in found.ranges if not p.slot and p.heard == 1.0]
    assert found.farthest_mm() == max(heard)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"air": 2}, "air.json is no file of measurements"),
        ({"units": {}}, "no file of measurements"),
        ({"transfer_us": -1}, "$.transfer_us"),
        ({"ranges": [{"slot": 5, "height_mm": 6, "heard": 1}]}, "$.ranges[0].slot"),
        ({"ranges": [{"slot": 1, "height_mm": 6, "heard": 2}]}, "$.ranges[0].heard"),
        ({"piles": [{"cards": 7, "in_slots": True, "heard": 1}]}, "$.piles[0].cards"),
        ({"sticker": "04"}, "unknown field `sticker`"),
    ],
)
def test_a_wrong_file_is_refused_in_one_sentence(
    fields: dict[str, Any], sentence: str, tmp_path: Path
) -> None:
    path = tmp_path / "air.json"
    good = {"air": 1, "companion": "1", "made": "2026-11-22", "simulated": True, "units": UNITS}
    path.write_text(json.dumps(good))
    assert load_measured(path).ranges == ()
    path.write_text(json.dumps(good | fields))
    with pytest.raises(Malformed) as caught:
        choose_air(str(path))
    assert sentence in str(caught.value)
    for language in LANGUAGES:
        assert "air.json" in get_language(language)(caught.value.say)
    for data in (b"", b"\xff", b"[" * 9_999, b" " * 200_000):
        path.write_bytes(data)
        with pytest.raises(Malformed):
            load_measured(path)
    with pytest.raises(Malformed, match="no air of this name is known"):
        choose_air("thick")


def test_the_command_writes_a_file_to_play_in(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "air.json"
    if pick(False, True, True):  # A whole walk takes some seconds.
        assert main(["doctor", "--sim", "--measure", str(path)]) == 0
        assert f"companion play --air {path}" in capsys.readouterr().out
        assert load_measured(path).simulated
    path.touch()
    for words in ([], ["--stage", "bus"]):
        assert main(["doctor", "--sim", "--measure", str(path), *words]) == 2
        assert capsys.readouterr().err.startswith("companion doctor: ")
    assert main(["play", "--air", "thick", "--no-browser", "--data", str(tmp_path)]) == 2
    assert "no air of this name is known" in capsys.readouterr().err
