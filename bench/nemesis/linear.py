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

import math
from collections.abc import Hashable, Iterable, Iterator
from itertools import groupby
from typing import Generic

from bench.nemesis.calls import Alike, Call, Effect, State, States
from bench.nemesis.explanations import Best, Explanation, keep_best

MOST = 5_000
"""Explanations that are followed at once."""
BEGINS, ENDS, ENDS_UNANSWERED = range(3)
"""What happens to a call, in the order in which it does where the time is the same."""


def find_contradictions(
    calls: Iterable[Call[State]], first: State, most: int = MOST
) -> list[Call[State]]:
    """Return every call whose answer no order explains."""
    # An unanswered call that changes nothing says nothing.
    known = [call for call in calls if call.is_known or not call.is_read]
    moments = [(call.begun, BEGINS, n) for n, call in enumerate(known)]
    moments += [
        (call.ended, ENDS if call.is_known else ENDS_UNANSWERED, n)
        for n, call in enumerate(known)
        if call.ended < math.inf
    ]
    search, wrong = Search(first, most), list[Call[State]]()
    for (_, what), group in groupby(sorted(moments), key=lambda moment: moment[:2]):
        met = [known[n] for _, _, n in group]
        if what == ENDS_UNANSWERED:
            search.end_unanswered(met)
            continue
        for call in met:
            if what == BEGINS:
                search.begin(call)
            elif not search.end(call):
                wrong.append(call)
    return wrong


class TooManyExplanations(Exception):
    """More explanations than are followed at once."""


class Search(Generic[State]):
    """All explanations of the calls up to one moment."""

    def __init__(self, first: State, most: int) -> None:
        self._states, self._most = States[State](), most
        self._explained = [Explanation(self._states.number(first))]
        self._bits: dict[Call[State], int] = {}
        """Of all open calls but the reads that fitted every explanation when they began."""
        self._reads: dict[int, Effect[State]] = {}
        self._writes: dict[int, Effect[State]] = {}
        self._unanswered: dict[Hashable, Alike[State]] = {}
        self._effects: dict[Hashable, Effect[State]] = {}
        """Of the unanswered calls, by what they do."""
        self._fitting: dict[int, int] = {}
        """By state: the open reads that fit it."""

    def begin(self, call: Call[State]) -> None:
        """Let a call begin; a read that fits already is taken to have happened."""
        effect = self._effect(call)
        if call.is_read and all(effect.of(each.state) for each in self._explained):
            return
        taken = sum(self._bits.values())
        bit = self._bits[call] = ~taken & (taken + 1)
        if call.is_read:
            self._reads[bit] = effect
            self._fitting.clear()
            self._explained = [self._read_in(each) for each in self._explained]
        elif call.is_known:
            self._writes[bit] = effect
        else:
            like = _likeness(call)
            self._unanswered.setdefault(like, Alike(effect)).open(call.ended, bit)

    def _effect(self, call: Call[State]) -> Effect[State]:
        if call.is_known:
            return Effect(call, self._states)
        like = _likeness(call)
        if like not in self._effects:
            self._effects[like] = Effect(call, self._states)
        return self._effects[like]

    def end(self, call: Call[State]) -> bool:
        """Let an answered call end; return False if no explanation has it."""
        if call not in self._bits:
            return True
        bit = self._bits[call]
        found = self._find(bit)
        if not found:
            self._explained = [self._believe(call, each) for each in self._explained]
        self._close([call], found or self._explained)
        return bool(found)

    def end_unanswered(self, calls: list[Call[State]]) -> None:
        """Let unanswered calls end together: each has had its effect by now, or never has it.

        What comes after the last of their effects can still come later.
        """
        found = self._find(sum(self._bits[call] for call in calls))
        self._close(calls, [*self._explained, *found])

    def _believe(self, call: Call[State], each: Explanation) -> Explanation:
        told = call.as_told(self._states[each.state])
        return self._read_in(each._replace(state=self._states.number(told)))

    def _close(self, calls: list[Call[State]], found: list[Explanation]) -> None:
        """Forget calls that have ended, and all explanations but the best of these."""
        rest = ~sum(self._bits[call] for call in calls)
        for call in calls:
            bit = self._bits.pop(call)
            self._reads.pop(bit, None)
            self._writes.pop(bit, None)
            if not call.is_known:
                self._close_unanswered(call, bit)
        self._fitting.clear()
        self._explained = keep_best(
            Explanation(state, done & rest, read & rest, used & rest)
            for state, done, read, used in found
        )

    def _close_unanswered(self, call: Call[State], bit: int) -> None:
        like = _likeness(call)
        self._unanswered[like].close(call.ended, bit)
        if not self._unanswered[like]:
            del self._unanswered[like]

    def _find(self, wanted: int) -> list[Explanation]:
        """Return the explanations in which a wanted call has had its effect, as the last one."""
        try:
            return self._follow(wanted, is_lenient=False)
        except TooManyExplanations:
            return self._follow(wanted, is_lenient=True)

    def _follow(self, wanted: int, is_lenient: bool) -> list[Explanation]:
        """Follow all explanations, but not beyond an answered call that is wanted.

        A lenient search forgets which unanswered calls have had their effect.
        """
        best, found = Best(), list[Explanation]()
        level = [(0, each) for each in self._explained if best.add(each)]
        while level:
            found += [each for bit, each in level if wanted & (bit | each.done | each.read)]
            level = [
                step
                for _, each in level
                if not wanted & (each.done | each.read)
                for step in self._go_on(each, 0 if is_lenient else -1)
                if best.add(step[1])
            ]
            if len(best) > self._most and not is_lenient:
                raise TooManyExplanations
        return found

    def _go_on(self, before: Explanation, remembered: int) -> Iterator[tuple[int, Explanation]]:
        """Yield the bit of one more call, and what it leads to."""
        state, done, read, used = before
        for bit, effect in self._writes.items():
            if not done & bit:
                for after in effect.of(state):
                    yield bit, Explanation(after, done | bit, read | self._fits(after), used)
        for alike in self._unanswered.values():
            afters = alike.effect.of(state)
            bit = alike.next_after(used) if afters else 0
            for after in afters if bit else ():
                reads, calls = read | self._fits(after), (used | bit) & remembered
                yield bit, Explanation(after, done, reads, calls)

    def _fits(self, state: int) -> int:
        """Return the open reads that fit this state."""
        found = self._fitting.get(state)
        if found is None:
            found = sum(bit for bit, effect in self._reads.items() if effect.of(state))
            self._fitting[state] = found
        return found

    def _read_in(self, each: Explanation) -> Explanation:
        """Return this explanation with the reads that fit its state."""
        return each._replace(read=each.read | self._fits(each.state))


def _likeness(call: Call[State]) -> Hashable:
    return call if call.alike is None else call.alike
