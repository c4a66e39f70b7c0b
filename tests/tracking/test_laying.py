"""How a card is laid: words where a reader lies beside the place, none where it lies under it."""

from collections.abc import Iterable
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from tests.worlds.watched_table import EN, Watched

ALL = range(1, 6)


@contextmanager
def table_of(path: Path, taps: Iterable[int], game: str = "bankueberfall", **how: Any):  # type: ignore[no-untyped-def]
    made = Watched(path / "journal.sqlite3", game, taps=taps, **how)
    with closing(made.journal):
        yield made


def said(table: Watched) -> str:
    view: Any = table.table.view()
    return EN(view.table.laying) if view.table.laying else ""


def deal(table: Watched) -> None:
    """A five comes to every bank, tapped or laid as its reader wants it."""
    for bank in ALL:
        (table.tap if bank in table.taps else table.lay)("5", bank)
    assert table.todos() == []


def test_at_places_of_taps_a_card_is_held_to_the_reader_beside_them(tmp_path: Path) -> None:
    with table_of(tmp_path, (1, 3, 4, 5)) as table:
        deal(table)
        assert said(table) == ""
        table.lay("tile place", 8)
        assert said(table) == "Hold the card to the reader beside its place, then lay it down."
        table.tap("x", 3)
        table.clear(8)
        table.lay("tile spy", 8)
        assert said(table) == "Hold the chosen card to the reader."


def test_a_reader_under_its_place_needs_no_words(tmp_path: Path) -> None:
    with table_of(tmp_path, ()) as table:
        deal(table)
        table.lay("tile place", 8)
        assert said(table) == ""


def test_silence_is_told_at_a_presence_place_and_means_nothing_at_a_tapped_one(
    tmp_path: Path,
) -> None:
    with table_of(tmp_path, (1, 3, 4, 5)) as table:
        deal(table)
        for bank in (1, 2):
            (five,) = (tag for tag in table.tags["5"] if table.where.get(tag) == bank)
            table.silence(five)
        assert table.todos() == ["Was a card taken away from Bank 2?"]


def test_no_words_for_a_place_whose_reader_is_lost(tmp_path: Path) -> None:
    with table_of(tmp_path, ALL) as table:
        deal(table)
        table.lay("tile rob", 8)
        table.do(1, "bank_chosen seat=1 bank=2").close(1, 2, 0).show(1, 2, 0)
        assert table.state.phase == "refill"
        assert said(table)
        table.lose(2)
        assert said(table) == ""
