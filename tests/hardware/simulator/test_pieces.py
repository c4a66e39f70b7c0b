"""The pieces of all three games at a table that no reader hears: after every event, and whatever
strays, they lie as the rules have it."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.app.simulated.pieces import Pieces
from companion.core.events import Event, Value
from companion.games import find_game, make_rulebook
from companion.games.bankueberfall.pieces import FACE_DOWN
from companion.games.layout import PLACE, Heap
from companion.tracking.picture import EIGHTH_SPOT
from hardware.simulator.air.airs import IdealAir
from hardware.simulator.hands_on_table import SimulatedTabletop, StillClock
from hardware.wiring import load_profile
from tests.worlds.campaign import pick
from tests.worlds.rough_evening import misplace_card
from tests.worlds.rulebook_players import PIECES, SETUPS, Evening

NO_READERS = msgspec.structs.replace(load_profile(), readers={}, reset=None, address_lines=())


@contextmanager
def tabletop() -> Iterator[SimulatedTabletop]:
    """A table whose time only hands let pass."""
    top = SimulatedTabletop(NO_READERS, StillClock(), IdealAir())
    yield top
    top.close()


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
        moved = name_heaps(self.pieces)
        state, rules = self.e.state, self.e.rules
        self.pieces.follow_game([], rules.expected_cards(state), rules.public_view(state))
        assert name_heaps(self.pieces) == moved

    def fist(self, seat: int) -> Value:
        fist: Value = PIECES[self.e.rules.box.game].fist(self, seat)  # type: ignore[attr-defined]
        return fist


def name_heaps(box: Pieces) -> dict[Heap, list[str]]:
    """Return every piece of a box by the heap in which it is meant to be."""
    return {
        Heap(kind, n): [box.things[tag] for tag in tags]
        for kind, n, tags in box.save()["heaps"]
        if tags
    }


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
        start = self.rules.start_event(id="evening", players=seats, **started)
        self.box.lay_out_game(seats, **msgspec.structs.asdict(start))
        self.things = Counter(self.box.things.values())
        self.happen(start)

    def happen(self, event: Event) -> None:
        super().happen(event)
        lies, public = self.rules.expected_cards(self.state), self.rules.public_view(self.state)
        self.box.follow_game([event], lies, public)
        self.hold_true()

    def hold_true(self) -> None:
        """Every thing is in one heap, the heaps are as the rules count them."""
        heaps = name_heaps(self.box)
        assert sum(map(Counter, heaps.values()), Counter()) == self.things
        for place, cards in self.rules.expected_cards(self.state).items():
            lying = self.box.names(Heap(PLACE, place))
            assert len(lying) == len(cards)
            assert all(known in (None, card) for known, card in zip(cards, lying, strict=True))
        COUNTED[self.rules.box.game](self.state, heaps)


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


def test_what_the_police_take_comes_up_again_when_the_deck_is_through():
    """The deck as it must be: drawn from the top, with each raid laid under it."""
    raids = 0
    for seed in range(8):
        with tabletop() as top:
            physical = Physical(top, "robby_solo", 5, seed)
            deck = physical.box.names(Heap("deck"))
            while not physical.over:
                verdict = physical.state.verdict
                physical.step()
                if (laid := getattr(physical.events[-1], "card", None)) is not None:
                    assert deck.pop() == str(laid)
                if physical.state.verdict is not verdict:
                    for raid in physical.state.verdict.raids:
                        raids += 1
                        deck[:0] = map(str, [*raid.returns.values(), *raid.removed])
                assert physical.box.names(Heap("deck")) == deck
    assert raids > 3


@pytest.mark.parametrize(
    ("game", "seat", "do", "fields"),
    [
        ("bankueberfall", 1, "card_placed", {"bank": 6, "card": "5"}),
        ("bankueberfall", 1, "card_placed", {"bank": 1, "card": "gold"}),
        ("bankueberfall", 7, "card_placed", {"bank": 1, "card": "5"}),
        ("bankueberfall", 1, "card_spied", {"bank": 1, "slot": 2}),
        ("banque_fatale", 1, "card_chosen", {"card": "red"}),
        ("robby_solo", 1, "loot_laid", {"bank": {}}),
    ],
)
def test_what_is_not_there_cannot_be_moved(game, seat, do, fields):
    with tabletop() as top:
        box = Physical(top, game, 3, seed=1).box
        before = box.save()
        with pytest.raises(LookupError):
            box.make_move(seat, do, **fields)
        assert box.save() == before


def test_a_tile_whose_turn_was_undone_lies_among_the_others_again():
    with tabletop() as top:
        physical = Physical(top, "bankueberfall", 3, seed=1)
        while len(physical.box.tags(FACE_DOWN)) > 5:
            physical.step()
        rules, undone = physical.rules, physical.states[-2]
        physical.box.follow_game([], rules.expected_cards(undone), rules.public_view(undone))
        assert (len(physical.box.tags(FACE_DOWN)), top.tags_at(EIGHTH_SPOT)) == (6, [])


@settings(max_examples=pick(6, 20, 120))
@given(st.sampled_from(SETUPS), st.integers(0, 2**32))
def test_whatever_strays_the_game_and_its_cards_go_on(setup, seed):
    game, seats, started = setup
    with tabletop() as top:
        physical, chance = Physical(top, game, seats, seed, **started), Random(seed)
        while not physical.over:
            if chance.random() < 0.2:
                meant = lying_at_places(physical.box)
                stray = misplace_card(physical.box, chance)
                assert stray is None or stray in physical.box.misplaced_tags()
                assert lying_at_places(physical.box) == meant, (
                    "it lies elsewhere, and is meant here"
                )
            elif chance.random() < 0.3:
                physical.box.put_right()
                assert physical.box.misplaced_tags() == []
                for place, cards in lying_at_places(physical.box).items():
                    here = [physical.box.things[tag] for tag in top.tags_at(place)]
                    assert not Counter(cards) - Counter(here)
            physical.step()


def lying_at_places(box):
    """The cards that are meant to lie at each place."""
    return {place: sorted(box.names(Heap(PLACE, place))) for place in range(1, 9)}
