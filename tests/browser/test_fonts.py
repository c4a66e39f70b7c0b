"""The fonts of the pages in a real browser: nothing waits for them, and nothing moves for them."""

import os

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import PHONE, SCREEN
from tests.worlds.served import Company

WIDTHS = """() => [...document.querySelectorAll('h1, h2, h3, p, a, button, summary, li, td')]
  .filter((one) => one.children.length === 0 && one.innerText?.trim().length > 9)
  .map((one) => { const text = document.createRange(); text.selectNodeContents(one);
    return [getComputedStyle(one).fontFamily.slice(0, 15),
      [...text.getClientRects()].reduce((sum, line) => sum + line.width, 0)]; })"""
HAS_SUBSTITUTE = """async () => {
  const named = (word) => [...document.fonts].filter((one) => one.family.includes(word));
  const loaded = async (faces) => (await Promise.allSettled(faces.map((one) => one.load())))
    .some((one) => one.status === 'fulfilled');
  return await loaded(named('Sans as')) && await loaded(named('Serif as')); }"""
"""Whether a font is there that the sheet knows how to stretch to the width of ours."""
SLIGHT = 0.04
"""The share by which all texts of a font together may become wider or narrower."""


@pytest.mark.parametrize(("path", "size"), [("/", PHONE), ("/judge", PHONE), ("/table", SCREEN)])
def test_texts_are_as_wide_before_the_fonts_arrive(company, open_browser, path, size):
    table: Company = company("bankueberfall", language="de")
    context = open_browser(size)
    held: list[Route] = []
    released = False

    def hold(route: Route) -> None:
        route.continue_() if released else held.append(route)

    context.route("**/fonts/*.woff2", hold)
    page = context.new_page()
    page.goto(table.address + path, wait_until="domcontentloaded")
    expect(page.locator("h1, h2, .now").first).to_be_visible()
    if not page.evaluate(HAS_SUBSTITUTE):
        assert os.environ.get("CI") != "true"
        pytest.skip("there is no font as wide as Arial or Roboto: apt install fonts-liberation")
    before = page.evaluate(WIDTHS)
    while not held:
        page.wait_for_timeout(20)  # The requests are told by another process.
    released = True
    for route in held:
        route.continue_()
    page.wait_for_function("() => document.fonts.size && document.fonts.status === 'loaded'")
    for family in ('"Companion Sans', '"Companion Seri'):
        widths = [
            sum(width for name, width in found if name.startswith(family))
            for found in (before, page.evaluate(WIDTHS))
        ]
        assert abs(widths[1] - widths[0]) <= SLIGHT * widths[0], (family, widths)
