"""Linearizability: is there one order of all calls that explains what each of them was told?

    calls with their times and what each does to a state -> every call that nothing explains

Works as Wing and Gong, and Lowe: goes through the beginnings and ends in time, and keeps each
explanation of all that has ended once, by its state and the open calls that have had their effect.

Laws: a call takes effect at one moment between its beginning and its end. One that was never
answered may take effect once or never, up to its latest moment. After a contradiction the state is
taken as the call says, so that one loss is reported once. Where more than `MOST` explanations would
be followed at once, unanswered calls may there take effect more than once: this always decides in
bounded memory, and reports nothing that has an explanation.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

State = TypeVar("State", bound=Hashable)
MOST = 5_000
"""Explanations that are followed at once."""


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


class TooManyExplanations(Exception):
    """More explanations than are followed at once."""


class Explanation(NamedTuple, Generic[State]):
    """A state, and as bits the open calls that have had their effect: answered ones that change
    something, those that only read, unanswered ones."""

    state: State
    done: int = 0
    read: int = 0
    used: int = 0


def find_contradictions(
    calls: Iterable[Call[State]], first: State, most: int = MOST
) -> list[Call[State]]:
    """Return every call whose answer no order explains."""
    known = sorted(calls, key=lambda call: call.begun)
    moments = sorted(
        [(call.begun, 0, n) for n, call in enumerate(known)]
        + [(call.ended, 1 if call.is_known else 2, n) for n, call in enumerate(known)]
    )
    search, wrong = Search(first, most), list[Call[State]]()
    for _, is_end, n in moments:
        if not is_end:
            search.begin(known[n])
        elif not search.end(known[n]):
            wrong.append(known[n])
    return wrong


class Search(Generic[State]):
    """All explanations of the calls up to one moment."""

    def __init__(self, first: State, most: int) -> None:
        self._explained = [Explanation(first)]
        self._open: dict[Call[State], int] = {}
        self._most = most
        self._fitting: dict[State, int] = {}
        """By state: the open reads that fit it."""

    def begin(self, call: Call[State]) -> None:
        """Let a call begin; a read that fits already is taken to have happened."""
        taken = sum(self._open.values())
        self._open[call] = ~taken & (taken + 1)
        if call.is_read:
            self._fitting.clear()
            self._explained = [each._replace(read=self._read_in(each)) for each in self._explained]

    def end(self, call: Call[State]) -> bool:
        """Let a call end; return False if no explanation has it."""
        try:
            found = self._explain(call, is_lenient=False)
        except TooManyExplanations:
            found = self._explain(call, is_lenient=True)
        is_explained = bool(found) or not call.is_known
        if not is_explained:
            found = [each._replace(state=call.as_told(each.state)) for each in self._explained]
        elif not call.is_known:
            found += self._explained
        rest = ~self._open.pop(call)
        self._fitting.clear()
        self._explained = _keep_best(
            Explanation(state, done & rest, read & rest, used & rest)
            for state, done, read, used in found
        )
        return is_explained

    def _explain(self, call: Call[State], is_lenient: bool) -> list[Explanation[State]]:
        """Return the explanations in which this call has had its effect; others may have, too.

        A lenient one forgets which unanswered calls have had theirs.
        """
        bit, best = self._open[call], Best[State]()
        level, found = [each for each in self._explained if best.add(each)], []
        while level:
            found += [each for each in level if bit & (each.done | each.read | each.used)]
            level = [
                after
                for each in level
                if not bit & (each.done | each.read | each.used)
                for after in self._go_on(each, bit if is_lenient else -1)
                if best.add(after)
            ]
            if len(best) > self._most and not is_lenient:
                raise TooManyExplanations
        return found

    def _go_on(self, before: Explanation[State], remembered: int) -> Iterator[Explanation[State]]:
        """Yield what one more call leads to."""
        state, done, read, used = before
        for call, bit in self._open.items():
            if call.is_known and not call.is_read and not done & bit:
                done_with, used_with = done | bit, used
            elif not call.is_known and not used & bit and self._is_next(call, used):
                done_with, used_with = done, used | bit
            else:
                continue
            for after in call.leads_to(state):
                if call.is_known or after != state:
                    each = Explanation(after, done_with, read, used_with & remembered)
                    yield each._replace(read=self._read_in(each))

    def _is_next(self, call: Call[State], used: int) -> bool:
        """Return whether this is the one of the unanswered calls like it that ends first."""
        alike = [
            each
            for each, bit in self._open.items()
            if each.alike == call.alike and not each.is_known and not used & bit
        ]
        return call.alike is None or min(alike, key=lambda each: each.ended) is call

    def _read_in(self, each: Explanation[State]) -> int:
        """Return the reads that this explanation has, with those that fit its state."""
        state, fitting = each.state, self._fitting
        if state not in fitting:
            reads = (pair for pair in self._open.items() if pair[0].is_read)
            fitting[state] = sum(bit for call, bit in reads if call.leads_to(state))
        return each.read | fitting[state]


class Best(Generic[State]):
    """Explanations, without those that have fewer reads or more unanswered calls than another."""

    def __init__(self) -> None:
        self._kept: dict[tuple[State, int], list[tuple[int, int]]] = {}
        self._count = 0

    def add(self, each: Explanation[State]) -> bool:
        """Add an explanation; return False if there is one as good already."""
        state, done, read, used = each
        kept = self._kept.setdefault((state, done), [])
        if any(not read & ~more and not fewer & ~used for more, fewer in kept):
            return False
        kept.append((read, used))
        self._count += 1
        return True

    def __len__(self) -> int:
        return self._count


def _keep_best(found: Iterable[Explanation[State]]) -> list[Explanation[State]]:
    """Return the explanations without those that are no better than another."""
    best = Best[State]()
    ordered = sorted(found, key=lambda each: each.used.bit_count() - each.read.bit_count())
    return [each for each in ordered if best.add(each)]
