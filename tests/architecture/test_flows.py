"""Flows: the order of folders on the way of a bid, a card and a case, and how many files run."""

import pytest

from tests.worlds import flows

FLOWS = {"bid": flows.trace_bid_and_screen, "tag": flows.trace_tag, "case": flows.trace_case}
ORDER = {
    "bid": [
        "web", "companion/identity", "companion/seating", "web/api", "companion/table",
        "companion/games", "companion/core", "companion/journal", "companion/games/bankueberfall",
        "companion/tracking", "web/pages", "web/rendering", "companion/privacy",
        "companion/hotspot", "companion/host",
    ],
    "tag": [
        "companion/host", "companion/app", "hardware", "hardware/rc522", "companion/table",
        "companion/tracking", "companion/core", "companion/games/bankueberfall", "companion/games",
        "companion/journal",
    ],
    "case": [
        "companion/cli", "companion/judge", "companion/games", "companion/games/bankueberfall",
        "companion/core",
    ],
}  # fmt: skip
MOST_FILES = {"bid": 53, "tag": 48, "case": 16}


@pytest.mark.parametrize("name", FLOWS)
def test_a_flow_enters_the_folders_in_order_and_runs_few_files(name: str) -> None:
    trace = FLOWS[name]()
    assert trace.packages == ORDER[name]
    assert len(trace.files) <= MOST_FILES[name]


def test_a_bid_is_on_disk_after_34_files() -> None:
    assert len(flows.trace_bid().files) <= 34


def test_a_second_painting_asks_neither_tracker_nor_permissions() -> None:
    trace = flows.trace_painting()
    assert trace.calls_in("companion/tracking") < 10
    assert trace.calls["companion/table/permissions.py"] == 0
