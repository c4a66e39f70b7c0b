"""A backup in a real browser: downloaded, put back, and the same table begins anew."""

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import Playing
from tests.worlds.real_pages import become_host


def sign_in(page: Page, address: str, folder: Path) -> None:
    become_host(page, address, folder)
    page.goto(f"{address}/host/care")
    expect(page.locator("#backup")).to_be_visible()


def end_the_game(page: Page) -> None:
    page.get_by_role("link", name="Host").click()
    page.locator("#end > summary").click()
    page.get_by_role("button", name="End this game").click()
    page.get_by_role("link", name="Care").click()
    expect(page.get_by_role("button", name="Download a backup")).to_be_visible()


def look_into(page: Page, file: Path) -> None:
    page.get_by_text("Restore a backup", exact=True).click()
    page.locator("#backup-file").set_input_files(file)
    page.get_by_role("button", name="Show what is in it").click()


@pytest.mark.wide
def test_a_backup_is_downloaded_and_put_back(
    play: Callable[..., Playing], open_browser: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    playing = play("--pace", "still")
    folder, page = playing.folder, open_browser().new_page()
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
    page.get_by_role("button", name="Restore a backup").click()
    page.wait_for_url("**/host/enter*")
    sign_in(page, playing.address, folder)
    expect(page.locator("#backup")).to_contain_text("The backup is restored.")
    assert playing.process.poll() is None, "it is the same process"
    kept = list((playing.folder / "backups").glob("before-restore-*"))
    assert len(kept) == 1
