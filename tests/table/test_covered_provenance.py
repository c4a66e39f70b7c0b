"""What the judge tells of cards that were heard when they were laid and lay covered since."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.core.errors import Refusal
from companion.core.events import Opened
from companion.core.sensor_events import FellSilent
from companion.games.bankueberfall.state import CardNamed, CardShown, PileBelieved
from companion.records.format import to_bytes
from companion.records.parse import parse_record
from companion.records.store import make_record
from companion.records.verify import prove_record
from companion.table.history import History
from companion.table.look_back import find_last_verdict, look_back_at
from companion.table.view import SPECTATOR
from tests.tracking.test_robby_solo import filled, robbed
from tests.worlds.watched_table import EN, NONCE, Watched

LAID = "Reader 4 read it when it was laid; it lay covered by others when it counted."
LATER = LAID.replace("when it was laid", "after it was laid")


def robbed_pile(path: Path, sweep: str = "doubtful", taps: tuple[int, ...] = ()) -> Watched:
    """Three players; bank 4 holds a three, a five and a thief, and is robbed."""
    made = Watched(path, sweep=sweep, taps=taps)
    put = made.tap if taps else made.lay
    for bank in range(1, 6):
        put("2" if bank != 4 else "3", bank)
    made.lay("tile place", 8)
    put("5", 4)
    made.clear(8)
    return place_thief_and_rob(made)


def place_thief_and_rob(table: Watched) -> Watched:
    table.lay("tile place", 8, n=1)
    table.tap("thief", 4) if table.taps else table.lay("thief", 4)
    table.clear(8)
    table.lay("tile rob", 8)
    table.lay("figure", 4)
    return table


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Watched]:
    made = robbed_pile(tmp_path / "journal.sqlite3")
    yield made
    made.journal.close()


def tag_of(table: Watched, card: str) -> str:
    return next(tag for tag in table.tags[card] if table.where.get(tag) == 4)


def fall_silent(table: Watched, *cards: str) -> None:
    """The reader of bank 4 no longer hears these cards."""
    for card in cards:
        table.table.sense(FellSilent(table.tick(), 4, tag_of(table, card), table.now - 5.0))


def open_hands(table: Watched) -> list[str]:
    """Open all hands and lift the pile; its tags, the last card first."""
    table.close(1, 2, 0).show(1, 2, 0)
    pile = [tag_of(table, card) for card in ("thief", "5", "3")]
    for tag in pile:
        table.lift(tag)
    return pile


def show_all(table: Watched, pile: list[str]) -> None:
    for tag in pile:
        table.lay_tag(tag, 4)
        table.lift(tag)


def told(history: History) -> dict[str, str]:
    """What the last verdict tells of each covered card, by card."""
    return {said[15:-1]: covered for said, covered in told_anywhere(history).items()}


def told_anywhere(history: History) -> dict[str, str]:
    """What the last verdict tells of each covered card, by all that it says of the card."""
    found = find_last_verdict(history)
    assert not isinstance(found, Refusal)
    facts = found.rulings[0].facts if found is not None else ()
    return {EN(fact.say): EN(fact.covered) for fact in facts if fact.covered}


def deciding(table: Watched, kind: str) -> list[Any]:
    """What each event of a kind says of covered cards."""
    return [event.get("covered") for _, event in table.written() if event["event"] == kind]


def revealing(table: Watched) -> list[Any]:
    return [
        event for _, event in table.written() if event["event"] in ("card_shown", "pile_believed")
    ]


def test_a_card_heard_when_it_was_laid_and_covered_since_is_told_so(table: Watched) -> None:
    fall_silent(table, "3", "5")
    show_all(table, open_hands(table))
    assert [event.get("covered") for event in revealing(table)] == [None, [2], [1]]
    assert told(table.table.history) == {"3": LAID, "5": LAID}


def test_a_record_replays_to_the_same_words(table: Watched) -> None:
    fall_silent(table, "3")
    show_all(table, open_hands(table))
    record = make_record(table.journal, "g1")
    replayed = prove_record(parse_record(to_bytes(record))).history
    assert told(replayed) == told(table.table.history) == {"3": LAID}
    table.pull_the_plug()
    assert told(table.table.history) == {"3": LAID}


def test_a_believed_pile_tells_what_was_covered_and_is_believed_once(table: Watched) -> None:
    fall_silent(table, "5")
    table.close(1, 2, 0).show(1, 2, 0)
    for _ in range(2):
        assert table.ask(2, PileBelieved(4), key="again") is None
    assert revealing(table) == [{"event": "pile_believed", "bank": 4, "covered": [2]}]
    assert told(table.table.history) == {"5": LAID}


def test_only_the_readers_say_what_was_covered(table: Watched) -> None:
    fall_silent(table, "3")
    open_hands(table)
    for card, claim in (("thief", (3,)), ("5", (1, 2)), ("3", ())):
        table.do(1, CardShown(4, card, covered=claim))
    assert [event.get("covered") for event in revealing(table)] == [None, None, [1]]
    assert told(table.table.history) == {"3": LAID}


def test_a_card_that_was_heard_later_is_not_told_to_be_heard_at_once(tmp_path: Path) -> None:
    table = Watched(tmp_path / "journal.sqlite3", sweep="doubtful")
    for bank in range(1, 6):
        table.lay("2" if bank != 4 else "3", bank)
    table.lay("tile place", 8)
    five = table.lay_unheard("5", 4)
    table.do(1, "card_placed seat=1 bank=4")
    table.clear(8)
    table.wake(five)
    place_thief_and_rob(table)
    fall_silent(table, "5")
    show_all(table, open_hands(table))
    assert told(table.table.history) == {"5": LATER}
    table.journal.close()


def test_what_was_lifted_before_the_hands_were_open_is_not_called_covered(table: Watched) -> None:
    pile = [tag_of(table, card) for card in ("thief", "5", "3")]
    table.close(1, 2, 0)
    for tag in pile:
        table.lift(tag)
    table.show(1, 2, 0)
    show_all(table, pile)
    assert table.state.phase == "refill"
    assert told(table.table.history) == {}


def test_a_bank_whose_cards_are_tapped_has_no_covered_ones(tmp_path: Path) -> None:
    table = robbed_pile(tmp_path / "journal.sqlite3", sweep="always", taps=(1, 2, 3, 4, 5))
    table.close(1, 2, 0).show(1, 2, 0)
    for card in ("thief", "5", "3"):
        table.tap_tag(tag_of(table, card), 4)
    assert (table.state.phase, told(table.table.history)) == ("refill", {})
    table.journal.close()


def test_an_undone_showing_tells_nothing(table: Watched) -> None:
    fall_silent(table, "3", "5")
    pile = open_hands(table)
    show_all(table, pile[:2])
    table.do(0, f"undone target={table.table.version}")
    table.pull_the_plug()  # What the reader knew of the start of the sweep is forgotten.
    show_all(table, pile[1:])
    assert table.state.phase == "refill"
    assert told(table.table.history) == {}


def test_without_a_sweep_the_hand_that_opens_last_tells_what_was_covered(tmp_path: Path) -> None:
    table = robbed_pile(tmp_path / "journal.sqlite3", sweep="")
    fall_silent(table, "3", "5")
    table.close(1, 2, 0).show(1, 2)
    assert told(table.table.history) == {}
    table.show_one(3, 0, covered=((4, 3), (1, 1)))
    assert table.state.phase == "refill"
    assert deciding(table, "opened") == [None, None, [[4, 1], [4, 2]]]
    assert told(table.table.history) == {"3": LAID, "5": LAID}
    record = make_record(table.journal, "g1")
    replayed = prove_record(parse_record(to_bytes(record))).history
    assert told(replayed) == told(table.table.history)
    assert table.ask(3, Opened(3, 0, NONCE), key="again") is not None
    table.journal.close()


def test_the_card_that_is_named_last_tells_of_those_that_were_heard(tmp_path: Path) -> None:
    table = Watched(tmp_path / "journal.sqlite3", sweep="")
    for bank in range(1, 6):
        table.lay("2" if bank != 4 else "3", bank)
    table.lay("tile place", 8)
    table.lay_unheard("5", 4)
    table.do(1, "card_placed seat=1 bank=4")
    table.clear(8)
    place_thief_and_rob(table)
    fall_silent(table, "3")
    table.close(1, 2, 0).show(1, 2, 0)
    assert (table.state.phase, told(table.table.history)) == ("turn_up", {})
    for _ in range(2):
        named = CardNamed(4, 2, "5", covered=((4, 2), (4, 3)))
        assert table.ask(1, named, key="again") is None
    assert deciding(table, "card_named")[-1:] == [[[4, 1]]]
    assert told(table.table.history) == {"3": LAID}
    table.journal.close()


def test_loot_that_lay_under_other_loot_is_told_when_the_round_ends(tmp_path: Path) -> None:
    table = Watched(tmp_path / "journal.sqlite3", "robby_solo")
    robbed(filled(table), "red", "red", "red")
    for place, card in enumerate(("2000", "3000", "1000", "3000"), 1):
        table.lay(card, place)
    (lowest,) = (tag for tag in table.tags["1000"] if table.where.get(tag) == 1)
    table.silence(lowest)
    assert told_anywhere(table.table.history) == {}
    robbed(table, "yellow", "green", "blue")
    reader_1 = LAID.replace("4", "1")
    assert told_anywhere(table.table.history) == {"At the yellow bank: $1,000.": reader_1}
    assert deciding(table, "opened") == [None] * 5 + [[[1, 1]]]
    table.journal.close()


def test_before_the_verdict_no_byte_tells_what_is_covered(tmp_path: Path) -> None:
    """Two tables whose piles differ in nothing but which of the cards are silent."""
    tables = [robbed_pile(tmp_path / f"{name}.sqlite3") for name in ("a", "b")]
    for table, covered in zip(tables, (("3",), ("3", "5")), strict=True):
        fall_silent(table, *covered)
        table.now = 500.0
    piles = [open_hands(table) for table in tables]
    assert seen(tables[0]) == seen(tables[1])
    for n in range(2):
        for table, pile in zip(tables, piles, strict=True):
            show_all(table, pile[n : n + 1])
        assert seen(tables[0]) == seen(tables[1])
    for table, pile in zip(tables, piles, strict=True):
        show_all(table, pile[2:])
    assert seen(tables[0]) != seen(tables[1]), "now the judge's page tells"
    for table in tables:
        table.journal.close()


def seen(table: Watched) -> list[bytes]:
    """Every byte that any viewer is sent, the host and the judge among them."""
    history, view = table.table.history, table.table.view
    called = msgspec.structs.replace(history, frozen=1)
    shown = [view(), view(viewer=SPECTATOR), *(view(seat) for seat in (1, 2, 3))]
    looks = [look_back_at(called, at) for at in range(history.at - 3, history.at + 1)]
    return [msgspec.json.encode(one) for one in (*shown, *looks, find_last_verdict(history))]
