"""Heaps of pieces: where each piece of a box is kept, and what is on top.

Law: every piece is in exactly one heap. A heap is known by its kind and, where there are several,
its number; the last piece in it is its top.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")


class Heap(NamedTuple):
    """A place for pieces: a pile, the hand of seat 2, place 3."""

    kind: str
    number: int = 0


PLACE, FIGURE_AT = "place", "figure at"
ON_TABLE = (PLACE, FIGURE_AT)
"""The kinds of heap that lie in the fields, at the place of their number."""
BOX = Heap("box")


class Heaps:
    """The tagged pieces of a box, and the heap that each is in."""

    def __init__(self, things: dict[str, str]) -> None:
        self.things = things
        """What each tag is stuck to."""
        self._put_all_in_box()

    def _put_all_in_box(self) -> None:
        self._heaps: dict[Heap, list[str]] = {BOX: list(self.things)}

    def _heap_tags(self, heap: Heap) -> list[str]:
        return self._heaps.setdefault(heap, [])

    def _heap_names(self, heap: Heap) -> list[str]:
        return [self.things[tag] for tag in self._heaps.get(heap, ())]

    def _find_piece(self, heap: Heap, thing: str) -> str:
        """Return the first piece of this name in a heap."""
        for tag in self._heaps.get(heap, ()):
            if self.things[tag] == thing:
                return tag
        raise LookupError(f"There is no {thing} in {heap.kind} {heap.number}.")

    def _top_piece(self, heap: Heap) -> str:
        """Return the top of a pile."""
        if not self._heaps.get(heap):
            raise LookupError(f"The {heap.kind} is empty.")
        return self._heaps[heap][-1]

    def _put_in_heap(self, tags: Sequence[str], to: Heap, under: bool = False) -> None:
        """Put pieces onto a heap or under it."""
        for heap in self._heaps.values():
            heap[:] = [tag for tag in heap if tag not in tags]
        target = self._heap_tags(to)
        target[:] = [*tags, *target] if under else [*target, *tags]

    def _meant_places(self) -> dict[str, int]:
        """Return the place of each piece that should lie at one."""
        return {tag: heap.number for heap, tags in self._heaps.items()
                if heap.kind in ON_TABLE for tag in tags}  # fmt: skip

    def _all_heaps(self) -> dict[Heap, list[str]]:
        return {heap: self._heap_names(heap) for heap, tags in self._heaps.items() if tags}

    def _to_json(self) -> dict[str, object]:
        """Return all heaps as JSON can hold them."""
        heaps = [[*heap, list(tags)] for heap, tags in self._heaps.items()]
        return {"things": dict(self.things), "heaps": heaps}

    def _from_json(self, written: Mapping[str, Any]) -> None:
        """Restore all heaps; `things` is changed in place for those that hold it."""
        self.things.clear()
        self.things.update(written["things"])
        self._heaps = {Heap(kind, n): list(tags) for kind, n, tags in written["heaps"]}


def check_choice(what: str, options: Iterable[T], wanted: T) -> T:
    """Return the wanted option; raise LookupError if it is not there."""
    if wanted not in list(options):
        raise LookupError(f"There is no {what} {wanted}.")
    return wanted
