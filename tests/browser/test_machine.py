"""The host's page with versions on offer and under way: all of it can be read on a small phone."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.caretaker.desk import ErrandDesk
from companion.caretaker.errands import InstallRelease
from companion.caretaker.report import ReleaseOffer, Report, claim_work, write_report
from tests.browser.conftest import LANGUAGES
from tests.browser.test_host import looks_right, sign_in, unfold
from tests.browser.test_page_behaviour import TOO_WIDE
from tests.worlds.axe import violations
from tests.worlds.served_bot_table import Company

SMALLEST = {"width": 360, "height": 640}
ADDRESS = "https://updates.companion-of-the-table.example.org/releases-of-this-year"
ASKED = InstallRelease("stick", "1.3.0")
CASES = ("Banque Fatale, evening of 12 May, moment 214: seat 2 is paid 30, not 20 (BF-5.2).",)
OFFERS = (
    ReleaseOffer("stick", "1.3.0"), ReleaseOffer("repository", "1.2.0"),
    ReleaseOffer("sent", "1.1.0", is_older=True),
)  # fmt: skip
REPORTS = {
    "offers": Report(offers=OFFERS, ended="done"),
    "at work": Report(doing="look", fetched=40),
    "to agree to": Report(asked=ASKED, ended="agree", cases=CASES, missing=("goofspiel",)),
}


class Desk(ErrandDesk):
    """A desk with folders of its own, which says what the test has root report."""

    def __init__(self, folder: Path) -> None:
        self.reports = folder / "reports"
        for name in ("asked", "reports", "home/versions"):
            (folder / name).mkdir(parents=True)
        (folder / "home/previous").symlink_to("versions/old")
        super().__init__(
            "1.2.0", lambda: None, ADDRESS, 8000, folder / "asked", self.reports,
            folder / "sent.update", folder / "home",
        )  # fmt: skip

    def have(self, report: Report) -> AbstractContextManager[None]:
        """Have this reported; an errand is under way until the context ends."""
        write_report(self.reports, report)
        return claim_work(self.reports) if report.doing else nullcontext()


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "desk")


@pytest.fixture
def come(company: Callable[..., Company], open_browser, desk: Desk) -> Callable[[str], Page]:
    """The host signs in on a small phone."""

    def sign_in_there(lang: str) -> Page:
        table = company("robby_solo", language=lang)
        table.room.errands = desk
        return sign_in(open_browser(SMALLEST, bypass_csp=True), table)

    return sign_in_there


@pytest.mark.parametrize("lang", LANGUAGES)
def test_whatever_is_reported_can_be_read(come, desk, lang):
    page = come(lang)
    for name, report in REPORTS.items():
        with desk.have(report):
            page.reload()
            expect(page.locator("#machine [role=status], #machine b").first).to_be_visible()
            unfold(page)
            assert not page.evaluate(TOO_WIDE), name
            looks_right(page)
            assert violations(page) == [], name
            page.set_viewport_size(SMALLEST)


def test_what_is_ticked_for_an_older_version_stands_beside_its_box(come, desk):
    page = come("en")
    with desk.have(REPORTS["offers"]):
        page.reload()
    label = page.locator("#machine label", has=page.locator("input[name=older]"))
    words = label.get_by_text("I want the older version 1.1.0")
    around, text = label.bounding_box(), words.bounding_box()
    assert around is not None
    assert text is not None
    assert around["x"] < text["x"]
    assert text["x"] + text["width"] <= around["x"] + around["width"]
    words.click()
    expect(label.locator("input")).to_be_checked()
