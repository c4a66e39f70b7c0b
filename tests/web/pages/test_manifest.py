"""The web app: its manifest in the language of the browser, its icons, and what pages say of it."""

import struct
from collections.abc import Callable

import pytest

from tests.worlds.visitor import Visitor
from web.static_files import find_file

Visit = Callable[..., Visitor]
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.mark.parametrize(("language", "name"), [("en", "Table"), ("fr", "Table"), ("de", "Tisch")])
def test_the_manifest_is_in_the_language_of_the_browser(
    visit: Visit, language: str, name: str
) -> None:
    answer = visit().get("/manifest.webmanifest", headers={"Accept-Language": language})
    assert answer.content_type == "application/manifest+json"
    told = answer.json
    assert told is not None
    assert (told["short_name"], told["lang"]) == (name, language)
    assert (told["display"], told["start_url"], told["scope"]) == ("standalone", "/", "/")
    assert {icon["purpose"] for icon in told["icons"]} == {"any", "maskable"}
    for icon in told["icons"]:
        picture = find_file(icon["src"])
        assert picture is not None
        assert picture.headers["Content-Type"] == "image/png"
        assert picture.plain.startswith(PNG)
        width, height = struct.unpack(">II", picture.plain[16:24])
        assert f"{width}x{height}" == icon["sizes"]
