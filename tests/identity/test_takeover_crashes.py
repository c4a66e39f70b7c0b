"""The older identity files are taken over although the power fails, or the disk, at any moment.

Law: after the next start every seat, the PIN and the key of the cookies are there, from the older
files or from the new one; a second takeover brings nothing back that was changed since.
"""

import copy
import errno
import os
import shutil
import subprocess
import sys
from contextlib import closing
from itertools import count
from pathlib import Path
from random import Random

from bench.nemesis.faulty_disk import FaultyDisk
from bench.nemesis.torn_disk import Change, TornDisk, read_changes
from companion.identity import IdentityStore
from companion.identity.old_files import OLD_FILES
from companion.identity.schema import open_sound
from companion.seating.seat_map import SeatHolder
from tests.identity.test_store import ANA, BEN, PIN, write_old_files
from tests.worlds.campaign import pick
from tests.worlds.failing_disk import FailingDisk, Fault
from tests.worlds.paths import ROOT

FILE = "identity.sqlite3"
START = """
import sys
from pathlib import Path
from companion.identity import IdentityStore
IdentityStore(Path(sys.argv[1])).close()
"""
CARLA = SeatHolder("carla", "Carla")


def check_nothing_is_lost(folder: Path) -> None:
    """Start on what is left, change something, and start once more."""
    with closing(IdentityStore(folder / FILE)) as store:
        assert store.notices == ()
        assert (store.cookie_key, store.pin()) == (b"k" * 32, PIN)
        assert store.seats() == {1: ANA, 2: BEN}
        assert not any((folder / name).exists() for name in OLD_FILES)
        store.save_seats({3: CARLA})
    with closing(IdentityStore(folder / FILE)) as store:
        assert store.seats() == {3: CARLA}
        assert store.pin() == PIN


def check_one_is_whole(folder: Path) -> str:
    """The new file is there with all its content, or all the older ones are; return which."""
    if (folder / FILE).exists():
        disk, state = open_sound(folder / FILE)
        disk.close()
        assert (state.seats, state.pin) == ({1: ANA, 2: BEN}, PIN)
        return "new"
    assert all((folder / name).exists() for name in OLD_FILES)
    return "old"


def record_takeover(aside: Path, disk: TornDisk) -> list[Change]:
    """Take older files over once; return all that it changed on the disk, in order."""
    folder = aside / "data"
    folder.mkdir()
    write_old_files(folder)
    disk.lay_out(folder, {name: (folder / name).read_bytes() for name in OLD_FILES})
    shim = FaultyDisk(aside, folder, 1)
    command = [sys.executable, "-c", START, str(folder / FILE)]
    environ = {**os.environ, **shim.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run(command, check=True, env=environ)
    shim.close()
    return list(read_changes((aside / "disk.log").read_bytes()))


def test_whatever_a_power_cut_leaves_nobody_loses_a_seat(tmp_path: Path) -> None:
    before, left = TornDisk(), tmp_path / "left"
    changes = record_takeover(tmp_path, before)
    assert len(changes) > 20, "it writes, syncs, renames and removes"
    left.mkdir()
    found = set()
    for n in range(0, len(changes) + 1, pick(2, 1, 1)):
        disk = copy.deepcopy(before)
        disk.take_in(changes[:n])
        for seed in range(pick(1, 5, 100)):
            TornDisk().lay_out(left, disk.cut_power(Random(f"{n} {seed}")))
            found.add(check_one_is_whole(left))
            check_nothing_is_lost(left)
    assert found == {"old", "new"}


def test_wherever_the_disk_fails_nobody_loses_a_seat(tmp_path: Path) -> None:
    """A disk that fails for good is in effect a process that is killed there."""
    FailingDisk(tmp_path).require()
    for n in count(1, pick(2, 1, 1)):
        folder = tmp_path / f"at-{n}"
        folder.mkdir()
        write_old_files(folder)
        fault = Fault(n, (errno.ENOSPC, errno.EIO)[n % 8 < 4], lasting=n % 4 < 2)
        calls = start_while_failing(folder, fault)
        check_one_is_whole(folder)
        check_nothing_is_lost(folder)
        shutil.rmtree(folder)
        if calls < n:
            break
    assert n > 15, "it writes, syncs, renames and removes"


def start_while_failing(folder: Path, fault: Fault) -> int:
    """Start on a disk that fails so, and know everyone; return how many calls the start made."""
    stores = list[IdentityStore]()
    calls = FailingDisk(folder).run(lambda: stores.append(IdentityStore(folder / FILE)), fault)
    with closing(stores[0]) as store:
        assert store.seats() == {1: ANA, 2: BEN}
        assert (store.cookie_key, store.pin()) == (b"k" * 32, PIN)
    return calls
