"""Piles over a reader in the physical air: laid card by card, robbed, and swept.

Law: of a card the table knows what its reader heard, and what people entered because it was not
heard.
"""

from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from companion.games import make_rulebook
from companion.games.rulebook import AnyRulebook
from hardware.simulator.air.airs import RANGE
from tests.worlds.naive_bankueberfall import rob
from tests.worlds.silent_table import LAID, SilentTable

BANK = 4
HEIGHTS = (2, 3, 4, 6, 8)


class PileOutcome(NamedTuple):
    """What came of one pile; `told_gone` counts its cards that were said to be missing."""

    height: int
    heard: tuple[bool, ...]
    """Whether each card was heard as it was laid, from below."""
    told_gone: int
    entered: int
    """Requests by phone, for cards that were not heard as they were laid or shown."""
    settled: int
    is_true: bool
    """Whether there is a verdict, and it is that on the true cards."""


class SilentPile(SilentTable):
    """A table for two of which one reader lies under a pile; more tiles lay a card than usual."""

    def __init__(self, path: Path, seed: int, reach: float = RANGE) -> None:
        others = [n for n in range(1, 9) if n != BANK]
        super().__init__(path, f"pile {seed}", (BANK,), others, reach, seats=2, sweep="doubtful")

    def choose_rules(self, game: str) -> AnyRulebook:
        """The rules for a box with many tiles that lay a card."""
        box: Any = make_rulebook(game).box
        return make_rulebook(game, msgspec.structs.replace(box, tiles={**box.tiles, "place": 9}))

    def is_piled(self, thing: str) -> bool:
        """Whether this is neither a tile nor the figure."""
        return thing in self.rules.box.cards  # type: ignore[attr-defined]

    # A robbery.

    def play(self, height: int) -> PileOutcome:
        """Lay a pile, rob it and sweep it."""
        pile = self.chance.sample(sorted(self.slots), height)
        heard = tuple(self.lay_card(tag, first=n == 0) for n, tag in enumerate(pile))
        self.do(self.state.active, f'tile_turned seat={self.state.active} tile="rob"',
                f"bank_chosen seat={self.state.active} bank={BANK}")  # fmt: skip
        self.close(3, 0).show(3, 0)
        self.sweep(pile, BANK)
        judged: Any = rob([self.deck.things[t] for t in pile], {"seat 1": 3, "seat 2": 0})  # type: ignore[no-untyped-call]
        found = self.state.verdict
        is_true = found is not None and all(
            getattr(found, name) == judged[name] for name in ("loot", "change", "outcome")
        )
        count = self.count
        return PileOutcome(
            height, heard, count["missing"], count["entered"], count["settled"], is_true
        )

    def lay_card(self, tag: str, *, first: bool) -> bool:
        """Lay a card, and enter it if it is not heard; return whether it was."""
        seat = self.state.active
        if not first:
            self.do(seat, f'tile_turned seat={seat} tile="place"')
        self.hold(tag, BANK)
        self.pass_time(LAID)
        is_heard = self.state.phase != "place" and self.state.banks[BANK - 1][-1].card is not None
        if self.state.phase == "place":
            self.do(seat, f"card_placed seat={seat} bank={BANK}")
            self.count["entered"] += 1
        self.look((BANK,))
        self.pass_time(LAID)
        self.look((BANK,))
        return is_heard
