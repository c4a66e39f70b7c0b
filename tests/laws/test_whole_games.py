"""Whole games, in any order that people could find: the laws hold after every single event."""

from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from companion.events import Entered, Resealed, Sealed, from_text, to_json, to_text
from companion.games import RULEBOOKS
from companion.sealed import seal
from companion.view import all_views, open_view, seat_view
from tests.evening import SETUPS, Dice, Evening
from tests.laws.conservation import CONSERVED


class Drawn:
    """Decides what Hypothesis draws."""

    def __init__(self, data: Any) -> None:
        self.data = data

    def one(self, things: Any) -> Any:
        return self.data.draw(st.sampled_from(list(things)))

    def number(self, least: int, most: int) -> int:
        return int(self.data.draw(st.integers(least, most)))

    def order(self, things: list[Any]) -> list[Any]:
        return Random(self.data.draw(st.integers(0, 2**32))).sample(things, len(things))


class WholeGame(RuleBasedStateMachine):
    """Somebody does something, hands are closed twice, the table steps in; then all is checked."""

    game = ""
    evening: Evening

    @initialize(data=st.data(), readers=st.booleans())
    def sit_down(self, data: Any, readers: bool) -> None:
        chosen = data.draw(st.sampled_from([setup for setup in SETUPS if setup[0] == self.game]))
        _, seats, started = chosen
        self.evening = Evening(self.game, Drawn(data), seats, readers, **started)
        self.read = None
        self.folded = 0

    @precondition(lambda self: not self.evening.over)
    @rule(data=st.data())
    def act(self, data: Any) -> None:
        self.evening.choose = Drawn(data)
        self.evening.step()

    @precondition(lambda self: self.evening.state.phase in ("seal", "open"))
    @rule()
    def reseal(self) -> None:
        self.evening.happen(Resealed())

    @precondition(lambda self: self.evening.state.phase == "open")
    @rule(data=st.data())
    def enter(self, data: Any) -> None:
        seat = data.draw(st.sampled_from(self.evening.state.hands.shut()))
        self.evening.happen(Entered(seat, self.evening.fists[seat][0]))

    @precondition(lambda self: self.evening.state.phase == "seal")
    @rule(data=st.data())
    def change_a_seal(self, data: Any) -> None:
        closed = [n for n, text in enumerate(self.evening.state.hands.seals, 1) if text]
        if closed:
            self.evening.choose = Drawn(data)
            self.evening.happen(self.evening.close(data.draw(st.sampled_from(closed))))

    @invariant()
    def nothing_is_lost(self) -> None:
        CONSERVED[self.game](self.evening.state)

    @invariant()
    def both_written_forms_replay_to_the_same_game(self) -> None:
        rules = self.evening.rules
        for event in self.evening.events[self.folded :]:
            spoken = from_text(to_text(event), rules.events)
            written = msgspec.json.decode(to_json(event), type=rules.events)
            assert spoken == written == event
            self.read = rules.apply(self.read, written)
        self.folded = len(self.evening.events)
        assert self.read == self.evening.state

    @invariant()
    def every_choice_offered_is_granted(self) -> None:
        rules, state = self.evening.rules, self.evening.state
        for seat in range(1, len(state.players) + 1):
            for may in rules.may(state, seat):
                for choice in may.choices if may.do not in ("sealed", "opened") else ():
                    event = self.written(seat, may.do, choice)
                    assert rules.refuse(state, event) is None, event

    def written(self, seat: int, do: str, choice: Any) -> Any:
        fields = {k: v[0] if isinstance(v, tuple) else v for k, v in choice.items()}
        kind = next(row.event for row in self.evening.rules.rows if row.do == do)
        if "seat" in kind.__struct_fields__:
            fields = {"seat": seat, **fields}
        return kind(**fields)

    @invariant()
    def who_is_waited_for_can_act(self) -> None:
        rules, state = self.evening.rules, self.evening.state
        waiting = rules.waiting(state)
        assert bool(waiting) == (state.phase != "over")
        assert all(rules.may(state, seat) for seat in waiting)

    @invariant()
    def what_should_lie_at_each_place_lies_there(self) -> None:
        assert_lies(self.evening)

    @invariant()
    def every_view_can_be_sent_alone_or_with_the_others(self) -> None:
        rules, state, at = self.evening.rules, self.evening.state, self.folded
        seats = range(1, len(state.players) + 1)
        alone = [open_view(rules, state, at), *(seat_view(rules, state, at, n) for n in seats)]
        assert all_views(rules, state, at) == [msgspec.json.encode(view) for view in alone]

    def teardown(self) -> None:
        """However the game stands, it can be played to its end."""
        if hasattr(self, "evening"):
            self.evening.choose = Dice(Random(len(self.evening.events)))
            if isinstance(self.evening.state, object) and self.evening.state is not None:
                self.evening.play()
                CONSERVED[self.game](self.evening.state)


