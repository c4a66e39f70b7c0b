"""Linearizability: is there one order of all calls that explains what each of them was told?

    calls with their times and what each does to a state -> the first call that nothing explains

Laws: a call takes effect at one moment between its beginning and its end. One that was never
answered may take effect once or never, up to its latest moment. After a contradiction the state is
taken as the call says, so that one loss is reported once.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

State = TypeVar("State")
MOST = 20_000
"""Explanations that are followed at once."""


@dataclass(frozen=True, eq=False)
class Call(Generic[State]):
    """A call: the states that it may lead to from a state, none if it cannot have been answered so;
    and the state as the call says it is."""

    begun: float
    ended: float
    is_known: bool
    leads_to: Callable[[State], tuple[State, ...]]
    as_told: Callable[[State], State]
    source: object = None


Explanation = tuple[State, frozenset[int]]
"""A state, and the open calls that have had their effect already."""


class TooManyExplanations(Exception):
    """The calls overlap too much to be decided."""


def find_contradictions(calls: Iterable[Call[State]], first: State) -> list[Call[State]]:
    """Return every call whose answer no order explains."""
    known = list(calls)
    moments = sorted(
        [(call.begun, 0, n) for n, call in enumerate(known)]
        + [(call.ended, 1 if call.is_known else 2, n) for n, call in enumerate(known)]
    )
    explained: set[Explanation[State]] = {(first, frozenset())}
    open_calls: dict[int, Call[State]] = {}
    wrong = list[Call[State]]()
    for _, is_end, n in moments:
        call = known[n]
        if not is_end:
            open_calls[n] = call
            continue
        with_it = _explain_end(explained, open_calls, n)
        if not call.is_known:
            explained |= with_it
        elif with_it:
            explained = with_it
        else:
            wrong.append(call)
            explained = {(call.as_told(state), done) for state, done in explained}
        del open_calls[n]
        explained = _close(explained, open_calls, n)
    return wrong


def _close(
    explained: set[Explanation[State]], open_calls: dict[int, Call[State]], n: int
) -> set[Explanation[State]]:
    """Forget a call that is over, and every explanation that is no better than another."""
    best = Best[State](frozenset(each for each, call in open_calls.items() if not call.is_known))
    ordered = sorted(((state, done - {n}) for state, done in explained), key=lambda e: len(e[1]))
    return {each for each in ordered if best.add(*each)}


def _explain_end(
    explained: set[Explanation[State]], open_calls: dict[int, Call[State]], n: int
) -> set[Explanation[State]]:
    """Return the explanations in which this call has had its effect; others may have, too."""
    unanswered = frozenset(each for each, call in open_calls.items() if not call.is_known)
    best = Best[State](unanswered)
    level, found = [each for each in explained if best.add(*each)], set[Explanation[State]]()
    while level:
        found |= {each for each in level if n in each[1]}
        level = [
            (after, done | {other})
            for state, done in level
            if n not in done
            for other, call in open_calls.items()
            if other not in done
            for after in call.leads_to(state)
            if best.add(after, done | {other})
        ]
        if len(best) > MOST:
            raise TooManyExplanations
    return found


class Best(Generic[State]):
    """Explanations, without those that explain the same state with more unanswered calls."""

    def __init__(self, unanswered: frozenset[int]) -> None:
        self._unanswered = unanswered
        self._kept: dict[Explanation[State], list[frozenset[int]]] = {}
        self._count = 0

    def add(self, state: State, done: frozenset[int]) -> bool:
        """Add an explanation; return False if there is one as good already."""
        used = done & self._unanswered
        kept = self._kept.setdefault((state, done - used), [])
        if any(fewer <= used for fewer in kept):
            return False
        kept.append(used)
        self._count += 1
        return True

    def __len__(self) -> int:
        return self._count
