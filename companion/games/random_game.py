"""A game played at random by its rule book alone: every step is one that a seat is offered.

Law: given its luck it always plays the same. Hands are closed around what the game says they may
hold; a game that does not say has its hands closed around a number.
"""

from collections.abc import Iterator
from random import Random
from typing import Any

from companion.core.commitment import HandChoice, NumberChoice, OneChoice, SomeChoice, make_seal
from companion.core.events import Event, Opened, Sealed, Value
from companion.games.game import Game
from companion.games.rulebook import AnyRulebook, Choice

LONGEST = 2_000
"""Events after which a game that has not ended is taken never to end."""


class RandomGame:
    """One game: its events, and the state after each."""

    def __init__(self, rules: AnyRulebook, seats: int, luck: Random) -> None:
        self.rules, self.luck = rules, luck
        self.held = dict[str, tuple[Value, str]]()
        """Contents of each seal."""
        self.events: list[Event] = [rules.make_start_event("random", seats)]
        self.states: list[Any] = [rules.apply(None, self.events[0])]

    @property
    def state(self) -> Any:
        return self.states[-1]

    @property
    def is_over(self) -> bool:
        return bool(self.state.phase == "over")

    def play_to_end(self) -> "RandomGame":
        """Play to the end, until LONGEST events, or until nothing is offered any more."""
        while not self.is_over and len(self.events) < LONGEST:
            event = self.next_event()
            if event is None:
                break
            self.add_event(event)
        return self

    def add_event(self, event: Event) -> None:
        self.events.append(event)
        self.states.append(self.rules.apply(self.state, event))

    def next_event(self) -> Event | None:
        """Return one of the events that are offered now; None if there is none."""
        offered = list(self.offered_events())
        return self.luck.choice(offered) if offered else None

    def offered_events(self) -> Iterator[Event]:
        """Yield an event for each thing that an awaited seat may do, its open fields chosen."""
        for seat in self.rules.awaited_seats(self.state):
            for may in self.rules.list_options(self.state, seat):
                if may.do == "sealed":
                    yield self.close_hand(seat)
                elif may.do == "opened":
                    yield from self.open_hand(seat)
                elif fillable := [one for one in may.choices if () not in one.values()]:
                    yield self._fill_choice(seat, may.do, self.luck.choice(fillable))

    def close_hand(self, seat: int) -> Sealed:
        """Return the event of a seat that closes its hand around anything offered."""
        choice = self.rules.hand_choice(self.state, seat) or NumberChoice(3)
        held = self.choose_value(choice)
        nonce = self.luck.randbytes(16).hex()
        seal = make_seal(self.state.id, self.state.hands.round, seat, held, nonce)
        self.held[seal] = (held, nonce)
        return Sealed(seat, seal)

    def open_hand(self, seat: int) -> Iterator[Opened]:
        """Yield the event of a seat that opens the hand it closed."""
        seal = self.state.hands.seals[seat - 1]
        if seal in self.held:
            yield Opened(seat, *self.held[seal])

    def choose_value(self, choice: HandChoice) -> Value:
        """Return anything that a hand may hold."""
        match choice:
            case NumberChoice():
                return self.luck.randint(choice.least, choice.most)
            case OneChoice():
                return self.luck.choice(choice.options)
            case SomeChoice():
                return self._choose_some(choice)
        text = f"hand_choice gives {choice!r}: no NumberChoice, OneChoice or SomeChoice"
        raise TypeError(text)

    def _choose_some(self, choice: SomeChoice) -> Value:
        rest = sum(choice.most.values()) if choice.total is None else choice.total
        found = dict[str, int]()
        for name, most in choice.most.items():
            taken = self.luck.randint(0, min(most, rest))
            rest -= taken
            if taken:
                found[name] = taken
        return found

    def _fill_choice(self, seat: int, do: str, choice: Choice) -> Event:
        """Return the event of a choice, with one of the values where several are offered."""
        fields = {name: self._pick_value(value) for name, value in choice.items()}
        return self.rules.make_event(seat, do, fields)

    def _pick_value(self, value: object) -> object:
        return self.luck.choice(value) if isinstance(value, tuple) else value


def play_at_random(game: Game, seed: int) -> RandomGame:
    """Return a game that is played to its end, with another number of seats for each seed."""
    rules = game.make_rulebook()
    least, most = rules.box.players.least, rules.box.players.most
    seats = least + seed % (most - least + 1)
    return RandomGame(rules, seats, Random(f"{game.name} {seed}")).play_to_end()
