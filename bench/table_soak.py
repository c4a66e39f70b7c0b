"""`make bars`, second part: whole games by bots, with everything going wrong, and the plug pulled.

100 unattended evenings of each game at the simulated table, then 100 rough ones; every verdict
compared with the judge's on the true cards. Then the companion killed at random moments, bots
playing on after each start.
"""

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from companion.games import game_names
from hardware.simulator.air.airs import AIRS
from tests.worlds.power_cut import Plug
from tests.worlds.rough_evening import Rough

Air = Literal["physics", "ideal"]


def play_evenings(game: str, games: int, rough: bool, air: Air) -> Iterator[str]:
    """Play so many evenings of a game; yield what went wrong."""
    verdicts, happened, seconds = Counter[str](), Counter[str](), 0.0
    for seed in range(games):
        with tempfile.TemporaryDirectory() as folder:
            evening = Rough(Path(folder) / "journal.sqlite3", game, seed, rough=rough, air=air)
            try:
                evening.play()
            except AssertionError as stuck:
                yield f"{game} {seed}: {stuck}"
            seconds += evening.top.world.now
            evening.close()
        verdicts += evening.verdicts
        happened += evening.happened
        yield from (f"{game} {seed}: {wrong}" for wrong in evening.wrong)
    kind = "rough" if rough else "quiet"
    print(f"{game}: {games} {kind} games, {seconds / 3600:.1f} h of the table's time, "
          f"verdicts {dict(verdicts)}, mischief {dict(happened)}", flush=True)  # fmt: skip


def pull_plug(game: str, pulls: int) -> Iterator[str]:
    """Pull the plug so many times; yield what was lost."""
    with tempfile.TemporaryDirectory() as folder:
        table = Plug(Path(folder), game, seed=7)
        try:
            for _ in range(pulls):
                table.pull()
        except AssertionError as lost:
            yield f"{game}, pull {table.pulls}: {lost}"
        print(f"{game}: {table.pulls} pulls, {len(table.acknowledged)} acknowledged, 0 lost; "
              f"{table.in_flight} in flight, {table.finished} games over", flush=True)  # fmt: skip


def main() -> int:
    """Run everything for each game; return 1 if anything went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quiet", type=int, default=100)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--pulls", type=int, default=110)
    parser.add_argument("--air", choices=AIRS, default="physics")
    chosen = parser.parse_args()
    wrong = list[str]()
    for games, rough in ((chosen.quiet, False), (chosen.games, True)):
        for game in game_names():
            wrong += play_evenings(game, games, rough, chosen.air)
    wrong += [line for game in game_names() for line in pull_plug(game, chosen.pulls)]
    for line in wrong:
        print(line)
    return 1 if wrong else 0


sys.exit(main())
