"""Whole evenings with restless hands and every fault, compared with what truly lay where.

Law: every reported arrival and departure was a real one, and when the faults are over the table
knows where every card lies. Two faults are left out because no reader can see them: a broken coil,
and stickers that silence each other. `python -m bench.hardware_evening 20`
"""

import random
import sys
import time
from collections.abc import Callable

from companion.core.sensor_events import Arrived, Evidence, Left
from hardware.simulated_table import SimulatedHardware
from hardware.simulator import faults
from hardware.simulator.faults import Undo
from hardware.simulator.tag import Tag
from hardware.simulator.world import tag_of
from hardware.wiring import load_profile

CARDS, DEEDS, CALM = 24, 120, 30.0
LATELY = 30.0


class HardwareEvening:
    """One table, its hands, its faults, and what truly lies where."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.simulated = SimulatedHardware(load_profile("eight-readers"))
        self.world = self.simulated.world
        self.cards = [tag_of(b"\x04" + self.chance.randbytes(6)) for _ in range(CARDS)]
        self.truth: dict[str, int] = {}
        self.been: dict[tuple[str, int], float] = {}
        self.touched: dict[str, float] = {}
        self.told = self.false = 0

    def play(self) -> bool:
        """Move cards among faults, then without; return whether all evidence was true."""
        for _ in range(DEEDS):
            undo = self._start_fault() if self.chance.random() < 0.5 else None
            self._move_card()
            self._run_for(self.chance.uniform(0.3, 4))
            if undo is not None:
                undo()
        self._run_for(CALM)
        lying = {
            tag: card.place for tag, card in self.simulated.hardware.readers.lying_tags().items()
        }
        self.simulated.close()
        if lying != self.truth:
            print(f"  in the end: {set(lying.items()) ^ set(self.truth.items())}")
        return not self.false and lying == self.truth

    def _move_card(self) -> None:
        """Put one card down, take one up, or move one; not too hastily."""
        card = self.chance.choice(self.cards)
        tag, now = card.uid.hex(), self.world.now
        if now - self.touched.get(tag, -LATELY) < 5:
            return
        self.touched[tag] = now
        if tag in self.truth:
            self.been[tag, self.truth.pop(tag)] = now
            self.world.lift(card)
        if self.chance.random() < 0.7:
            self.truth[tag] = self.chance.randint(1, 8)
            self.world.put(card, self.truth[tag] - 1)

    def _start_fault(self) -> Undo:
        """Start a random fault of a reader, a wire or a card."""
        world, reader = self.world, self.chance.randrange(8)
        troubles: list[Callable[[], Undo]] = [
            lambda: faults.silence_reader(world, reader, self.chance.choice((0x00, 0xFF))),
            lambda: faults.brown_out(world, reader),
            lambda: faults.crypto_stuck(world, reader),
            lambda: faults.grips_miso(world, reader),
            lambda: faults.frame_loss(world, reader, 0.1),
            lambda: faults.bit_errors(world, reader, 0.01),
            lambda: faults.slow_wires(world, 300_000),
        ]
        lying = [card for card in self.cards if card.uid.hex() in self.truth]
        if lying:
            card = self.chance.choice(lying)
            troubles.append(lambda: self._slide_card(card))
        return self.chance.choice(troubles)()

    def _slide_card(self, card: Tag) -> Undo:
        return self._unless_moved(
            card, faults.slide_to_edge(self.world, card.uid.hex(), self.chance.uniform(0.1, 0.5))
        )

    def _unless_moved(self, card: Tag, undo: Undo) -> Undo:
        """Return an undo that leaves a card alone if it was moved meanwhile."""
        touched = self.touched.get(card.uid.hex())
        return lambda: undo() if self.touched.get(card.uid.hex()) == touched else None

    def _run_for(self, seconds: float) -> None:
        end = self.world.now + seconds
        while self.world.now < end:
            for news in self.simulated.hardware.readers.step():
                self._judge_evidence(news)

    def _judge_evidence(self, news: Evidence) -> None:
        if not isinstance(news, Arrived | Left):
            return
        self.told += 1
        here = self.truth.get(news.tag) == news.place
        lately = self.been.get((news.tag, news.place), -LATELY)
        if isinstance(news, Arrived):
            right = here or news.at - lately < 1
        else:
            right = not here or news.at - lately < LATELY
        if not right:
            self.false += 1
            print(f"  false: {news}")


def main(evenings: int) -> int:
    begun, wrong, told = time.monotonic(), 0, 0
    for seed in range(evenings):
        evening = HardwareEvening(seed)
        if not evening.play():
            wrong += 1
            print(f"  in evening {seed}")
        told += evening.told
    took = time.monotonic() - begun
    print(f"{evenings} evenings, {told} arrivals and departures: {wrong} not true, {took:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 3))
