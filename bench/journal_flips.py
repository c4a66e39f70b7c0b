"""By hand: damage a journal many times over, and see that nothing sound is lost.

    python -m bench.journal_flips --flips 5000 --cuts 1

Cuts the log and the file at every so many bytes of their last writes (1: every byte) and flips
random bits in both. Stops at the first line that was altered, dropped or passed over in silence.
"""

import argparse
import tempfile
from collections import Counter
from pathlib import Path
from random import Random

from tests.worlds.journal_damage import FRAME, PAGE, Files, cuts, flipped, judge, opened, written


def main() -> None:
    """Damage, open and compare; print how often how many lines were lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--flips", type=int, default=2_000, help="bits in each file")
    parser.add_argument("--cuts", type=int, default=7, help="bytes from one cut to the next")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        torn, shut = written(folder / "a"), written(folder / "b", closed=True)
        for where, files, last in (("wal", torn, 5 * FRAME), ("db", shut, 3 * PAGE)):
            print(
                where, "cut:", cut_tails(folder / "x", files, where, last, chosen.cuts), flush=True
            )
            print(where, "flipped:", flip_bits(folder / "x", files, where, chosen), flush=True)


def cut_tails(folder: Path, files: Files, where: str, last: int, stride: int) -> dict[int, int]:
    """Return how often how many lines were lost by cutting."""
    losses: Counter[int] = Counter()
    for at in cuts(files, where, last, stride):
        less = files._replace(**{where: getattr(files, where)[:at]})
        seen = opened(folder, less)
        lost = judge(files, less, seen)
        assert seen.notices or (where == "wal" and (at - 32) % FRAME == 0), f"silent at {at}"
        losses[len(lost)] += 1
    return dict(losses)


def flip_bits(folder: Path, files: Files, where: str, chosen: argparse.Namespace) -> dict[int, int]:
    """Return how often how many lines were lost by one flipped bit."""
    losses: Counter[int] = Counter()
    random = Random(chosen.seed)
    for _ in range(chosen.flips):
        bit = random.randrange(8 * len(getattr(files, where)))
        hurt = flipped(files, where, bit)
        seen = opened(folder, hurt)
        lost = judge(files, hurt, seen)
        assert len(lost) <= 1, f"bit {bit} cost {lost}"
        assert seen.notices or not lost, f"bit {bit}: silence"
        losses[len(lost)] += 1
    return dict(losses)


if __name__ == "__main__":
    main()
