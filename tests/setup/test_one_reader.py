"""The first start with one reader for all places: nothing is to be found, the box is tapped."""

from pathlib import Path

import pytest

from companion.app.setup.overview import needless_steps
from hardware.wiring import load_profile
from tests.worlds.fresh_table import fresh_table


@pytest.mark.wide
def test_a_box_is_enrolled_and_checked_at_one_reader(tmp_path: Path) -> None:
    with fresh_table(tmp_path, "one-reader") as first:
        box = first.real.table.rules.box.tagged_pieces()
        spared = {step for step, state in first.shown.steps if state == "spared"}
        assert spared == {"banks", "buttons", "lamps"}
        shown = first.through("stickers")
        assert (shown.done, shown.total) == (sum(box.values()),) * 2
        first.goes("check")
        for _ in range(sum(box.values())):
            shown = first.does()
        assert (shown.done, first.missing()) == (sum(box.values()), [])
        first.goes("done")
        assert first.missing() == []


@pytest.mark.parametrize("profile", ["one-reader", "usb"])
def test_one_reader_for_all_places_needs_no_finding(profile: str) -> None:
    assert "banks" in needless_steps(load_profile(profile))
    assert "stickers" not in needless_steps(load_profile(profile))


def test_of_several_readers_each_place_is_found() -> None:
    assert "banks" not in needless_steps(load_profile())
