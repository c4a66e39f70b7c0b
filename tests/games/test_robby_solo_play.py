"""Whole games of Robby Solo, played at random from what is offered: nothing is lost or made up."""

import random
from collections import Counter
from typing import Any

import msgspec
import pytest

from companion.core.cards import standard_box
from companion.core.commitment import make_seal
from companion.core.events import Event, Opened, Resealed, Sealed, from_fields, from_text, to_text
from companion.games.robby_solo import RobbySolo, RobbySoloStarted
from companion.games.robby_solo.box import RobbySoloBox
from companion.games.robby_solo.raid import loot_cards
from companion.games.robby_solo.state import RobbySoloState

SOLD = standard_box(RobbySoloBox)


class Game:
    """A game that plays itself; the hands are kept here, as the phones would."""

    def __init__(self, seed: int, people: int, junior: bool) -> None:
        self.dice = random.Random(seed)
        self.rules = RobbySolo(SOLD)
        self.hands: dict[str, tuple[str, str]] = {}
        started = RobbySoloStarted(
            "g", tuple("ABCDEF"[:people]), 1 + seed % people, {}, junior=junior
        )
        self.events: list[Event] = [started]
        self.state: RobbySoloState = self.rules.apply(None, started)

    def offers(self) -> list[Event]:
        """Every event that some seat may choose now, each field's every value in turn."""
        found = []
        for seat in range(1, len(self.state.players) + 1):
            for may in self.rules.list_options(self.state, seat):
                for choice in may.choices:
                    found += [self._event(may.do, seat, way) for way in _ways(choice)]
        return list(dict.fromkeys(found))

    def _event(self, do: str, seat: int, fields: dict[str, Any]) -> Event:
        if do == "sealed":
            bank = self.dice.choice([*self.state.banks])
            nonce = f"{self.dice.getrandbits(128):032x}"
            sealed = Sealed(seat, make_seal("g", self.state.hands.round, seat, bank, nonce))
            self.hands[sealed.seal] = bank, nonce
            return sealed
        if do == "opened":
            return Opened(seat, *self.hands[self.state.hands.seals[seat - 1]])
        if do in ("loot_laid", "junior_shown"):
            return from_fields({"event": do, **fields}, self.rules.event_types)
        return from_fields({"event": do, "seat": seat, **fields}, self.rules.event_types)

    def step(self) -> None:
        """One event of those offered, now and then all cards anew; every offer is granted."""
        offers = self.offers()
        assert offers, self.state.phase
        for event in offers:
            assert self.rules.refuse(self.state, event) is None, event
        event = self.dice.choice(offers)
        if self.dice.random() < 0.01 and self.rules.find_row(self.state, Resealed):
            event = Resealed()
        row = self.rules.find_row(self.state, type(event))
        assert row is not None
        self.state = self.rules.apply(self.state, event)
        assert self.state.phase in row.next_phases, (row.phase, row.event_name, self.state.phase)
        self.events.append(event)

    def check(self) -> None:
        """61 cards, of every kind as many as the box holds at most, and nobody overlooked."""
        state = self.state
        seen = Counter(card for loot in state.banks.values() for card in loot)
        seen.update(card for pile in state.piles_by_name().values() for card in pile)
        assert state.deck + seen.total() == 61
        assert seen <= Counter(loot_cards(SOLD))
        assert (state.phase == "over") == (not self.rules.awaited_seats(state))
        assert set(self.rules.awaited_seats(state)) <= {
            seat
            for seat in range(1, len(state.players) + 1)
            if self.rules.list_options(state, seat)
        }
        if state.phase == "fill" and not state.filled:
            assert all(len(loot) < SOLD.police for loot in state.banks.values())


def _ways(choice: Any) -> list[dict[str, Any]]:
    ways: list[dict[str, Any]] = [{}]
    for field, value in choice.items():
        values = value if isinstance(value, tuple) else (value,)
        ways = [{**way, field: one} for way in ways for one in values]
    return ways


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(
    ("people", "junior"), [(3, False), (3, True), (4, True), (5, True), (6, False)]
)
def test_random_games_keep_every_card(seed: int, people: int, junior: bool) -> None:
    game = Game(seed, people, junior)
    while game.state.phase != "over":
        assert len(game.events) < 5000, "this game does not come to an end"
        game.step()
        game.check()
    _replays(game)
    assert game.state.score is not None
    assert len(game.state.score.totals) == people + junior


def _replays(game: Game) -> None:
    """The record, written and read, gives the same game and the same bytes."""
    state = None
    for event in game.events:
        state = game.rules.apply(state, from_text(to_text(event), game.rules.event_types))
    assert state == game.state
    public = game.rules.public_view(state)
    assert msgspec.json.encode(public) == msgspec.json.encode(game.rules.public_view(game.state))
