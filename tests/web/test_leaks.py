"""Two worlds that differ only in what a viewer may not know look the same to that viewer.

Every byte counts: the page, and the fragment that the stream sends. And the worlds must differ:
whoever may know sees the difference.
"""

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from companion.deck import Deck
from companion.door import Author
from companion.events import Event, Opened, Sealed
from companion.games import rulebook
from companion.games.bankueberfall.state import (
    BankChosen,
    CardNamed,
    CardPlaced,
    CardSpied,
    TileTurned,
)
from companion.journal import Journal
from companion.sealed import seal
from companion.table import Table
from tests.web.visitor import NONCE, Visitor
from web import create_app
from web.room import ROOM
from web.screens import Screen, fragment

PLAYERS = ("Ana", "Ben", "Cleo")
READER = Author(0, "reader 1")


@pytest.fixture
def world(tmp_path: Path) -> Iterable[Callable[..., list[bytes]]]:
    """What table, Ana, Ben and Cleo see after these events, every byte of it."""
    journals = []

    def look(*events: Event) -> list[bytes]:
        journals.append(Journal(tmp_path / f"{len(journals)}.sqlite3"))
        rules = rulebook("bankueberfall")
        table = Table(rules, journals[-1], Deck({}), lambda: 0.0)
        assert table.start(rules.started(id="g", players=PLAYERS), Author(0, "table")) is None
        for event in events:
            author = Author(getattr(event, "seat", 0), "phone")
            refused = table.request(event, READER if isinstance(event, CardNamed) else author)
            assert refused is None, refused
        return seen(table)

    yield look
    for journal in journals:
        journal.close()


def seen(table: Table) -> list[bytes]:
    app = create_app(table)
    found = []
    for seat in range(len(PLAYERS) + 1):
        visitor = Visitor(app)
        if seat:
            visitor.post(f"/seats/{seat}")
        page = "phone" if seat else "table"
        stream = fragment(app, app.extensions[ROOM], Screen(page, seat, "en"))
        found.append(visitor.get(f"/{page}").data + stream.encode())
    return found


def differ(here: list[bytes], there: list[bytes]) -> list[int]:
    """The viewers who can tell the worlds apart; 0 is the table screen."""
    return [viewer for viewer, (a, b) in enumerate(zip(here, there, strict=True)) if a != b]


def test_a_card_laid_face_down_is_known_to_whoever_laid_it(world):
    def laid(card: str) -> tuple[Event, ...]:
        return TileTurned(1, "place"), CardPlaced(1, 3, card)

    assert differ(world(*laid("thief")), world(*laid("10"))) == [1]


def test_a_card_that_only_a_reader_saw_is_known_to_nobody(world):
    assert differ(world(CardNamed(2, 1, "thief")), world(CardNamed(2, 1, "10"))) == []


def test_a_card_that_was_spied_is_known_to_the_spy(world):
    def spied(card: str) -> tuple[Event, ...]:
        return CardNamed(2, 1, card), TileTurned(1, "spy"), CardSpied(1, 2, 1)

    assert differ(world(*spied("thief")), world(*spied("10"))) == [1]


def closed(*bids: int) -> list[Event]:
    hands = [Sealed(n, seal("g", 1, n, bid, NONCE)) for n, bid in enumerate(bids, 1)]
    return [CardNamed(2, 1, "5"), TileTurned(1, "rob"), BankChosen(1, 2), *hands]


def test_a_closed_hand_looks_like_any_other(world):
    assert differ(world(*closed(1, 2)), world(*closed(7, 9))) == []


def test_an_opened_hand_is_not_shown_before_all_are_open(world):
    """What was opened is in the journal, and shown when the last hand is open."""

    def opened(ana: int) -> list[Event]:
        return [*closed(ana, 2, 3), Opened(1, ana, NONCE)]

    assert differ(world(*opened(1)), world(*opened(7))) == []


def test_the_verdict_shows_everyone_that_the_worlds_did_differ(world):
    def revealed(ana: int) -> list[Event]:
        bids = (ana, 2, 3)
        return [*closed(*bids), *(Opened(n, bid, NONCE) for n, bid in enumerate(bids, 1))]

    assert differ(world(*revealed(1)), world(*revealed(7))) == [0, 1, 2, 3]


def test_nobody_notices_that_a_hand_was_closed_again(world):
    again = Sealed(1, seal("g", 1, 1, 7, NONCE))
    assert differ(world(*closed(1, 2)), world(*closed(1, 2), again)) == []
