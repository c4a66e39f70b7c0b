"""What is heard of piles of one to six cards in the physics air, by our driver on one reader.

`python -m bench.air --piles 300 --seed 1`: cards are laid one by one, their slots balanced and
random, each either way round and up to 5 mm askew. A card counts as heard if it answers at one of
three looks after it was laid. There is no promise here: the air is as it is.
"""

import argparse
import math
from collections import defaultdict
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from hardware.drivers import open_readers
from hardware.reader import Reader
from hardware.simulated_table import build_world
from hardware.simulator.air.airs import HEARING_FIRST, POWER_FIRST, HearingLimits, PhysicsAir
from hardware.simulator.air.poses import BARE, SLEEVED, SLOTS, deal_slots, pose_card
from hardware.simulator.world import World
from hardware.wiring import load_profile

MOST, LOOKS = 6, 3
LAWS = {"power": POWER_FIRST, "hearing": HEARING_FIRST}


class LaidCard(NamedTuple):
    """A card as it was laid, and what came of it."""

    number: int
    """Its place in the pile, from 1."""
    relation: str
    """Where its slot is in the card by that of the card below: same, beside, diagonal."""
    turned: bool
    """Whether it lies the other way round than the card below."""
    askew: float
    """Distance from where it should lie, in mm."""
    heard: bool


class PileBench:
    """One reader under the physics air, and hands that lay piles on it."""

    def __init__(self, world: World, reader: Reader, chance: Random, thickness: float) -> None:
        self.world, self.reader, self.chance, self.thickness = world, reader, chance, thickness
        self.whole: dict[int, list[bool]] = defaultdict(list)

    def lay_pile(self) -> Iterator[LaidCard]:
        """Lay a pile card by card, then take it away."""
        slots = deal_slots(["card"] * MOST, self.chance)
        lying, below = list[bytes](), (0, False)
        tags = []
        for number, slot in enumerate(slots, 1):
            turned, far = self.chance.random() < 0.5, self.chance.uniform(0, 5)
            way = self.chance.uniform(0, 2 * math.pi)
            pose = pose_card(
                slot,
                self.world.air.slot_pitch,
                turned=turned,
                askew=(far * math.cos(way), far * math.sin(way)),
                thickness=self.thickness,
            )
            uid = b"\x04" + self.chance.randbytes(6)
            tags.append(self.world.lay(uid, 0, pose))
            lying.append(uid)
            relation = _relate_slots(slot, below[0]) if number > 1 else "-"
            other_way = number > 1 and turned != below[1]
            yield LaidCard(number, relation, other_way, far, self._is_heard(uid, lying))
            below = (slot, turned)
        for tag in tags:
            self.world.lift(tag)

    def _is_heard(self, uid: bytes, lying: list[bytes]) -> bool:
        """Look as the rounds do; note besides whether the whole pile answered at once."""
        known, seen, whole = lying[:-1], False, False
        for _ in range(LOOKS):
            signs = self.reader.inventory(known).signs
            heard = {found for found, sign in signs.items() if sign == "seen"}
            seen, whole = seen or uid in heard, whole or heard >= set(lying)
        self.whole[len(lying)].append(whole)
        return seen


def _relate_slots(one: int, other: int) -> str:
    (x, y), (u, v) = SLOTS[one], SLOTS[other]
    return ("same", "beside", "diagonal")[(x != u) + (y != v)]


def _share(found: list[bool]) -> str:
    return f"{sum(found):5} of {len(found):5} = {sum(found) / max(1, len(found)):4.0%}"


def _print_shares(cards: list[LaidCard], whole: dict[int, list[bool]]) -> None:
    print("card in the pile      heard on arrival           the whole pile answers at once")
    for number in range(1, MOST + 1):
        heard = [card.heard for card in cards if card.number == number]
        print(f"{number:<20} {_share(heard):<26} {_share(whole[number])}")
    print("second card: slot, way round and misplacement by the card below")
    seconds = [card for card in cards if card.number == 2]
    for relation in ("same", "beside", "diagonal"):
        for turned in (False, True):
            way = "other way" if turned else "same way"
            parts = [
                _share([c.heard for c in seconds
                        if (c.relation, c.turned) == (relation, turned) and low <= c.askew < high])
                for low, high in ((0, 1.7), (1.7, 3.3), (3.3, 5.1))
            ]  # fmt: skip
            print(f"{relation:<9} {way:<10} 0–1.7 mm {parts[0]}  –3.3 mm {parts[1]}  –5 {parts[2]}")


def measure_piles(piles: int, seed: int, limits: HearingLimits, thickness: float) -> None:
    """Lay so many piles and print what was heard."""
    wiring = load_profile("eight-readers")
    world = build_world(wiring, air=PhysicsAir(limits=limits))
    with world.install_stand_ins():
        opened = open_readers(wiring, world.clock)
        reader = opened.by_place[1]
        reader.start()
        bench = PileBench(world, reader, Random(seed), thickness)
        cards = [card for _ in range(piles) for card in bench.lay_pile()]
        opened.close()
    _print_shares(cards, bench.whole)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--piles", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--law", choices=LAWS, default="power", help="which limit comes first")
    parser.add_argument("--bare", action="store_true", help="cards without sleeves")
    asked = parser.parse_args()
    measure_piles(asked.piles, asked.seed, LAWS[asked.law], BARE if asked.bare else SLEEVED)


if __name__ == "__main__":
    main()
