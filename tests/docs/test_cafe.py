"""The page for the operator: every button and every word that it names is one of the pages."""

import re

from babel.messages.pofile import read_po

from tests.worlds.paths import ROOT

CATALOGUE = ROOT / "companion/locale/de/LC_MESSAGES/companion.po"
ASKED_AGAIN = ": yes, now"


def test_what_the_first_page_calls_a_button_is_called_so() -> None:
    page = (ROOT / "docs/cafe.md").read_text("utf-8")
    first = page.partition("## Two minutes")[2].partition("\n## ")[0]
    with CATALOGUE.open("rb") as file:
        texts = {text.id for text in read_po(file)}
    assert f"{{act}}{ASKED_AGAIN}" in texts
    named = {" ".join(name.split()) for name in re.findall(r"(?<!\*)\*([^*]+)\*(?!\*)", first)}
    assert {"Next group", "Switch off", "Back up all tables", "Call answered"} < named
    assert {
        name for name in named if name.removesuffix(ASKED_AGAIN).removesuffix(" …") not in texts
    } == set()
