"""A long run: many rounds in noise, until something false is reported.

`python -m bench.hardware_soak --rounds 100000` prints now and then what it counted so far. The
cards lie in the physical air, the stickers of those of a place in slots side by side. Nothing that
lies still may be removed, and nothing may come from nowhere.
"""

import argparse
import random
import time

from companion.core.sensor_events import Arrived, Evidence, Odd, ReaderFound, ReaderLost
from hardware.simulated_table import SimulatedHardware
from hardware.simulator import faults
from hardware.simulator.air.poses import pose_card
from hardware.wiring import load_profile

EIGHT = load_profile("eight-readers")
TELL_EVERY = 10_000
FRAME_LOSS, BIT_ERRORS = 0.05, 0.01


def count_false_in_noise(rounds: int) -> int:
    """Let two cards lie at every place in noise; return how many false things were reported."""
    simulated = SimulatedHardware(EIGHT)
    world, chance, at = simulated.world, random.Random(1), dict[str, int]()
    for reader in range(8):
        for slot in range(2):
            uid = b"\x04" + chance.randbytes(6)
            world.lay(uid, reader, pose_card(slot, world.air.slot_pitch))
            at[uid.hex()] = reader + 1
        faults.frame_loss(world, reader, FRAME_LOSS)
        faults.bit_errors(world, reader, BIT_ERRORS)
    begun, false, arrived = time.monotonic(), 0, set[str]()
    for n in range(1, rounds + 1):
        for news in simulated.hardware.readers.visit_all():
            false += not _is_true(news, at, arrived)
        if n % TELL_EVERY == 0:
            print(f"{n} rounds: {false} false, {time.monotonic() - begun:.0f} s", flush=True)
    room = f"{rounds} rounds, {FRAME_LOSS:.0%} frames lost, {BIT_ERRORS:.1%} bits wrong"
    told = f"{false} false, {len(arrived)} of 16 arrived"
    pace = f"{world.now / rounds * 1e3:.0f} ms a round, {time.monotonic() - begun:.0f} s"
    print(f"{room}: {told}, {pace}")
    simulated.close()
    return false + 16 - len(arrived)


def _is_true(news: Evidence, at: dict[str, int], arrived: set[str]) -> bool:
    if isinstance(news, ReaderLost | ReaderFound | Odd):
        return False
    if not isinstance(news, Arrived) or news.tag in arrived or at.get(news.tag) != news.place:
        print(f"  false: {news}")
        return False
    arrived.add(news.tag)
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=2000)
    return 1 if count_false_in_noise(parser.parse_args().rounds) else 0


if __name__ == "__main__":
    raise SystemExit(main())
