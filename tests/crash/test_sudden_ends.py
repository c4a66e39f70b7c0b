"""The companion is killed, or its power fails, at random: nothing that it granted is lost."""

import subprocess
import sys
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from random import Random
from threading import Timer

import pytest

from tests.crash.evening import DEAD, ENDLESS, Evening
from tests.crash.recorded_disk import RecordedDisk
from tests.crash.torn_disk import lay_out
from tests.worlds.campaign import IS_WIDE, pick
from tests.worlds.failing_disk import require_disk_calls
from tests.worlds.own_games import own_games

KILLS = pick(4, 20, 100)
MOVES = 20
"""How many are granted before."""
IN_START = 4
"""Each fourth time it comes while the companion starts."""


def start(*words: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "companion", *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def start_doomed(random: Random, *words: str) -> "subprocess.Popen[str]":
    process = start(*words)
    Timer(random.random(), process.kill).start()
    return process


@pytest.mark.parametrize("game", own_games() if IS_WIDE else ["robby_solo"])
def test_what_was_granted_outlives_every_kill(tmp_path: Path, game: str) -> None:
    with closing(Evening(tmp_path / "data", game)) as evening:
        for kill in range(1, KILLS + 1):
            with suppress(*DEAD):
                if kill % IN_START == 0:
                    evening.start(partial(start_doomed, evening.random))
                else:
                    evening.start(start)
                    evening.play(MOVES)
                    # Most often at once: an answer may be ahead of its disk for an instant only.
                    soon = 0.03 * evening.random.random() ** 3
                    Timer(soon, evening.process.kill).start()
                evening.play(ENDLESS)
            evening.close()
        evening.start(start)
        evening.tell(f"{KILLS} kills", least=(KILLS - KILLS // IN_START) * MOVES)


# The disk is torn.

CUTS, DISKS = pick((3, 5), (9, 8), (40, 50))
"""How often the power fails, and of how many disks that it may leave one is started on."""
CALLS = 25
"""Before which of the next calls it fails."""
START_CALLS = 40
"""Before which of the calls of a start it fails each fourth time."""


@pytest.mark.parametrize("game", own_games() if IS_WIDE else ["bankueberfall"])
def test_what_was_granted_is_on_every_disk_that_a_power_cut_leaves(
    tmp_path: Path, game: str
) -> None:
    require_disk_calls()
    left = tmp_path / "left"
    left.mkdir(mode=0o700)
    with closing(Evening(tmp_path / "data", game)) as evening:
        for cut in range(1, CUTS + 1):
            disk = RecordedDisk(evening.folder)
            with suppress(*DEAD):
                if cut % IN_START == 0:
                    disk.die_in(evening.random.randrange(START_CALLS))
                evening.start(disk.start)
                evening.play(MOVES)
                disk.die_in(evening.random.randrange(CALLS))
                evening.play(ENDLESS)
            evening.close()
            for _ in range(DISKS):
                state = disk.torn.cut_power(evening.random)
                lay_out(left, state)
                evening.check_copy(left)
            lay_out(evening.folder, state)
        evening.start(RecordedDisk(evening.folder).start)
        evening.tell(f"{CUTS * DISKS} torn disks", least=(CUTS - CUTS // IN_START) * MOVES)