def assert_lies(evening: Evening) -> None:
    """As many cards as the rules expect at each place, and those that they know."""
    expected, lying = evening.rules.lies(evening.state), evening.pieces.lying()
    assert expected.keys() == lying.keys()
    for place, cards in expected.items():
        assert len(cards) == len(lying[place])
        assert all(a in (None, b) for a, b in zip(cards, lying[place], strict=True))


def machine(game: str) -> Any:
    """The machine for one game, as a test case."""
    case = type(f"Whole_{game}", (WholeGame,), {"game": game}).TestCase
    case.settings = settings(
        max_examples=25,
        stateful_step_count=40,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    return case


TestBankueberfall = machine("bankueberfall")
TestBanqueFatale = machine("banque_fatale")
TestRobbySolo = machine("robby_solo")


@pytest.mark.parametrize(("game", "seats", "started"), SETUPS)
@pytest.mark.parametrize("readers", [True, False])
def test_seeded_games_keep_every_law(
    game: str, seats: int, started: dict[str, Any], readers: bool
) -> None:
    for seed in range(6):
        evening = Evening(game, Dice(Random(seed)), seats, readers, **started)
        while not evening.over:
            evening.step()
            CONSERVED[game](evening.state)
            assert_lies(evening)
        assert evening.state.score.winners


UNREACHED = {("robby_solo", "junior", "junior_shown", "over")}
"""Ways that a box as it is sold never goes: its deck outlasts Robby Junior's first cycle."""


@pytest.mark.parametrize("game", RULEBOOKS)
def test_every_way_through_the_phase_table_is_gone(game: str) -> None:
    found: set[tuple[str, str, str, str]] = set()
    for seed, (name, seats, started) in enumerate(SETUPS * 50):
        if name == game:
            evening = Evening(game, Dice(Random(seed)), seats, seed % 2 == 0, **started)
            found |= _ways(evening, Random(seed))
    table = {(game, row.phase, row.do, to) for row in evening.rules.rows for to in row.leads}
    assert table - found == {way for way in UNREACHED if way[0] == game}


def _ways(evening: Evening, random: Random) -> set[tuple[str, str, str, str]]:
    """Play on, now and then resealing or entering; the transitions that happened."""
    while not evening.over:
        state = evening.state
        dice = random.random()
        if state.phase == "choose":  # some rounds without a single chip
            evening.shy = dice < 0.6
        if state.phase == "sell" and dice < 0.8:
            evening.happen(evening.make(state.active, evening.wanted(state.active)[0]))
        elif dice < 0.03 and evening.rules.row(state, Resealed):
            evening.happen(Resealed())
        elif dice < 0.4 and state.phase == "open" and state.hands.shut():
            seat = random.choice(state.hands.shut())
            evening.happen(Entered(seat, evening.fists[seat][0]))
        else:
            evening.step()
    game = evening.rules.box.game
    steps = zip(evening.states[1:], evening.events[1:], evening.states[2:], strict=False)
    return {(game, before.phase, _name(event), after.phase) for before, event, after in steps}


def _name(event: Any) -> str:
    return str(event.__struct_config__.tag)


def test_a_seal_of_another_round_does_not_open() -> None:
    evening = Evening("bankueberfall", Dice(Random(1)), 2)
    while evening.state.phase != "seal":
        evening.step()
    old = seal("evening", 99, 1, 3, "0" * 32)
    evening.happen(Sealed(1, old))
    evening.happen(Sealed(2, old))
    refused = evening.rules.refuse(
        evening.state, from_text(f'opened seat=1 value=3 nonce="{"0" * 32}"', evening.rules.events)
    )
    assert refused is not None
    assert refused.code == "broken_seal"
