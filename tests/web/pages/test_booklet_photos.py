"""Photographs of the booklet: added by a host, seen by hosts and on the Pi's own screen alone."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.host.booklet_photos import MOST_BYTES, MOST_PHOTOS, BookletPhotos
from tests.worlds.backup_table import Answer, Strongbox
from tests.worlds.photographs import jpeg, segment
from tests.worlds.visitor import Visitor
from web.context import CONTEXT_KEY

EXIF = segment(0xE1, b"Exif\0\0GPS 48.2082 N")
FILE = {"Content-Type": "application/octet-stream"}
ELSEWHERE = {"REMOTE_ADDR": "192.168.4.7"}


class Shelf(Strongbox):
    """A table at which the booklet is photographed."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.photos = BookletPhotos(folder / "booklet")
        self.app.extensions[CONTEXT_KEY].booklet = self.photos

    def adds(self, data: bytes, rule: str = "B.pay") -> Answer:
        return self.posts(f"booklet/photos?name={rule}.jpg", data, **FILE)

    def names(self) -> list[str]:
        return [name for names in self.photos.list_by_rule().values() for name in names]

    def sees(self, page: str, is_host: bool = True, **how: Any) -> Any:
        """A page as the host sees it, or a guest on another device."""
        guest = Visitor(self.app)
        cookie = self.head["Cookie"].removeprefix("companion=")
        if is_host:
            guest.client.set_cookie("companion", cookie, domain="localhost")
        return guest.client.get(page, base_url="http://localhost", environ_overrides=how or None)


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    made = Shelf(tmp_path)
    yield made
    made.served.shut()
    made.watched.table.close()


def test_a_photo_stands_beside_its_rule_and_tells_nothing_of_the_camera(shelf: Shelf) -> None:
    assert shelf.adds(jpeg(EXIF)).status == 204
    (name,) = shelf.names()
    page = shelf.sees("/rules/bankueberfall", **ELSEWHERE).text
    entry = page[page.index('<div id="B.pay">') :]
    assert f'src="/rules/photos/{name}"' in entry[: entry.index("</div>")]
    photo = shelf.sees(f"/rules/photos/{name}", **ELSEWHERE)
    assert (photo.content_type, photo.data) == ("image/jpeg", jpeg())
    assert photo.headers["Cache-Control"] == "no-store"
    (kept,) = (shelf.folder / "booklet").iterdir()
    assert (kept.read_bytes(), kept.stat().st_mode & 0o777) == (jpeg(), 0o600)


def test_no_guest_sees_a_photo_and_the_screen_of_the_pi_does(shelf: Shelf) -> None:
    shelf.adds(jpeg())
    (name,) = shelf.names()
    for page, seen in ((f"/rules/photos/{name}", 200), ("/rules/photos/../journal.sqlite3", 404)):
        assert shelf.sees(page, is_host=False).status_code == seen
        assert shelf.sees(page, is_host=False, **ELSEWHERE).status_code == 404
    told = shelf.sees("/rules/bankueberfall", is_host=False, **ELSEWHERE).text
    assert "data-photo" not in told
    assert name not in told
    on_the_pi = shelf.sees("/rules/bankueberfall", is_host=False).text
    assert name in on_the_pi
    assert "data-photo" not in on_the_pi, "only a host changes them"


def test_a_host_removes_a_photo(shelf: Shelf) -> None:
    shelf.adds(jpeg())
    (name,) = shelf.names()
    assert shelf.asks("booklet/remove", name=name).status == 204
    assert shelf.names() == []
    for gone in (name, "../journal.sqlite3", "B.pay-00000000.jpg"):
        assert shelf.asks("booklet/remove", name=gone).status == 409
    assert (shelf.folder / "journal.sqlite3").exists()


@pytest.mark.parametrize(
    ("data", "rule", "said"),
    [
        (b"GIF89a", "B.pay", "not a photo in JPEG format"),
        (jpeg() + bytes(MOST_BYTES), "B.pay", "too large"),
        (jpeg(), "B.pais", "no such rule"),
        (jpeg(), "../../evil", "no such rule"),
    ],
)
def test_what_cannot_be_kept_is_refused(shelf: Shelf, data: bytes, rule: str, said: str) -> None:
    answer = shelf.adds(data, rule)
    assert answer.status == 409
    assert said in answer.says()
    assert shelf.names() == []
    assert shelf.adds(jpeg()).status == 204, "the next one is taken"


def test_only_so_many_are_kept(shelf: Shelf) -> None:
    for _ in range(MOST_PHOTOS):
        assert shelf.adds(jpeg()).status == 204
    assert "remove one first" in shelf.adds(jpeg()).says()
    assert len(shelf.names()) == MOST_PHOTOS


def test_who_asks_for_another_upload_does_not_lose_the_one_that_comes(shelf: Shelf) -> None:
    coming = shelf.photos.begin_upload("B.pay.jpg")
    assert coming is not None
    coming.write(jpeg())
    refused = shelf.photos.accept_upload("another")
    assert refused is not None
    assert refused.code == "no_photo"
    assert shelf.photos.accept_upload(coming.id) is None
    assert len(shelf.names()) == 1


def test_a_stranger_adds_and_removes_nothing(shelf: Shelf) -> None:
    shelf.adds(jpeg())
    (name,) = shelf.names()
    cookie, shelf.signer = shelf.stranger()
    shelf.head["Cookie"] = cookie
    assert shelf.adds(jpeg()).status in (401, 403)
    assert shelf.asks("booklet/remove", name=name).status in (401, 403)
    assert shelf.names() == [name]


def test_no_backup_has_a_photo(shelf: Shelf) -> None:
    shelf.adds(jpeg())
    (name,) = shelf.names()
    packed = shelf.packed()
    assert name.encode() not in packed
    assert b"booklet" not in packed
