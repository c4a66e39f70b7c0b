"""Two worlds that differ only in what a viewer may not know look the same to that viewer.

Every byte counts: the page, and the fragment that the stream sends. And the worlds must differ:
whoever may know sees the difference.
"""

import re
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from companion.core.commitment import make_seal
from companion.core.deck import Deck
from companion.core.events import Event, Opened, Sealed
from companion.core.table_events import Undone
from companion.games import make_rulebook
from companion.games.bankueberfall.state import (
    BankChosen,
    CardNamed,
    CardPlaced,
    CardSpied,
    TileTurned,
)
from companion.journal import Journal
from companion.seating.seats import Seats
from companion.table.permissions import Author
from companion.table.table import Table
from tests.worlds.stream_text import full_state
from tests.worlds.visitor import NONCE, Visitor
from tests.worlds.watched_table import Watched
from web.app import create_app
from web.context import CONTEXT_KEY, AppContext
from web.rendering.screens import Screen
from web.server.broadcast import DATA_PAGE

PLAYERS = ("Ana", "Ben", "Cleo")
PUBLIC = re.compile('"seal":"[0-9a-f]{64}"')
"""A seal is public once all hands are closed, and tells nothing without its nonce."""
READER = Author(0, "reader 1")


@pytest.fixture
def screens_after(tmp_path: Path) -> Iterable[Callable[..., list[bytes]]]:
    """What table, Ana, Ben and Cleo see after these events, every byte of it."""
    journals = []

    def look(*events: Event) -> list[bytes]:
        journals.append(Journal(tmp_path / f"{len(journals)}.sqlite3"))
        rules = make_rulebook("bankueberfall")
        table = Table(rules, journals[-1], Deck({}), lambda: 0.0)
        assert table.start(rules.start_event(id="g", players=PLAYERS), Author(0, "table")) is None
        for event in events:
            author = Author(getattr(event, "seat", 0), "phone")
            refused = table.request(event, READER if isinstance(event, CardNamed) else author)
            assert refused is None, refused
        return seen(table)

    yield look
    for journal in journals:
        journal.close()


def seen(table: Table) -> list[bytes]:
    app = create_app(AppContext(table, Seats(open_house=True)))
    found = []
    for seat in range(len(PLAYERS) + 1):
        visitor = Visitor(app)
        if seat:
            visitor.sits(seat)
        page = "phone" if seat else "table"
        screens = (Screen(page, seat, "en"), Screen("judge", 0, "en"), Screen(DATA_PAGE, seat, ""))
        streams = "".join(
            full_state(app, app.extensions[CONTEXT_KEY], screen) for screen in screens
        )
        pages = [visitor.get(where).data for where in (f"/{page}", "/", "/judge")]
        found.append(b"".join((*pages, PUBLIC.sub("", streams).encode())))
    return found


@pytest.fixture
def watched(tmp_path: Path) -> Iterable[Callable[..., list[bytes]]]:
    """What everybody sees of a table with readers at which this was done."""
    tables = []

    def look(story: Callable[..., object], *facts: object) -> list[bytes]:
        tables.append(Watched(tmp_path / f"watched {len(tables)}.sqlite3"))
        story(tables[-1], *facts)
        return seen(tables[-1].table)

    yield look
    for table in tables:
        table.journal.close()


def differ(here: list[bytes], there: list[bytes]) -> list[int]:
    """The viewers who can tell the worlds apart; 0 is the table screen."""
    return [viewer for viewer, (a, b) in enumerate(zip(here, there, strict=True)) if a != b]


def test_a_card_laid_face_down_is_known_to_whoever_laid_it(screens_after):
    def laid(card: str) -> tuple[Event, ...]:
        return TileTurned(1, "place"), CardPlaced(1, 3, card)

    assert differ(screens_after(*laid("thief")), screens_after(*laid("10"))) == [1]


def test_a_card_that_only_a_reader_saw_is_known_to_nobody(screens_after):
    assert (
        differ(screens_after(CardNamed(2, 1, "thief")), screens_after(CardNamed(2, 1, "10"))) == []
    )


def test_a_card_that_was_spied_is_known_to_the_spy(screens_after):
    def spied(card: str) -> tuple[Event, ...]:
        return CardNamed(2, 1, card), TileTurned(1, "spy"), CardSpied(1, 2, 1)

    assert differ(screens_after(*spied("thief")), screens_after(*spied("10"))) == [1]


def closed(*bids: int) -> list[Event]:
    hands = [Sealed(n, make_seal("g", 1, n, bid, NONCE)) for n, bid in enumerate(bids, 1)]
    return [CardNamed(2, 1, "5"), TileTurned(1, "rob"), BankChosen(1, 2), *hands]


