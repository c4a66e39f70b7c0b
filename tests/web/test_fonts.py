"""The fonts of the pages: small, complete, and asked for once."""

import re
from unicodedata import category

from babel.messages.pofile import read_po

from tests.worlds.paths import ROOT
from web.static_files import find_file

FONTS, SHEETS = ROOT / "web/static/fonts", ROOT / "web/static/css"
SHEET = SHEETS / "fonts.css"
NAMES = {"sans.woff2": "Companion Sans", "serif.woff2": "Companion Serif"}
LETTERS = frozenset(
    {*map(chr, range(0x20, 0x7F)), *map(chr, range(0xA0, 0x180))}
    | set("ẞ–—‘’‚“”„†•…‰‹›⁄€™−×≤≥≠→←↑↓✓✗★▲▼●○◆\u2007\u2009\u2011\u202f")
)
"""What both fonts have: Latin-1 and the Latin letters after it, and the signs of our texts."""
PICTURES = frozenset("✕◉⚖□▸◀▶♪♟⚠▾⚡°µ")
"""Signs that a device's own fonts draw."""


def test_the_fonts_have_every_letter_of_our_texts():
    used = set[str]()
    for path in (ROOT / "companion").glob("**/LC_MESSAGES/*.po"):
        with path.open("rb") as file:
            for entry in read_po(file):
                for text in (entry.id, entry.string):
                    used |= set("".join((text,) if isinstance(text, str) else text))
    assert {one for one in used if category(one)[0] != "C"} - PICTURES - LETTERS == set()


def test_a_font_is_asked_for_where_the_page_announces_it(visit):
    page = visit().get("/")
    announced = re.findall(r'rel="preload" href="([^"]+)" as="font"', page.text)
    sheet = SHEET.read_text("utf-8")
    assert len(announced) == len(NAMES)
    for address in announced:
        file = find_file(address)
        assert file is not None
        assert file.headers["Content-Type"] == "font/woff2"
        assert not file.compressed, "it is packed as it is"
        assert f"url(../fonts/{address.rpartition('/')[2]})" in sheet
    assert "font-src 'self'" in page.headers["Content-Security-Policy"]
