"""What goes on at the table besides the game, on every page, and the buttons that settle it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.core.i18n import LANGUAGES, get_language
from tests.worlds.named_keys import named_seats
from tests.worlds.visitor import Visitor
from tests.worlds.watched_table import Watched
from web.app import create_app
from web.context import AppContext


@pytest.fixture
def table_with_fives(tmp_path: Path) -> Iterator[Watched]:
    """Three players; a card lies at each bank."""
    made = Watched(tmp_path / "journal.sqlite3")
    for bank in range(1, 6):
        made.lay("5", bank)
    yield made
    made.journal.close()


@pytest.fixture
def visit(table_with_fives: Watched) -> Callable[..., Visitor]:
    app = create_app(AppContext(table_with_fives.table, named_seats(open_house=True)))

    def come(seat: int = 0) -> Visitor:
        visitor = Visitor(app)
        if seat:
            visitor.sits(seat)
        return visitor

    return come


PAGES = ("/phone", "/table")
"""The join page tells a newcomer nothing of the game under way, but that it has been ended."""


# To-dos.


def test_a_table_without_any_reader_is_not_told_so(visit, table_with_fives):
    for bank in range(1, 5):
        table_with_fives.lose(bank)
    assert "Bank 3 and Bank 4: enter cards on a phone." in visit().reads("/table")
    table_with_fives.lose(5)
    assert "enter cards on a phone" not in visit().reads("/table")


# The log.


def test_every_page_states_the_debts_after_an_undo(visit, table_with_fives):
    table_with_fives.do(1, 'tile_turned seat=1 tile="rob"', "bank_chosen seat=1 bank=2")
    table_with_fives.close(3, 0, 0).show(3, 0, 0)
    ana, before = visit(1), table_with_fives.state.players
    assert before[0].coins == 13
    table_with_fives.do(0, f"undone target={table_with_fives.table.version}")
    for page in PAGES:
        assert "Ana gives back 3 coins." in ana.reads(page)


# Requests.


def test_an_answer_to_an_old_question_is_refused_with_what_is_asked_now(visit, table_with_fives):
    ana, version = visit(1), table_with_fives.table.version
    table_with_fives.do(1, 'tile_turned seat=1 tile="place"', "card_placed seat=1 bank=1")
    table_with_fives.do(2, 'tile_turned seat=2 tile="spy"', "card_spied seat=2 bank=2 slot=1")
    answer = ana.asks("tile_turned", tile="rob", version=version)
    assert (answer.status_code, answer.json["code"]) == (409, "stale")
    assert answer.json["title"] == (
        "Your move was refused. Too late: the game has gone on. Ana lays a card at bank 1."
        " Ben turns the tile Spy. Ben looks at card 1 at bank 2. Now: Cleo: turn over a tile."
    )


@pytest.mark.parametrize("code", LANGUAGES)
def test_all_of_it_is_said_in_every_language(visit, table_with_fives, code):
    table_with_fives.clear(3)
    table_with_fives.lay_tag("04ffffffffffff", 5)
    table_with_fives.settle(4, "hand")
    table_with_fives.do(1, "frozen seat=1")
    ana = visit(1)
    ana.post("/api/join/language", language=code)
    todo = table_with_fives.table.view().table.todos[0]
    assert " ".join(get_language(code)(todo.say).split()) in ana.reads("/phone")
    english = visit(2).reads("/phone")
    said = {"has called the judge", "enter cards on", "No, all is there", "Undo", "the table"}
    assert {phrase for phrase in said if phrase in english} == said
    assert {phrase for phrase in said if phrase in ana.reads("/phone")} == (
        said if code == "en" else set()
    )
