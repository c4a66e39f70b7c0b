"""Explanations of what has happened so far, without those that are no better than another."""

from collections.abc import Iterable
from typing import NamedTuple


class Explanation(NamedTuple):
    """The number of a state, and as bits the open calls that have had their effect: answered ones
    that change something, those that only read, unanswered ones."""

    state: int
    done: int = 0
    read: int = 0
    used: int = 0


class Best:
    """Explanations, without those that have fewer reads or more unanswered calls than another."""

    def __init__(self) -> None:
        self._kept: dict[tuple[int, int], list[tuple[int, int]]] = {}
        self._count = 0

    def add(self, each: Explanation) -> bool:
        """Add an explanation; return False if there is one as good already."""
        state, done, read, used = each
        kept = self._kept.get((state, done))
        if kept is None:
            self._kept[state, done] = [(read, used)]
        else:
            for more, fewer in kept:
                if not read & ~more and not fewer & ~used:
                    return False
            kept.append((read, used))
        self._count += 1
        return True

    def __len__(self) -> int:
        return self._count


def keep_best(found: Iterable[Explanation]) -> list[Explanation]:
    """Return the explanations without those that are no better than another."""
    best = Best()
    ordered = sorted(found, key=lambda each: each.used.bit_count() - each.read.bit_count())
    return [each for each in ordered if best.add(each)]
