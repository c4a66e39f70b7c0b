"""A backup in a real browser: downloaded, put back, and the same table begins anew."""

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from companion.core.table_events import Ended
from companion.table.permissions import HOST_AUTHOR
from tests.browser.conftest import LANGUAGES, Playing
from tests.browser.test_host import looks_right, unfold
from tests.worlds.axe import violations
from tests.worlds.backup_table import Strongbox
from tests.worlds.host_page import become_host
from tests.worlds.served import Company


def sign_in(page: Page, address: str, folder: Path) -> None:
    become_host(page, address, folder)
    page.goto(f"{address}/host/care")
    expect(page.locator("#backup")).to_be_visible()


def end_the_game(page: Page) -> None:
    page.get_by_role("link", name="Host").click()
    page.get_by_text("End this game", exact=True).click()
    page.get_by_role("button", name="Yes, end this game").click()
    page.get_by_role("link", name="Care").click()
    expect(page.get_by_role("button", name="Download a backup")).to_be_visible()


def look_into(page: Page, file: Path) -> None:
    page.get_by_text("Restore a backup", exact=True).click()
    page.locator("#backup-file").set_input_files(file)
    page.get_by_role("button", name="Look what is in it").click()


@pytest.mark.wide
def test_a_backup_is_downloaded_and_put_back(
    play: Callable[..., Playing], open_browser: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    playing = play("--pace", "still")
    folder, page = playing.journal.parent, open_browser().new_page()
    sign_in(page, playing.address, folder)
    expect(page.locator("#backup")).to_contain_text("between two games")
    end_the_game(page)
    with page.expect_download() as coming:
        page.get_by_role("button", name="Download a backup").click()
    file = tmp_path / coming.value.suggested_filename
    coming.value.save_as(file)
    assert "host-pass" not in zipfile.ZipFile(file).namelist()
    look_into(page, file)
    expect(page.get_by_text("is sound")).to_be_in_viewport()
    page.get_by_role("button", name="Yes, restore it").click()
    page.wait_for_url("**/host/enter*")
    sign_in(page, playing.address, folder)
    expect(page.locator("#backup")).to_contain_text("The backup is restored.")
    assert playing.process.poll() is None, "it is the same process"
    kept = list((playing.journal.parent / "backups").glob("before-restore-*"))
    assert len(kept) == 1


@pytest.mark.wide
def test_a_refusal_stands_at_the_form(
    company: Callable[..., Company], open_browser: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    there = company("robby_solo")
    there.evening.host.table.request(Ended(), HOST_AUTHOR)
    page = open_browser().new_page()
    sign_in(page, there.address, there.evening.host.journal.path.parent)
    (tmp_path / "holiday.zip").write_bytes(b"sea")
    look_into(page, tmp_path / "holiday.zip")
    refusal = page.locator("#upload .refusal")
    expect(refusal).to_have_text("holiday.zip is not a backup of the companion.")
    expect(refusal).to_be_in_viewport()


@pytest.mark.wide
def test_every_host_sees_what_is_being_done(
    company: Callable[..., Company], open_browser: Callable[..., BrowserContext]
) -> None:
    there = company("robby_solo")
    there.evening.host.table.request(Ended(), HOST_AUTHOR)
    page = open_browser().new_page()
    sign_in(page, there.address, there.evening.host.journal.path.parent)
    coming = there.safe.begin_upload("old.zip")
    expect(page.locator("#backup .doing")).to_contain_text("being sent to the table")
    coming.abort_upload()
    expect(page.locator("#backup")).to_contain_text("The upload was broken off")
    expect(page.get_by_role("button", name="Download a backup")).to_be_visible()


@pytest.mark.wide
def test_what_is_asked_before_a_restore_fits_and_can_be_used_by_everyone(
    open_browser: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    box = Strongbox(tmp_path)
    assert box.sends(box.packed()).status == 204
    for language in LANGUAGES:
        context = open_browser(bypass_csp=True, reduced_motion="reduce", locale=language)
        name, _, value = box.head["Cookie"].partition("=")
        context.add_cookies([{"name": name, "value": value, "url": box.served.address}])
        page = context.new_page()
        page.goto(f"{box.served.address}/host/care")
        expect(page.locator("#backup .agree button")).to_be_visible()
        unfold(page)
        looks_right(page)
        assert violations(page) == []
    box.shut()