def test_a_closed_hand_looks_like_any_other(screens_after):
    assert differ(screens_after(*closed(1, 2)), screens_after(*closed(7, 9))) == []


def test_an_opened_hand_is_not_shown_before_all_are_open(screens_after):
    """What was opened is in the journal, and shown when the last hand is open."""

    def opened(ana: int) -> list[Event]:
        return [*closed(ana, 2, 3), Opened(1, ana, NONCE)]

    assert differ(screens_after(*opened(1)), screens_after(*opened(7))) == []


def test_the_verdict_shows_everyone_that_the_worlds_did_differ(screens_after):
    def revealed(ana: int) -> list[Event]:
        bids = (ana, 2, 3)
        return [*closed(*bids), *(Opened(n, bid, NONCE) for n, bid in enumerate(bids, 1))]

    assert differ(screens_after(*revealed(1)), screens_after(*revealed(7))) == [0, 1, 2, 3]


def test_closing_a_hand_again_shows_on_no_screen(screens_after):
    again = Sealed(1, make_seal("g", 1, 1, 7, NONCE))
    assert differ(screens_after(*closed(1, 2)), screens_after(*closed(1, 2), again)) == []


# Besides the game: to-dos, the log, undo, the judge, the seat's button.


def missing(table: Watched, card: str) -> None:
    """A card that only a reader saw is lifted, and cannot be found."""
    table.lay(card, 2)
    table.clear(2)


def too_many(table: Watched, card: str) -> None:
    """While no card is to be laid, one is."""
    for thing in ("5", card):
        table.lay(thing, 2)


def astray(table: Watched, card: str) -> None:
    """A card from bank 2 lies at bank 3."""
    table.lay("5", 3)
    table.lay_tag(table.lay(card, 2), 3)


@pytest.mark.parametrize("story", [missing, too_many, astray])
def test_a_to_do_names_no_card_that_lies_face_down(watched, story):
    here = watched(story, "thief")
    assert b'class="note todo"' in here[0]
    assert differ(here, watched(story, "10")) == []


@pytest.mark.parametrize("way", ["cards", "log", "hand"])
def test_how_a_difference_was_settled_names_no_card(watched, way):
    def settled(table: Watched, card: str) -> None:
        too_many(table, card)
        table.settle(2, way)

    assert differ(watched(settled, "thief"), watched(settled, "10")) == []


def test_the_log_says_who_looked_at_a_card_and_not_which(watched):
    def spied(table: Watched, card: str) -> None:
        table.lay(card, 2)
        table.do(1, 'tile_turned seat=1 tile="spy"', "card_spied seat=1 bank=2 slot=1")
        table.do(2, Undone(table.table.version))

    assert differ(watched(spied, "thief"), watched(spied, "10")) == [1]


def robbed(table: Watched, *bids: int) -> None:
    for bank in range(1, 6):
        table.settle(bank, "hand")
    table.do(1, 'tile_turned seat=1 tile="rob"', "bank_chosen seat=1 bank=2").close(*bids)


def test_an_undone_opening_stays_unknown_to_the_others(watched):
    def undone(table: Watched, bid: int) -> None:
        robbed(table, bid, 2, 3)
        table.do(1, Opened(1, bid, NONCE)).do(2, Undone(table.table.version))

    assert differ(watched(undone, 1), watched(undone, 7)) == [1]


@pytest.mark.parametrize("times", range(5))
def test_that_a_hand_was_closed_again_shows_in_no_log(watched, times):
    """However long ago it was first closed."""

    def closed_again(table: Watched, again: bool) -> None:
        robbed(table, 1, 2)
        for _ in range(times):
            table.do(3, "frozen seat=3", "thawed")
        if again:
            table.do(1, Sealed(1, make_seal("g1", 1, 1, 9, NONCE)))

    assert differ(watched(closed_again, False), watched(closed_again, True)) == []


def test_a_button_wakes_its_own_seat_only(watched):
    def pressed(table: Watched, seats: tuple[int, ...]) -> None:
        for seat in seats:
            table.press(seat)

    assert differ(watched(pressed, ()), watched(pressed, (2,))) == [2]


def test_the_key_of_another_phone_tells_nothing(tmp_path: Path):
    table = Watched(tmp_path / "journal.sqlite3")
    table.do(1, 'tile_turned seat=1 tile="place"')
    app = create_app(AppContext(table.table))
    answers = []
    for key in ("used", "unused"):
        ana, ben = Visitor(app), Visitor(app)
        ana.sits(1)
        ana.asks("card_placed", bank=1, key="used")
        ben.sits(2)
        answers.append(ben.asks("card_placed", bank=1, key=key).data)
        ben.sits(3)
    assert answers[0] == answers[1]
    table.journal.close()
