"""Whoever looks over the host's shoulder learns no sticker, no pin and no folder.

Every byte counts: page, stream, API, and the table screen.
"""

import re
from pathlib import Path

from companion.app.settings import deck_path
from companion.core.deck import Deck
from companion.games import make_rulebook
from companion.setup.deck_file import load_deck
from tests.worlds.fresh_table import CARD, CLASSIC, OTHER, STRANGER, Fresh, host, sticker_uid
from tests.worlds.stream_text import full_state
from tests.worlds.visitor import Visitor
from web.context import CONTEXT_KEY
from web.rendering.scene import Screen

BOX = make_rulebook("bankueberfall").box
SLOT = re.compile(
    r"(?:\\n)?<i class=.{0,2}(?:slot|sticker).{0,2}>\d?</i>|slot \d of the jig|\"slot\":\d"
)
"""Where the next sticker goes is told to the host, who glues it; it follows from the salt."""
SENSED = ("banks", "buttons", "lamps", "stickers", "check")


def told(table: Fresh) -> list[str]:
    """Return the texts of every step, with mistakes on the way."""
    ana = host(table)
    with ana.client.session_transaction(base_url="http://localhost") as cookie:
        screen = Screen("first", 0, "en", cookie["browser"])
    found: list[str] = []

    def look() -> None:
        pages = ("/first", "/api/host/first", "/table")
        found.extend(ana.get(page).text for page in pages)
        found.append(full_state(table.app, table.app.extensions[CONTEXT_KEY], screen))

    for step in ("wiring", *SENSED, "done"):
        ana.at(step)
        for what in ("asked", "wrong", "asked", "off", "asked") if step in SENSED else ():
            table.does(what)
            look()
        found.append(ana.calls("first/step", step="nowhere").text)
        found.append(ana.calls("first/act", step=step, act="renew").text)
        look()
    return [SLOT.sub("", one) for one in found]


def kept(folder: Path) -> Deck:
    """The stickers that this table has learnt."""
    return load_deck(deck_path(BOX.game, folder), BOX)


def test_tables_that_differ_in_their_marks_and_folders_tell_the_same(fresh, tmp_path):
    here, there = told(fresh("here")), told(fresh("there"))
    assert here == there
    assert kept(tmp_path / "here").things != kept(tmp_path / "there").things
    said, deck = "".join(there), kept(tmp_path / "there")
    assert "Found: place 1." in said
    assert "Enrolled: " in said
    tags = [sticker_uid(n) for n in range(sum(BOX.tagged_pieces().values()))]
    secrets = [*tags, CARD, OTHER, CLASSIC, STRANGER, *deck.things, deck.salt, str(tmp_path)]
    assert [one for one in (*secrets, "mux:", "spidev", "GPIO") if one in said] == []


def test_a_guest_is_told_nothing_of_it(fresh):
    table = fresh()
    guest = Visitor(table.app)
    host(table).at("banks")
    before = guest.get("/table").text + guest.get("/first/enter").text
    table.does()
    assert table.first.view().done == 1
    assert guest.get("/table").text + guest.get("/first/enter").text == before
