"""A page is in the language that was chosen for its browser, else in the one that it asks for."""

import re

import pytest

from web.context import CONTEXT_KEY, AppContext

ASKED = (
    ("fr-CH, fr;q=0.9, en;q=0.8", "fr"), ("en-GB", "en"), ("tlh", "de"), ("tlh, de;q=0.1", "de"),
    ("*", "de"), ("", "de"), (";;q=", "de"),
)  # fmt: skip
"""What browsers ask for, and what they get at a German table."""


@pytest.fixture
def context(app) -> AppContext:
    return app.extensions[CONTEXT_KEY]


def spoken(visitor, path, asked):
    """Return the languages of the page that a browser with this preference sees."""
    page = visitor.get(path, headers={"Accept-Language": asked})
    return re.findall(r'<html lang="(..)">', page.text)


def test_a_page_is_in_the_language_that_its_browser_asks_for(visit, context):
    context.settings.language = "de"
    ana = visit(1)
    for asked, told in ASKED:
        for path in ("/", "/phone/1", "/judge", "/judge/case", "/nowhere"):
            assert spoken(ana, path, asked) == [told], (path, asked)
        assert spoken(ana, "/table", asked) == ["de"], "it follows the table"


def test_a_language_once_chosen_is_kept_whatever_the_browser_asks_for(visit, context):
    ana = visit(1)
    ana.post("/api/join/language", language="de")
    assert spoken(ana, "/phone/1", "fr") == spoken(ana, "/table", "fr") == ["de"]
    assert spoken(visit(), "/", "fr") == ["fr"]


def test_a_table_that_was_told_its_language_speaks_it_to_every_browser(visit, context):
    context.settings.language, context.settings.asks_browser = "fr", False
    assert spoken(visit(), "/", "de") == ["fr"]
