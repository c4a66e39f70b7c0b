"""Deny by default, over real readers: loot under the top of a pile changes no byte for the others.

At the other table two players have won the other one's card, each with its own sticker in its own
slot, and on top of it the same card. Once the log and the verdict tell of later rounds, whoever may
not look through these piles gets the same bytes, if the same banks had to be swept.
"""

from pathlib import Path
from random import Random
from typing import NamedTuple

import msgspec

from companion.core.i18n import seat_key
from companion.table.view import SPECTATOR
from tests.worlds.campaign import pick
from tests.worlds.silent_loot import SilentLoot

CHOSEN = ((3, 3, 3), (1, 2, 3), (4, 4, 4))
"""The banks of each round: loot piles up, each takes some, and all meet."""
SEEDS = pick([0], [0, 2], range(40))
VIEWER, OWNER = 3, 1


class Seen(NamedTuple):
    """How many moments there were after a round, and every byte that is sent then."""

    version: int
    to_others: list[bytes]
    to_owner: bytes


def play(path: Path, seed: int, *, other: bool) -> list[Seen]:
    """Play three rounds; at the other table the first cards of two banks are exchanged."""
    table, seen = SilentLoot(path, seed, slips=0), list[Seen]()
    one, two = table.stock[-1:-3:-1]
    if other:
        table.stock[-1], table.stock[-2] = two, one
    for n, chosen in enumerate(CHOSEN):
        table.chance = Random(f"{seed} round {n}")
        table.play_round(*chosen)
        views = (table.table.view(), table.table.view(viewer=SPECTATOR), table.table.view(VIEWER))
        sent = [msgspec.json.encode(view) for view in views]
        seen.append(Seen(table.table.version, sent, msgspec.json.encode(table.table.view(OWNER))))
    assert table.won[seat_key(1)][0] == (two if other else one)
    table.end()
    return seen


def test_what_lies_under_the_top_of_a_pile_changes_no_byte_for_the_others(tmp_path: Path) -> None:
    looked = differed = 0
    for seed in SEEDS:
        here, there = (
            play(tmp_path / f"{is_other} {seed}.sqlite3", seed, other=is_other)
            for is_other in (False, True)
        )
        if [one.version for one in here] == [one.version for one in there]:
            assert here[-1].to_others == there[-1].to_others
            looked += 1
            differed += here[0] != there[0] and here[-1].to_owner != there[-1].to_owner
    assert looked
    assert differed
