"""Whole games, in any order that people could find: the laws hold after every single event."""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from random import Random
from typing import Any, ClassVar

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from companion.core.commitment import make_seal
from companion.core.events import Entered, Opened, Resealed, Sealed, to_json
from companion.games import make_rulebook
from companion.table.view import open_view, seat_view
from tests.worlds.campaign import IS_LARGE, pick
from tests.worlds.conservation import conserved
from tests.worlds.own_games import own_games
from tests.worlds.rulebook_players import SETUPS, SWEPT, Dice, Evening
from tests.worlds.verdict_recount import recount


class Record:
    """An evening as it is written, read back and played again event by event."""

    def __init__(self, evening: Evening) -> None:
        self.evening = evening
        self.events = evening.rules.event_types
        self.written: Any = None
        self.read = 0

    def keep(self) -> None:
        """Whatever happened since: it is the same game as it is written, and every law was kept."""
        rules, at = self.evening.rules, self.read
        events, states = self.evening.events[at:], self.evening.states[at:]
        for event, before, after in zip(events, states, states[1:], strict=False):
            written = msgspec.json.decode(to_json(event), type=self.events)
            assert written == event
            self.written = rules.apply(self.written, written)
            assert self.written == after
            conserved(before, after)
            recount(before, after)
        self.read = len(self.evening.events)
        assert self.evening.state == self.written


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
    record: Record

    @initialize(data=st.data(), readers=st.booleans())
    def sit_down(self, data: Any, readers: bool) -> None:
        _, seats, started = data.draw(st.sampled_from(setups(self.game)))
        self.evening = Evening(self.game, Drawn(data), seats, readers, **started)
        self.record = Record(self.evening)

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
        seat = data.draw(st.sampled_from(self.evening.state.hands.unopened_seats()))
        self.evening.happen(Entered(seat, self.evening.fists[seat][0]))

    @precondition(lambda self: self.evening.state.phase == "seal")
    @rule(data=st.data())
    def change_a_seal(self, data: Any) -> None:
        closed = [n for n, text in enumerate(self.evening.state.hands.seals, 1) if text]
        if closed:
            self.evening.choose = Drawn(data)
            self.evening.happen(self.evening.close(data.draw(st.sampled_from(closed))))

    @precondition(lambda self: self.evening.over)
    @rule()
    def rest(self) -> None:
        """When it is over, it stays over."""
        rules, state = self.evening.rules, self.evening.state
        assert rules.refuse(state, Resealed()) is not None
        assert rules.apply(state, Resealed()) is state
        assert not any(rules.list_options(state, seat) for seat in range(1, len(state.players) + 1))

    @invariant()
    def both_written_forms_replay_to_the_same_game_and_nothing_is_lost(self) -> None:
        self.record.keep()

    @invariant()
    def every_choice_offered_is_granted(self) -> None:
        rules, state = self.evening.rules, self.evening.state
        for seat in range(1, len(state.players) + 1):
            for may in rules.list_options(state, seat):
                for choice in may.choices if may.do not in ("sealed", "opened") else ():
                    for event in self.written(seat, may.do, choice):
                        assert rules.refuse(state, event) is None, event

    def written(self, seat: int, do: str, choice: Any) -> Iterator[Any]:
        """Every event that this choice stands for."""
        kind = next(row.event for row in self.evening.rules.rows if row.event_name == do)
        own = {"seat": seat} if "seat" in kind.__struct_fields__ else {}
        for values in product(*(v if isinstance(v, tuple) else (v,) for v in choice.values())):
            yield kind(**own, **dict(zip(choice, values, strict=True)))

    @invariant()
    def who_is_waited_for_can_act(self) -> None:
        rules, state = self.evening.rules, self.evening.state
        waiting = rules.awaited_seats(state)
        assert bool(waiting) == (state.phase != "over")
        assert all(rules.list_options(state, seat) for seat in waiting)

    @invariant()
    def what_should_lie_at_each_place_lies_there(self) -> None:
        assert_lies(self.evening)

    @invariant()
    def every_view_can_be_sent(self) -> None:
        rules, state, at = self.evening.rules, self.evening.state, len(self.evening.events)
        seats = range(1, len(state.players) + 1)
        for view in (open_view(rules, state, at), *(seat_view(rules, state, at, n) for n in seats)):
            assert msgspec.json.encode(view)

    def teardown(self) -> None:
        """However the game stands, it can be played to its end."""
        if hasattr(self, "evening"):
            self.evening.choose = Dice(Random(len(self.evening.events)))
            self.evening.play()
            self.record.keep()


class LateGame(WholeGame):
    """The same, joined near the end, so that the last rounds and the count come up as well."""

    joined: ClassVar[list[set[str]]]
    """What each game came to while Hypothesis decided."""

    @initialize(data=st.data(), readers=st.booleans())
    def sit_down(self, data: Any, readers: bool) -> None:
        number = data.draw(st.integers(0, len(setups(self.game)) - 1))
        seed, left = data.draw(st.integers(0, 2)), data.draw(st.integers(1, 12))
        _, seats, started = setups(self.game)[number]
        self.evening = Evening(self.game, Dice(Random(seed)), seats, readers, **started)
        until = whole_length(self.game, number, seed, readers) - left
        while len(self.evening.events) < until:
            self.evening.step()
            assert_lies(self.evening)
        self.record = Record(self.evening)
        self.joined.append(set())

    @invariant()
    def note_what_is_reached(self) -> None:
        if self.evening.over:
            self.joined[-1].add("the count")
        elif LAST_ROUND[self.game](self.evening.state):
            self.joined[-1].add("the last round")


