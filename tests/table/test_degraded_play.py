"""Degraded play: without readers, without buttons, with fewer phones: each is a normal evening."""

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from companion.table.history import build_history, event_union
from tests.worlds.campaign import pick
from tests.worlds.conservation import HOLDS
from tests.worlds.phone_players import Phones
from tests.worlds.rulebook_players import SETUPS
from tests.worlds.watched_table import EN, Watched

ALL = range(1, 9)


def finished(table: Watched) -> None:
    """The game came to its end, counted, and its record tells the same."""
    state = table.state
    assert state.phase == "over"
    assert state.score.winners
    HOLDS[state.box.game](state)
    kind = event_union(table.rules)
    lines = [(line.decode_event(kind), line.via, line.at) for line in table.journal.read_lines()]
    assert build_history(table.rules, lines) == table.table.history
    table.journal.close()


@pytest.mark.parametrize(("game", "seats", "started"), SETUPS[pick(1, 0, 0) :: pick(4, 1, 1)])
def test_without_any_reader_the_phones_are_enough(
    tmp_path: Path, game: str, seats: int, started: dict[str, Any]
) -> None:
    table = Watched(tmp_path / "journal.sqlite3", game, seats, readers=(), **started)
    phones = Phones(table, Random(game))
    told: list[int] = []
    table.table.watch(lambda: told.append(table.table.version))
    places = tuple(table.rules.expected_cards(table.state))
    while not table.table.history.is_over:
        assert phones.step() is None
        view: Any = table.table.view()
        assert view.table.todos == (), "nobody is told to put anything right"
        assert view.table.by_hand == places, "and every place is marked as played by hand"
    assert told == sorted(told)
    assert all(via.startswith(("phone", "table")) for via, _ in table.written())
    finished(table)


@pytest.mark.parametrize(("game", "seats", "started"), SETUPS[:: pick(6, 3, 1)])
def test_one_phone_for_all_is_handed_round(
    tmp_path: Path, game: str, seats: int, started: dict[str, Any]
) -> None:
    """The same key for each seat's own tap is another request only if it is another tap."""
    table = Watched(tmp_path / "journal.sqlite3", game, seats, readers=(), phones=1, **started)
    Phones(table, Random(game)).play()
    assert {via for via, _ in table.written()} == {"table", "phone 1"}
    finished(table)


@pytest.mark.parametrize(("game", "seats", "started"), SETUPS[1::4])
def test_two_phones_are_shared_by_more(
    tmp_path: Path, game: str, seats: int, started: dict[str, Any]
) -> None:
    table = Watched(tmp_path / "journal.sqlite3", game, seats, readers=(), phones=2, **started)
    Phones(table, Random(seats)).play()
    assert {via for via, _ in table.written()} == {"table", "phone 1", "phone 2"}
    finished(table)


