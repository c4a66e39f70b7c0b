"""The power fails at random calls to the disk: whatever is left of it, nothing granted is lost."""

from contextlib import closing, suppress
from pathlib import Path

import pytest

from tests.crash.evening import DEAD, ENDLESS, Evening
from tests.crash.recorded_disk import RecordedDisk
from tests.crash.torn_disk import lay_out
from tests.worlds.campaign import IS_WIDE, pick
from tests.worlds.failing_disk import require_disk_calls
from tests.worlds.own_games import own_games

CUTS, DISKS = pick((3, 5), (9, 8), (40, 50))
"""How often the power fails, and of how many disks that it may leave one is started on."""
MOVES, CALLS = 25, 25
"""How many moves are granted before, and before which of the next calls it fails."""
IN_START, START_CALLS = 4, 40
"""Each fourth time it fails before which of the calls of a start."""


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
