"""Deny by default, over real readers: two piles whose hidden cards differ look the same.

What one seat laid is another card at the other table, with its own sticker in its own slot, so the
stickers of the pile silence each other differently. Whoever may not know these cards gets the same
bytes, for as long as every card is heard when it is laid. One that is not must be entered by them
all to see, and is recognised by them all to see if it is heard later.
"""

from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import msgspec

from companion.table.view import SPECTATOR
from tests.worlds.campaign import pick
from tests.worlds.silent_piles import BANK, SilentPile

HEIGHT = 4
SEEDS = pick([34], [30, 34], range(100))
"""Of few, those at which the covered cards do differ."""
REACH = 24.0
"""In mm: at the usual reach too few cards of a pile are heard in both worlds."""
VIEWER = 1
"""The seat that may not know what the other one laid."""


class Step(NamedTuple):
    """A card laid: whether it was heard, which of the pile answer then, and what viewers see."""

    is_heard: bool
    answering: list[int]
    sent: list[bytes]


def lay_pile(path: Path, seed: int, *, other: bool) -> list[Step]:
    """Lay a pile; at the other table another card for each that the viewer may not know."""
    table, steps = SilentPile(path, seed, REACH), list[Step]()
    drawn = table.chance.sample(sorted(table.slots), 2 * HEIGHT)
    for n in range(HEIGHT):
        is_known = n > 0 and table.state.active == VIEWER
        tag = drawn[n + HEIGHT if other and not is_known else n]
        is_heard = table.lay_card(tag, first=n == 0)
        answering = table.table.tracker.picture.lying(BANK)
        steps.append(
            Step(is_heard, sorted(drawn.index(t) % HEIGHT for t in answering), seen(table))
        )
    table.end()
    return steps


def seen(table: SilentPile) -> list[bytes]:
    """Every byte that the table screen, a spectator and the viewing seat are sent."""
    views = (table.table.view(), table.table.view(viewer=SPECTATOR), table.table.view(VIEWER))
    return [msgspec.json.encode(view) for view in views]


def test_what_is_covered_changes_no_byte_for_those_who_may_not_know(tmp_path: Path) -> None:
    looked = differed = 0
    for seed in SEEDS:
        one, other = (
            lay_pile(tmp_path / f"{is_other} {seed}.sqlite3", seed, other=is_other)
            for is_other in (False, True)
        )
        for here, there in zip(one, other, strict=True):
            if not (here.is_heard and there.is_heard):
                break
            assert here.sent == there.sent
            looked += 1
            differed += here.answering != there.answering
        assert all(before.sent != after.sent for before, after in pairwise(one))
    assert looked > len(SEEDS)
    assert differed