class Hands:
    """Hands that lay cards where the readers see them, and tap where none does."""

    def __init__(self, table: Watched, random: Random) -> None:
        self.table, self.random = table, random
        self.phones = Phones(table, random)
        self.unseen: dict[int, list[str]] = {}
        self.gone = set[str]()
        """The tags of robbed cards, which leave Banküberfall for good."""

    def play(self) -> None:
        """On to the end, power cuts and all; what is in the way is taken off."""
        for n in range(3000):
            if self.table.table.history.is_over:
                return
            self.tidy()
            seat, event = self.phones.next()
            self.do(seat, event)
            if n % 97 == 96:
                self.cut()
        raise AssertionError("this game does not end")

    def cut(self) -> None:
        before = self.table.table.history
        self.table.pull_the_plug()
        assert self.table.table.history == before, "nothing happens by itself"

    def tidy(self) -> None:
        """The cards that have left the game are taken off, those that should lie there are laid."""
        lies = self.table.rules.expected_cards(self.table.state)
        for place, expected in lies.items():
            if not expected:
                self.unseen.pop(place, None)
            left = [str(card) for card in expected if card is not None]
            for tag in [tag for tag, at in self.table.where.items() if at == place]:
                name = self.table.deck[tag]
                if name in left:
                    left.remove(name)
                else:
                    self.table.lift(tag)
                    self.gone |= {tag} if self.table.rules.box.game == "bankueberfall" else set()
        if self.table.rules.box.game == "bankueberfall":
            for bank in range(1, 6):
                self.deal(bank, lies[bank])

    def deal(self, bank: int, expected: tuple[str | None, ...]) -> None:
        """Cards come to a bank, where a reader sees them, or where none does."""
        if bank in self.table.readers:
            here = sum(at == bank for at in self.table.where.values())
            for _ in range(len(expected) - here):
                self.lay(self.card(), bank)
            return
        here = len(self.unseen.setdefault(bank, []))
        for _ in range(len(expected) - here):
            self.unseen[bank].append(self.card())

    def card(self) -> str:
        """A card of the box that lies nowhere and has not left the game."""
        state, used = self.table.state, Counter(self.table.state.discard)
        used.update(str(self.table.deck[tag]) for tag in self.table.where)
        used.update(card for cards in self.unseen.values() for card in cards)
        return str(self.random.choice([c for c, n in state.box.cards.items() if n > used[c]]))

    def do(self, seat: int, event: Any) -> None:
        """By the cards, where a reader sees them; by the phone, where none does."""
        name, place = event.__struct_config__.tag, self.place(event)
        if name in ("card_named", "card_revealed") and event.bank in self.unseen:
            event = msgspec.structs.replace(event, card=self.unseen[event.bank][event.slot - 1])
        if place not in self.table.readers or name not in LAID:
            refused = self.table.ask(seat, event)
            assert refused is None, (event, refused and EN(refused.say))
            return
        at = self.table.table.version
        card = getattr(event, "card", None)
        tag = self.lay(str(card) if card is not None else self.card(), place)
        if self.table.table.version == at and self.is_left_over(place):
            self.table.lift(tag)  # Of a pile that was taken off unheard: the to-do asks for it.
            self.table.lay_tag(tag, place)
        assert self.table.table.version > at, f"{event} was not seen"
        assert self.table.last() == (f"reader {place}", name)

    def is_left_over(self, place: int) -> bool:
        """Check that a to-do asks to take cards off this place."""
        todos = self.table.table.view().table.todos
        return any((todo.kind, todo.place) == ("left_over", place) for todo in todos)

    def lay(self, card: str, place: int) -> str:
        open_ = [
            tag for tag, at in self.table.where.items() if self.table.deck[tag] == card and at < 4
        ]
        if self.table.rules.box.game == "banque_fatale" and open_:
            return self.lay_named(open_[0], place)
        used = {*self.table.where, *self.gone}
        return self.lay_named(next(t for t in self.table.tags[card] if t not in used), place)

    def lay_named(self, tag: str, place: int) -> str:
        """Lay this tag, and return it."""
        self.table.lay_tag(tag, place)
        return tag

    def place(self, event: Any) -> int:
        """Where the card of this event is laid."""
        state, place = self.table.state, 0
        match event.__struct_config__.tag:
            case "card_placed" | "bank_refilled":
                place = event.bank
            case "card_turned":
                row = state.open_cards
                place = (row.index("") if "" in row else len(row)) + 1
            case "card_chosen":
                place = 4
            case "card_sold":
                place = 5
            case "loot_laid":
                place = tuple(state.banks).index(event.bank) + 1
        return int(place)


LAID = (
    "card_placed", "bank_refilled", "card_turned", "card_chosen", "card_sold", "loot_laid",
)  # fmt: skip


@pytest.mark.parametrize(("game", "seats", "started"), SETUPS[:: pick(5, 2, 1)])
@pytest.mark.parametrize("dead", pick([0, 5], [0, 2, 5], range(6)))
def test_with_one_dead_reader_its_place_is_tapped(
    tmp_path: Path, game: str, seats: int, started: dict[str, Any], dead: int
) -> None:
    """No button is pressed all evening; with no dead reader it is the whole table."""
    readers = [place for place in ALL if place != dead]
    table = Watched(tmp_path / "journal.sqlite3", game, seats, readers=readers, **started)
    Hands(table, Random(f"{game} {dead}")).play()
    seen = {via for via, _ in table.written() if via.startswith("reader")}
    assert seen
    assert f"reader {dead}" not in seen
    finished(table)