LAST_ROUND: dict[str, Callable[[Any], bool]] = {
    "bankueberfall": lambda state: not all(player.hand for player in state.players),
    "banque_fatale": lambda state: bool(state.auctioned) and not any(state.open_cards),
    "robby_solo": lambda state: state.deck < len(state.banks) and state.phase != "fill",
}


def setups(game: str) -> list[tuple[str, int, dict[str, Any]]]:
    """The ways in which this game is set up here."""
    return [setup for setup in (*SETUPS, *SWEPT) if setup[0] == game]


@cache
def whole_length(game: str, number: int, seed: int, readers: bool) -> int:
    """How many events this seed's game has if the dice play it alone."""
    _, seats, started = setups(game)[number]
    return len(Evening(game, Dice(Random(seed)), seats, readers, **started).play().events)


def assert_lies(evening: Evening) -> None:
    """As many cards as the rules expect at each place, and those that they know."""
    expected, lying = evening.rules.expected_cards(evening.state), evening.pieces.lying()
    assert expected.keys() == lying.keys()
    for place, cards in expected.items():
        assert len(cards) == len(lying[place])
        assert all(a in (None, b) for a, b in zip(cards, lying[place], strict=True))


HYPOTHESIS = settings(
    max_examples=pick(8, 20, 300),
    stateful_step_count=40,
    suppress_health_check=list(HealthCheck),
)

LATE = settings(HYPOTHESIS, max_examples=pick(10, 12, 150), phases=[Phase.generate])
"""A game joined late has nothing to shrink: its first events are the dice's."""


def machine(game: str) -> Any:
    """The machine for one game, as a test case."""
    case = type(f"Whole_{game}", (WholeGame,), {"game": game}).TestCase
    case.settings = HYPOTHESIS
    return case


TestBankueberfall = machine("bankueberfall")
TestBanqueFatale = machine("banque_fatale")
TestRobbySolo = machine("robby_solo")


@pytest.mark.parametrize("game", own_games())
def test_games_joined_late_reach_the_last_round_and_the_count(game: str) -> None:
    late = type(f"Late_{game}", (LateGame,), {"game": game, "joined": []})
    run_state_machine_as_test(late, settings=LATE)
    reached = Counter(what for came_to in late.joined for what in came_to)
    assert reached["the last round"] >= 8, reached
    assert reached["the count"] >= 3, reached


@pytest.mark.parametrize(("game", "seats", "started"), [*SETUPS, *SWEPT])
@pytest.mark.parametrize("readers", [True, False])
def test_seeded_games_keep_every_law(
    game: str, seats: int, started: dict[str, Any], readers: bool
) -> None:
    for seed in range(pick(1, 4, 20)):
        evening = Evening(game, Dice(Random(seed)), seats, readers, **started)
        record = Record(evening)
        record.keep()
        while not evening.over:
            evening.step()
            record.keep()
            assert_lies(evening)
        assert evening.state.score.winners


UNREACHED = {
    ("robby_solo", "junior", "junior_shown", "over"),
    ("robby_solo", "fill", "end_agreed", "over"),
    ("robby_solo", "change", "went_on", "open"),
}
"""Ways that a box as it is sold never goes: its deck outlasts Robby Junior's first cycle, by chance
not everyone meets for a dozen rounds, and by default a card is taken back once."""


@pytest.mark.parametrize("game", own_games())
def test_every_way_through_the_phase_table_is_gone(game: str) -> None:
    missing = {
        (game, row.phase, row.event_name, to)
        for row in make_rulebook(game).rows
        for to in row.next_phases
    }
    unreached = {way for way in UNREACHED if way[0] == game}
    for seed, (name, seats, started) in enumerate([*SETUPS, *SWEPT] * 100):
        if name == game and (IS_LARGE or missing > unreached):
            evening = Evening(game, Dice(Random(seed)), seats, seed % 2 == 0, **started)
            missing -= _ways(evening, Random(seed))
    assert missing == unreached


def _ways(evening: Evening, random: Random) -> set[tuple[str, str, str, str]]:
    """Play on, now and then resealing or entering; the transitions that happened."""
    while not evening.over:
        state = evening.state
        dice = random.random()
        if state.phase == "choose":  # some rounds without a single chip
            evening.shy = dice < 0.6
        if state.phase == "sell" and dice < 0.8:
            evening.happen(evening.make(state.active, evening.wanted(state.active)[0]))
        elif dice < 0.03 and evening.rules.find_row(state, Resealed):
            evening.happen(Resealed())
        elif dice < 0.4 and state.phase == "open" and state.hands.unopened_seats():
            seat = random.choice(state.hands.unopened_seats())
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
    old = make_seal("evening", 99, 1, 3, "0" * 32)
    evening.happen(Sealed(1, old))
    evening.happen(Sealed(2, old))
    refused = evening.rules.refuse(
        evening.state,
        Opened(1, 3, "0" * 32),
    )
    assert refused is not None
    assert refused.code == "broken_seal"
