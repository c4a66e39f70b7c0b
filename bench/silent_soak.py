"""`make bars`, the air over the banks: piles and careless taps, until one is wrong.

`python -m bench.silent_soak --piles 2000 --careless 300`. Piles of 2, 3, 4, 6 and 8 cards are laid
one by one over a reader in the physical air, robbed and swept; at tap banks in the same air people
forget, double and misplace 5 % of taps each. Every verdict is compared with the judge's on the true
cards. Each line is printed as soon as it is known, so that a run that is cut short has counted
something.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from hardware.simulator.air.airs import RANGE
from tests.worlds.careless_people import Careless
from tests.worlds.silent_piles import HEIGHTS, SilentPile

TELL_EVERY = 20
TAP_GAMES = ("bankueberfall", "robby_solo")

Count = Counter[str]


def lay_piles(seed: int) -> Iterator[Count]:
    """Play a pile of each height; yield what came of each."""
    for place, height in enumerate(HEIGHTS):
        with tempfile.TemporaryDirectory() as folder:
            pile = SilentPile(Path(folder) / "journal.sqlite3", len(HEIGHTS) * seed + place, RANGE)
            found = pile.play(height)
            pile.end()
        yield Count(
            {
                "piles": 1,
                "cards": height,
                "unheard when laid": height - sum(found.heard),
                "entered": found.entered,
                "told to have left": found.told_gone,
                "true verdicts": found.is_true,
                "wrong": not found.is_true or found.told_gone > 0,
            }
        )


def play_careless(seed: int) -> Iterator[Count]:
    """Play an evening at tap banks with each game that has piles; yield what came of each."""
    for game in TAP_GAMES:
        with (
            tempfile.TemporaryDirectory() as folder,
            closing(Careless(Path(folder) / "journal.sqlite3", game, seed)) as evening,
        ):
            stuck = 0
            try:
                evening.play()
            except AssertionError as asked:
                print(f"{game} {seed}: {asked}")
                stuck = 1
            wrong = len(evening.wrong)
            yield Count({"games": 1, **evening.happened, **evening.verdicts})
            yield Count({"wrong verdicts": wrong, "stuck": stuck, "wrong": wrong + stuck})


def repeat(what: str, play: Callable[[int], Iterator[Count]], seeds: int) -> int:
    """Play so many seeds and tell what was counted, now and then; return how much was wrong."""
    count, begun = Count(), time.monotonic()
    for seed in range(1, seeds + 1):
        for found in play(seed):
            count.update(found)
        if seed % TELL_EVERY == 0 or seed == seeds:
            told = ", ".join(f"{name} {count[name]}" for name in count if name != "wrong")
            seconds = time.monotonic() - begun
            print(f"{what}, seeds to {seed}: {told}; {seconds:.0f} s", flush=True)
    return count["wrong"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--piles", type=int, default=0)
    parser.add_argument("--careless", type=int, default=0, metavar="GAMES")
    asked = parser.parse_args()
    wrong = repeat("piles", lay_piles, asked.piles // len(HEIGHTS))
    wrong += repeat("careless taps", play_careless, asked.careless // len(TAP_GAMES))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
