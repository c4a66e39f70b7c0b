"""The try-it site: every link on it leads somewhere, and no page fetches from elsewhere."""

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from companion.core.i18n import LANGUAGES
from companion.games import game_names
from docs.site.make import make_site, slug

FETCHED = {"img": "src", "script": "src", "link": "href", "iframe": "src", "source": "src"}


class Page(HTMLParser):
    """The links of a page, its anchors, and what it fetches."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links, self.ids, self.fetched = list[str](), set[str](), list[str]()
        self.language = ""
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        self.ids |= {said["id"]} if "id" in said else set()
        self.language = said.get("lang", "") if tag == "html" else self.language
        if tag == "a" and "href" in said:
            self.links.append(said["href"])
        if said.get(FETCHED.get(tag, ""), ""):
            self.fetched.append(said[FETCHED[tag]])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site")
    make_site(out)
    return out


@pytest.mark.wide
def test_every_link_leads_to_a_file_of_the_site_and_to_a_heading_in_it(site: Path) -> None:
    pages = {path: Page(path) for path in site.rglob("*.html")}
    assert len(pages) > 30
    wrong = []
    for path, page in pages.items():
        for link in page.links:
            place, _, anchor = unquote(link).partition("#")
            if re.match(r"[a-z]+:", place):
                continue  # It is one of ELSEWHERE.
            target = (path.parent / place).resolve() if place else path
            known = pages.get(target)
            if not target.is_file() or (anchor and known and anchor not in known.ids):
                wrong.append(f"{path.relative_to(site)}: {link}")
    assert wrong == []


ELSEWHERE = {"https://github.com/RPi-Distro/pi-gen"}
"""Every address that a link of the site leads to; a person looks at a new one, then lists it."""


@pytest.mark.wide
def test_every_link_to_elsewhere_is_listed_and_can_be_an_address(site: Path) -> None:
    """Nothing is fetched: whether there is a page, a person has seen who listed it."""
    links = {link for path in site.rglob("*.html") for link in Page(path).links}
    assert {link for link in links if re.match("[a-z]+:", link)} == ELSEWHERE
    for link in ELSEWHERE:
        address = urlsplit(link)
        assert address.scheme == "https"
        assert address.hostname is not None
        assert re.fullmatch(r"(?:[a-z0-9-]+\.)+[a-z]{2,}", address.hostname)
        assert address.netloc == address.hostname, "neither a login nor a port"
        assert link.isascii()
        assert not re.search(r"\s|example|VERSION", link)


@pytest.mark.wide
def test_no_page_fetches_anything_from_elsewhere(site: Path) -> None:
    for path in site.rglob("*.html"):
        for place in Page(path).fetched:
            assert place.startswith("data:") or (path.parent / place).is_file(), (path, place)
        assert "default-src 'none'" in path.read_text("utf-8"), path


@pytest.mark.wide
def test_each_language_has_its_evenings_and_rules(site: Path) -> None:
    for code in LANGUAGES:
        assert Page(site / f"index.{code}.html").language == code
        for game in game_names():
            for folder in ("evenings", "rules"):
                assert Page(site / f"{folder}/{game}.{code}.html").language == code
    assert "Schiedsgericht" in (site / "index.de.html").read_text("utf-8")


def test_a_heading_is_named_as_links_name_it() -> None:
    assert slug("`companion.service`, line by line") == "companionservice-line-by-line"
    assert slug("What it does, in this order") == "what-it-does-in-this-order"
    assert slug("A [link](page.md) in it") == "a-link-in-it"
