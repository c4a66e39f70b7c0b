"""Calls as a search for an order sees them, and what they do to states, each found out once."""

from bisect import insort
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

State = TypeVar("State", bound=Hashable)


@dataclass(frozen=True, eq=False)
class Call(Generic[State]):
    """A call: the states that it may lead to from a state, none if it cannot have been answered so;
    and the state as the call says it is.

    `is_read` says that it changes no state. Unanswered calls with the same `alike` do the same.
    """

    begun: float
    ended: float
    is_known: bool
    leads_to: Callable[[State], tuple[State, ...]]
    as_told: Callable[[State], State]
    source: object = None
    is_read: bool = False
    alike: Hashable = None


class States(Generic[State]):
    """States by numbers, which are quickly compared and kept."""

    def __init__(self) -> None:
        self._numbers: dict[State, int] = {}
        self._states: list[State] = []

    def number(self, state: State) -> int:
        """Return the number of a state."""
        n = self._numbers.setdefault(state, len(self._states))
        if n == len(self._states):
            self._states.append(state)
        return n

    def __getitem__(self, n: int) -> State:
        return self._states[n]


class Effect(Generic[State]):
    """What a call does to a state, as does every unanswered one like it."""

    def __init__(self, call: Call[State], states: States[State]) -> None:
        self._call, self._states = call, states
        self._found: dict[int, tuple[int, ...]] = {}

    def of(self, state: int) -> tuple[int, ...]:
        """Return the states that it leads to, without those that an unanswered call only keeps."""
        found = self._found.get(state)
        if found is None:
            call, states = self._call, self._states
            after = map(states.number, call.leads_to(states[state]))
            found = tuple(n for n in after if call.is_known or n != state)
            self._found[state] = found
        return found


class Alike(Generic[State]):
    """Open unanswered calls that do the same: of them the one that ends first is taken first."""

    def __init__(self, effect: Effect[State]) -> None:
        self.effect = effect
        self._open: list[tuple[float, int]] = []

    def __bool__(self) -> bool:
        return bool(self._open)

    def open(self, ended: float, bit: int) -> None:
        insort(self._open, (ended, bit))

    def close(self, ended: float, bit: int) -> None:
        self._open.remove((ended, bit))

    def next_after(self, used: int) -> int:
        """Return the bit of the first one that is not among the used ones; 0 if all are."""
        for _, bit in self._open:
            if not used & bit:
                return bit
        return 0
