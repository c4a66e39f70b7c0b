"""A host photographs the booklet in a real browser: drawn anew, stripped, and seen by the host."""

from base64 import b64decode
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Page, expect

from companion.core.jpeg import strip_jpeg
from companion.host.booklet_photos import BookletPhotos
from tests.browser.test_backup import sign_in
from tests.worlds.axe import violations
from tests.worlds.photographs import segment
from tests.worlds.served_bot_table import Company

DRAW = """() => {
  const canvas = Object.assign(document.createElement("canvas"), { width: 3000, height: 2000 });
  const pen = canvas.getContext("2d");
  pen.fillStyle = "red";
  pen.fillRect(0, 0, 1500, 2000);
  return canvas.toDataURL("image/jpeg", 0.9).split(",")[1];
}"""
SIZE = """(image) => image.decode().then(() => [image.naturalWidth, image.naturalHeight])"""
PLACE = b"Exif\0\0GPS 48.2082 N"


def photographed(page: Page, folder: Path) -> Path:
    """A photo of the size that cameras make, with the place in it."""
    data = b64decode(page.evaluate(DRAW))
    file = folder / "DSC_0001.JPG"
    file.write_bytes(data[:2] + segment(0xE1, PLACE) + data[2:])
    return file


def test_a_photo_is_added_at_a_rule_and_removed(
    company: Callable[..., Company], open_browser: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    there = company("bankueberfall")
    photos = there.room.booklet = BookletPhotos(tmp_path / "booklet")
    page = open_browser().new_page()
    page.goto(f"{there.address}/host")
    sign_in(page, there.evening.host.pin.renew_pin())
    page.get_by_role("link", name="Photos of your booklet").click()
    page.wait_for_url("**/rules/bankueberfall*")
    page.get_by_label("Add a photo of your booklet: B.pay", exact=True).set_input_files(
        photographed(page, tmp_path)
    )
    shown = page.get_by_alt_text("Photo of your booklet: B.pay", exact=True)
    expect(shown).to_be_visible()
    assert shown.evaluate(SIZE) == [1600, 1067]
    ((name,),) = photos.list_by_rule().values()
    kept: Any = photos.read(name)
    assert PLACE not in kept
    assert strip_jpeg(kept) == kept
    assert violations(page) == []
    guest = open_browser().new_page()
    guest.goto(f"{there.address}/rules/bankueberfall")
    expect(guest.get_by_label("Add a photo of your booklet: B.pay", exact=True)).to_have_count(0)
    page.get_by_role("button", name="Remove this photo: B.pay", exact=True).click()
    expect(shown).to_have_count(0)
    assert photos.list_by_rule() == {}


def test_what_is_no_photo_is_refused_in_sight(
    company: Callable[..., Company], open_browser: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    there = company("bankueberfall")
    there.room.booklet = BookletPhotos(tmp_path / "booklet")
    page = open_browser().new_page()
    page.goto(f"{there.address}/host")
    sign_in(page, there.evening.host.pin.renew_pin())
    page.goto(f"{there.address}/rules/bankueberfall")
    (tmp_path / "song.mp3").write_bytes(b"sea")
    page.get_by_label("Add a photo of your booklet: B.pay", exact=True).set_input_files(
        tmp_path / "song.mp3"
    )
    expect(page.locator("#photo-refusal")).to_contain_text("not a photo in JPEG format")
