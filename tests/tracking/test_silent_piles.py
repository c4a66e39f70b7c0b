"""Piles over a reader in the physical air: laid card by card, robbed, and swept.

Laws: every card of a kind has its slot, balanced and random; hands lay it either way round and up
to 5 mm askew. Of a card the table knows what its reader heard, and what people entered because it
was not heard. The rest of the game is scripted.
"""

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest

from companion.games import make_rulebook
from companion.games.rulebook import AnyRulebook
from hardware.simulated_table import SimulatedHardware, chip_number
from hardware.simulator.air.airs import PhysicsAir
from hardware.simulator.air.poses import deal_slots, draw_pose
from hardware.simulator.hands_on_table import GLANCE, StillClock
from hardware.simulator.tag import Tag
from hardware.simulator.world import tag_of
from hardware.wiring import load_profile
from tests.worlds.campaign import pick
from tests.worlds.naive_judges import rob
from tests.worlds.watched_table import Watched

BANK = 4
HEIGHTS = (2, 3, 4, 6, 8)
LAID, SHOWN = 1.2, 0.7
"""Seconds of the table's time for which a card lies before it is entered, and is held up."""


class PileOutcome(NamedTuple):
    """What came of one pile; `told_gone` counts its cards that were said to be missing."""

    heard: tuple[bool, ...]
    """Whether each card was heard as it was laid, from below."""
    told_gone: int
    is_true: bool
    """Whether there is a verdict, and it is that on the true cards."""


class SilentPile(Watched):
    """A table for two of which one reader lies under a pile; more tiles lay a card than usual."""

    def __init__(self, path: Path, seed: int) -> None:
        self.chance, wiring = Random(f"pile {seed}"), load_profile()
        one = {"readers": {BANK: wiring.readers[1]}, "buttons": {}, "lamps": {}}
        self.hardware = SimulatedHardware(
            msgspec.structs.replace(wiring, **one), StillClock(), air=PhysicsAir()
        )
        others = [n for n in range(1, 9) if n != BANK]
        super().__init__(path, readers=others, seats=2, sweep="doubtful")
        piled = self.rules.box.cards  # type: ignore[attr-defined]
        cards = [tag for thing, tags in self.tags.items() if thing in piled for tag in tags]
        slots = deal_slots([self.deck.things[tag] for tag in cards], self.chance)
        self.slots = dict(zip(cards, slots, strict=True))
        self.stickers: dict[str, Tag] = {}
        self.count = Counter[str]()
        self.pass_time(2.5)

    def choose_rules(self, game: str) -> AnyRulebook:
        """The rules for a box with many tiles that lay a card."""
        box: Any = make_rulebook(game).box
        return make_rulebook(game, msgspec.structs.replace(box, tiles={**box.tiles, "place": 9}))

    # A robbery.

    def play(self, height: int) -> PileOutcome:
        """Lay a pile, rob it and sweep it."""
        pile = self.chance.sample(sorted(self.slots), height)
        heard = tuple(self.lay_card(tag, first=n == 0) for n, tag in enumerate(pile))
        self.do(self.state.active, f'tile_turned seat={self.state.active} tile="rob"',
                f"bank_chosen seat={self.state.active} bank={BANK}")  # fmt: skip
        self.close(3, 0).show(3, 0)
        self.sweep(pile)
        judged: Any = rob([self.deck.things[t] for t in pile], {"seat 1": 3, "seat 2": 0}, {})  # type: ignore[no-untyped-call]
        found = self.state.verdict
        is_true = found is not None and all(
            getattr(found, name) == judged[name] for name in ("loot", "change", "outcome")
        )
        return PileOutcome(heard, self.count["missing"], is_true)

    def lay_card(self, tag: str, *, first: bool) -> bool:
        """Lay a card, and enter it if it is not heard; return whether it was."""
        seat = self.state.active
        if not first:
            self.do(seat, f'tile_turned seat={seat} tile="place"')
        self.hold(tag)
        self.pass_time(LAID)
        is_heard = self.state.phase != "place" and self.state.banks[BANK - 1][-1].card is not None
        if self.state.phase == "place":
            self.do(seat, f"card_placed seat={seat} bank={BANK}")
        self.look()
        self.pass_time(LAID)
        self.look()
        return is_heard

    def look(self) -> None:
        """Count the cards that the table misses while all of them lie there."""
        view: Any = self.table.view()
        self.count.update(todo.kind for todo in view.table.todos if todo.place == BANK)

    def is_swept(self) -> bool:
        """Whether the table waits for the cards of the pile."""
        return self.rules.current_sweep(self.state) is not None

    def sweep(self, pile: list[str]) -> None:
        """Show the cards one after the other, from the top; name those that are not heard."""
        is_lifted_whole, ticks = self.chance.random() < 0.5, Counter[str]()
        for tag in pile if is_lifted_whole else ():
            self.lift_card(tag)
        self.pass_time(SHOWN)
        for tag in reversed(pile):
            if not self.is_swept():
                break
            ticks[self.deck.things[tag]] += 1
            self.show_card(tag, ticks, is_lifted_whole=is_lifted_whole)
        if self.is_swept():
            self.settle(BANK, "cards")

    def show_card(self, tag: str, ticks: Counter[str], *, is_lifted_whole: bool) -> None:
        """Hold up one card over the reader, or over what is left of the pile there; people count
        the ticks of its name."""
        if not is_lifted_whole:
            self.lift_card(tag)
            self.pass_time(SHOWN)
        self.hold(tag)
        self.pass_time(SHOWN)
        name = self.deck.things[tag]
        if self.is_swept() and list(self.state.shown).count(name) < ticks[name]:
            self.do(1, f'card_shown bank={BANK} card="{name}"')
        self.lift_card(tag)
        self.pass_time(SHOWN)

    # Time and hands.

    def tick(self, seconds: float = 5.0) -> float:
        """What is scripted takes no time."""
        self.now = self.hardware.world.now
        return self.now

    def pass_time(self, seconds: float) -> None:
        """Let time pass, and tell the table what its reader hears."""
        world, end = self.hardware.world, self.hardware.world.now + seconds
        while world.now < end:
            self.hardware.run_until(min(end, world.now + GLANCE))
            for evidence in self.hardware.sense():
                self.table.sense(evidence)
        self.now = world.now

    def hold(self, tag: str) -> None:
        """Lay a card on the reader, or on the pile that lies there."""
        world = self.hardware.world
        pose = draw_pose(self.slots[tag], world.air.slot_pitch, self.chance)
        reader = chip_number(self.hardware.wiring, BANK)
        self.stickers[tag] = world.lay(tag_of(tag), reader, pose)

    def lift_card(self, tag: str) -> None:
        """Take a card off the reader."""
        self.hardware.world.lift(self.stickers.pop(tag))

    def end(self) -> None:
        """Release the wires and the journal."""
        self.hardware.close()
        self.journal.close()


# The tests.

PILES = pick(1, 2, 400)
"""Of each height."""


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("height", pick((3, 6), HEIGHTS, HEIGHTS))
def test_no_card_of_a_pile_is_told_to_have_left_and_the_sweep_finds_the_true_cards(
    tmp_path: Path, height: int
) -> None:
    for n in range(PILES):
        pile = SilentPile(tmp_path / f"{n}.sqlite3", 5 * n + HEIGHTS.index(height))
        found = pile.play(height)
        pile.end()
        assert (found.told_gone, found.is_true) == (0, True), found
        assert found.heard[0], found
