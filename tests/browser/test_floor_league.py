"""The league on the floor: it follows by itself, what is typed stays, and everyone can use it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from companion.app.floor.acting import NOT_PAIRED
from companion.core.i18n import message
from companion.floor.arrival_note import ArrivalNote
from companion.floor.table_state import TableState
from companion.league.acts import add_record, join_league, leave_league, pair_next_round
from companion.league.store import LeagueStore
from companion.records.format import to_bytes
from tests.worlds.league_folder import found, play_league, play_sheet
from tests.worlds.served_floor import ServedFloor

SIZES = ((360, 640), (390, 664), (390, 844), (1920, 1080))
TAPPED = "button, summary, select, input:not([type=checkbox])"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[LeagueStore]:
    """A league with a round that is played, and a member who left."""
    store = found(tmp_path / "league", 5)
    join_league(store, "Wilhelmine Auguste", "2026-11-24")
    join_league(store, "Cem", "2026-11-24")
    play_league(store, 1)
    leave_league(store, "Cem")
    yield store
    store.close()


@pytest.fixture
def floor(store: LeagueStore) -> Iterator[ServedFloor]:
    served = ServedFloor(league=store.folder)
    served.tell("a" * 12, TableState(name="Table 7", address="http://192.0.2.7:8000/"))
    yield served
    served.close()


@pytest.mark.wide
def test_a_result_appears_by_itself_and_what_is_typed_stays(
    floor: ServedFloor, store: LeagueStore, chromium: Browser, tmp_path: Path
) -> None:
    page = chromium.new_context().new_page()
    page.goto(f"{floor.address}/league")
    page.locator("#name").fill("Zoë")
    sheets = pair_next_round(store).open_sheets
    expect(page.locator("#round")).to_have_text("Round 2")
    page.locator(".sheet summary").first.click()
    add_record(store, to_bytes(play_sheet(sheets[1], 41).record))
    expect(page.locator(".sheet.played")).to_have_count(1)
    expect(page.locator(".sheet details[open]")).to_have_count(1)
    expect(page.locator("#name")).to_have_value("Zoë")
    file = tmp_path / "game.jsonl"
    file.write_bytes(to_bytes(play_sheet(sheets[0], 42).record))
    page.locator("#records").set_input_files(file)
    page.get_by_role("button", name="Verify and count").click()
    expect(page.locator("#done")).to_contain_text("game.jsonl: Counted: round 2, table 1.")
    expect(page.locator(".sheet.played")).to_have_count(2)


@pytest.mark.wide
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everyone_can_use_it_at_each_size(
    floor: ServedFloor, store: LeagueStore, chromium: Browser, scheme: str, tmp_path: Path
) -> None:
    pair_next_round(store)
    floor.note_arrival("a" * 12, ArrivalNote("Table 7", "Robby Solo", message(NOT_PAIRED)))
    page = chromium.new_context(color_scheme=scheme).new_page()  # type: ignore[arg-type]
    page.goto(f"{floor.address}/league")
    page.locator(".sheet summary").first.click()
    expect(page.locator("#league .told")).to_contain_text("Table 7, Robby Solo: This floor is not")
    check_sizes(page)
    unfounded = ServedFloor(league=tmp_path / "none")
    page.goto(f"{unfounded.address}/league")
    check_sizes(page)
    unfounded.close()


def check_sizes(page: Page) -> None:
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
        low = f"[...document.querySelectorAll('{TAPPED}')].filter(low).length"
        script = (
            f"() => {{ const low = b => b.getBoundingClientRect().height < 44; return {low}; }}"
        )
        assert page.evaluate(script) == 0
        found_faults = Axe().run(page).response["violations"]
        assert [one["id"] for one in found_faults] == []
