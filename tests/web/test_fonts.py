"""The fonts of the pages: small, complete, kept for ever, and asked for once."""

import re
from unicodedata import category

import pytest
from fontTools.ttLib import TTFont

from tests.generators.fonts import FONTS, PAGE_FONTS, SHEET, all_texts
from web.static_files import find_file

KILOBYTES = 60
PICTURES = frozenset("✕◉⚖□▸◀▶♪♟⚠▾⚡°µ")
"""Signs that a device's own fonts draw."""
FILES = [FONTS / font.file for font in PAGE_FONTS]


def test_all_fonts_together_are_small():
    assert {path.name for path in FONTS.glob("*.woff2")} == {path.name for path in FILES}
    assert sum(path.stat().st_size for path in FILES) <= KILOBYTES * 1000


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_font_has_every_letter_of_our_texts(path):
    letters = {letter for text in all_texts() for letter in text}
    wanted = {letter for letter in letters if category(letter)[0] != "C"} - PICTURES
    assert wanted - set(map(chr, TTFont(path).getBestCmap())) == set()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_digits_are_equally_wide_and_as_high_as_capitals(path):
    font = TTFont(path)
    names, glyphs = font.getBestCmap(), font["glyf"]
    digits = [names[ord(digit)] for digit in "0123456789"]
    assert len({font["hmtx"][digit][0] for digit in digits}) == 1
    capital = glyphs[names[ord("H")]].yMax
    assert all(abs(glyphs[digit].yMax - capital) < 0.12 * capital for digit in digits)


@pytest.mark.parametrize("wanted", PAGE_FONTS, ids=lambda wanted: wanted.name)
def test_a_changed_font_bears_our_name_and_its_licence_stands_beside_it(wanted):
    name = TTFont(FONTS / wanted.file)["name"]
    assert name.getDebugName(1) == wanted.name
    assert name.getDebugName(6) == wanted.name.replace(" ", "")
    licence = (FONTS / f"OFL-{wanted.file.removesuffix('.woff2')}.txt").read_text("utf-8")
    assert licence.startswith("Copyright")
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence


def test_a_font_has_stand_ins_of_its_widths_and_lines():
    sheet, main = SHEET.read_text("utf-8"), SHEET.with_name("main.css").read_text("utf-8")
    for wanted in PAGE_FONTS:
        for likeness in wanted.likenesses:
            name = f'"{wanted.name} as {likeness.name}"'
            (face, *_) = re.findall(rf"font-family: {name};.*", sheet)
            for part in ("local(", "size-adjust", "ascent-override", "descent-override"):
                assert part in face
            assert re.search(rf'"{wanted.name}",.* {name}', main), "named after the font"
    assert sheet.count("font-display: swap") == len(PAGE_FONTS)


def test_a_font_is_asked_for_where_the_page_announces_it(visit):
    page = visit().get("/")
    announced = re.findall(r'rel="preload" href="([^"]+)" as="font"', page.text)
    sheet = SHEET.read_text("utf-8")
    assert len(announced) == len(PAGE_FONTS)
    for address in announced:
        file = find_file(address)
        assert file is not None
        assert file.headers["Content-Type"] == "font/woff2"
        assert not file.compressed, "it is packed as it is"
        assert f"url(../fonts/{address.rpartition('/')[2]})" in sheet
    assert "font-src 'self'" in page.headers["Content-Security-Policy"]
