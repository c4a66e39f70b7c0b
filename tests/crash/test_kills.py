"""The companion is killed at random moments, and started again: nothing that it granted is lost."""

import subprocess
import sys
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from random import Random
from threading import Timer

import pytest

from tests.crash.evening import DEAD, ENDLESS, Evening
from tests.worlds.campaign import IS_WIDE, pick
from tests.worlds.own_games import own_games

KILLS = pick(4, 20, 100)
MOVES = 14
"""How many are granted before a kill."""
IN_START = 4
"""Each fourth time it is killed while it starts."""


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
