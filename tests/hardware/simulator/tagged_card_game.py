"""A game with tagged cards on simulated readers, and taps where no reader is.

Law: the rules learn nothing but what `truth` says; what lies there only hands have put there.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import msgspec

from companion.core.events import Event, Value
from companion.core.sensor_events import Arrived, FellSilent, Left
from companion.games import find_game, make_rulebook
from companion.pieces.layout import PLACE, Heap
from companion.pieces.pieces import Pieces
from hardware.simulator.air.airs import IdealAir
from hardware.simulator.hands_on_table import SimulatedTabletop, StillClock
from hardware.wiring import DEFAULT, Wiring, load_profile
from tests.worlds.rulebook_players import PIECES, Evening

NO_READERS = msgspec.structs.replace(load_profile(), readers={}, reset=None, address_lines=())


@contextmanager
def tabletop(wiring: str | Wiring = DEFAULT) -> Iterator[SimulatedTabletop]:
    """A table whose time only hands let pass."""
    top = SimulatedTabletop(wiring, StillClock(), IdealAir())
    yield top
    top.close()


def cards_at(pieces: Pieces, place: int) -> list[str]:
    """Return the cards at a place."""
    return [pieces.things[tag] for tag in pieces.top.tags_at(place)]


class Watcher:
    """What the readers have told, put together: which tag lies where."""

    def __init__(self, top: SimulatedTabletop) -> None:
        self.top = top
        self.heard = 0
        self.lying: dict[str, int] = {}

    def look(self) -> dict[str, int]:
        for news in self.top.sense():
            self.heard += 1
            if isinstance(news, Arrived):
                assert news.tag not in self.lying
                self.lying[news.tag] = news.place
            elif isinstance(news, Left | FellSilent):
                assert self.lying.pop(news.tag) == news.place
        return self.lying


class Tagged:
    """Pieces with the interface that `rulebook_players` needs, moved by simulated hands."""

    empty: Value = None
    most = 2

    def __init__(self, evening: Evening, pieces: Pieces) -> None:
        self.e, self.pieces = evening, pieces

    def look(self) -> None:
        pass

    def fill(self, seat: int, do: str, fields: dict[str, Any]) -> None:
        if do == "declared":
            fields["will"] = fields["bank"] == self.e.fists[seat][0]
        if do == "card_placed":
            fields["card"] = self.e.random.choice(self.pieces.hand_cards(seat))
        self.pieces.make_move(seat, do, **fields)
        self.nobody_clears_up_before_it_counts()
        fields.update(self.pieces.reported_fields(seat, do, fields))

    def nobody_clears_up_before_it_counts(self) -> None:
        """What was moved and not told yet stays where it is."""
        moved = self.pieces.cards_by_heap()
        self.pieces.clear_up(
            self.e.rules.expected_cards(self.e.state), self.e.rules.public_view(self.e.state)
        )
        assert self.pieces.cards_by_heap() == moved

    def fist(self, seat: int) -> Value:
        fist: Value = PIECES[self.e.rules.box.game].fist(self, seat)  # type: ignore[attr-defined]
        return fist


class Physical(Evening):
    """One game at a simulated table; after every event the table is as the rules have it."""

    def __init__(
        self, top: SimulatedTabletop, game: str, seats: int, seed: int, **started: Any
    ) -> None:
        self.rules = make_rulebook(game)
        self.random = Random(seed)
        self.readers, self.shy, self.nonces = True, False, 0
        self.fists, self.state, self.events, self.states = {}, None, [], [None]
        self.box = Pieces(find_game(game).pieces, self.rules, top, Random(f"{seed} box"))
        self.pieces = Tagged(self, self.box)
        self.watcher = Watcher(top)
        start = self.rules.start_event(id="evening", players=seats, **started)
        self.box.lay_out_game(seats, **msgspec.structs.asdict(start))
        self.things = Counter(self.box.things.values())
        self.happen(start)

    def happen(self, event: Event) -> None:
        super().happen(event)
        self.box.clear_up(self.rules.expected_cards(self.state), self.rules.public_view(self.state))
        self.hold_true()

    def hold_true(self) -> None:
        """Every thing is in one heap, the heaps are as the rules count them."""
        heaps = self.box.cards_by_heap()
        assert sum(map(Counter, heaps.values()), Counter()) == self.things
        for place, cards in self.rules.expected_cards(self.state).items():
            lying = self.box.names(Heap(PLACE, place))
            assert len(lying) == len(cards)
            assert all(known in (None, card) for known, card in zip(cards, lying, strict=True))
        COUNTED[self.rules.box.game](self.state, heaps)

    def seen(self) -> bool:
        """Whether the readers tell all that lies there, and nothing else, within two seconds."""
        top = self.watcher.top
        places = {tag: top.place_of(tag) for tag in self.box.things}
        lying = {tag: place for tag, place in places.items() if place and not top.is_blind(place)}
        for _ in range(2):
            if self.watcher.look() == lying:
                return True
            top.pass_time(1)
        return self.watcher.look() == lying


def coins(state: Any, heaps: dict[Heap, list[str]]) -> None:
    for seat, player in enumerate(state.players, 1):
        assert len(heaps.get(Heap("hand", seat), ())) == player.hand
    assert len(heaps.get(Heap("pile"), ())) == state.pile
    assert Counter(heaps.get(Heap("discard"), ())) == Counter(state.discard)
    figures = [heap.number for heap in heaps if heap.kind == "figure at"]
    assert figures in ([], [state.figure])


def chips(state: Any, heaps: dict[Heap, list[str]]) -> None:
    if state.phase != "deal":
        for seat, player in enumerate(state.players, 1):
            assert tuple(heaps.get(Heap("in front of", seat), ())) == player.cards
    assert len(heaps.get(Heap("pile"), ())) == state.pile
    assert tuple(heaps.get(Heap("sold"), ())) == state.sold


def loot(state: Any, heaps: dict[Heap, list[str]]) -> None:
    piles = dict(enumerate((player.pile for player in state.players), 1))
    if state.junior is not None:
        piles[0] = state.junior.pile
    for number, pile in piles.items():
        assert heaps.get(Heap("loot of", number), []) == [str(card) for card in pile]
    assert len(heaps.get(Heap("deck"), ())) == state.deck


COUNTED = {"bankueberfall": coins, "banque_fatale": chips, "robby_solo": loot}
