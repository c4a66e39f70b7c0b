"""What a power cut may leave of a folder, and the shim that records what it is worked out from."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.nemesis.faulty_disk import FaultyDisk
from bench.nemesis.torn_disk import (
    CREATED,
    FOLDER_SYNCED,
    RENAMED,
    SYNCED,
    TRUNCATED,
    UNLINKED,
    WRITTEN,
    Change,
    TornDisk,
)
from tests.worlds.campaign import pick

FILE = 7
MADE = Change(CREATED, "kept", FILE)
CUTS = pick(20, 100, 500)
WRITES = st.builds(
    lambda offset, data: Change(WRITTEN, "", FILE, offset, data),
    st.integers(0, 2000),
    st.binary(min_size=1, max_size=1500),
) | st.builds(lambda size: Change(TRUNCATED, "", FILE, size), st.integers(0, 2000))


def disk_after(*changes: Change) -> TornDisk:
    disk = TornDisk()
    disk.take_in(changes)
    return disk


def states(disk: TornDisk, cuts: int = CUTS) -> list[dict[str, bytes]]:
    return [disk.cut_power(Random(n)) for n in range(cuts)]


@given(st.lists(WRITES))
def test_what_was_synced_survives_every_power_cut(writes: list[Change]) -> None:
    disk = disk_after(MADE, *writes, Change(SYNCED, "", FILE), Change(FOLDER_SYNCED))
    plain = bytearray()
    for write in writes:
        size = write.offset if write.kind == TRUNCATED else write.offset + len(write.data)
        plain.extend(bytes(max(0, size - len(plain))))
        if write.kind == TRUNCATED:
            del plain[size:]
        else:
            plain[write.offset : size] = write.data
    assert states(disk, 5) == [{"kept": bytes(plain)}] * 5


@given(st.lists(WRITES, min_size=1), st.integers(0, 1000))
def test_an_unsynced_byte_is_one_that_was_written_there_once(
    writes: list[Change], seed: int
) -> None:
    first = Change(WRITTEN, "", FILE, 0, b"\1" * 2000)
    disk = disk_after(MADE, first, Change(SYNCED, "", FILE), Change(FOLDER_SYNCED), *writes)
    left = disk.cut_power(Random(seed))["kept"]
    for at, byte in enumerate(left):
        written = {w.data[at - w.offset] for w in writes if w.offset <= at < w.offset + len(w.data)}
        assert byte in written | {0, 1}


def test_sectors_of_one_write_reach_the_disk_apart() -> None:
    write = Change(WRITTEN, "", FILE, 0, b"new" * 1024)
    disk = disk_after(MADE, Change(SYNCED, "", FILE), Change(FOLDER_SYNCED), write)
    found = {state["kept"] for state in states(disk, 100)}
    assert {b"", write.data} < found
    assert any(left and set(left[:512]) == {0} for left in found)


def test_a_name_is_certain_only_after_its_folder_was_synced() -> None:
    renamed = (
        MADE, Change(CREATED, "new", 8), Change(FOLDER_SYNCED),
        Change(WRITTEN, "", 8, 0, b"x"), Change(SYNCED, "", 8), Change(RENAMED, "new\nkept"),
    )  # fmt: skip
    seen = [sorted(state) for state in states(disk_after(*renamed))]
    assert ["kept"] in seen
    assert ["kept", "new"] in seen
    synced = states(disk_after(*renamed, Change(FOLDER_SYNCED)))
    assert synced == [{"kept": b"x"}] * CUTS


def test_names_reach_the_disk_in_order() -> None:
    disk = disk_after(
        MADE, Change(FOLDER_SYNCED), Change(CREATED, "other", 8), Change(UNLINKED, "kept")
    )
    assert {"".join(sorted(state)) for state in states(disk)} == {"kept", "keptother", "other"}


WRITER = """
import os, sys, time
path = sys.argv[1]
with open(path + ".new", "wb") as file:
    file.write(b"seat 1")
    file.flush()
    os.fsync(file.fileno())
os.replace(path + ".new", path)
folder = os.open(os.path.dirname(path), os.O_RDONLY)
os.fsync(folder)
print(round(time.time()))
with open(path, "ab") as file:
    file.write(b", seat 2")
"""


@pytest.fixture
def faulty(tmp_path: Path) -> Iterator[FaultyDisk]:
    (tmp_path / "data").mkdir()
    with closing(FaultyDisk(tmp_path, tmp_path / "data", seed=1)) as disk:
        yield disk


def run_writer(disk: FaultyDisk) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", WRITER, str(disk.folder / "kept")],
        env={**os.environ, **disk.environ}, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_the_shim_records_what_a_process_does_to_its_folder(faulty: FaultyDisk) -> None:
    faulty.set_clock(-1e9)
    shown = int(run_writer(faulty).stdout)
    assert abs(shown + 1e9 - faulty.folder.stat().st_mtime) < 3600
    faulty.take_in_log()
    left = {state["kept"] for state in states(faulty.disk)}
    assert left <= {b"seat 1", b"seat 1, seat 2", b"seat 1" + bytes(8)}
    assert {b"seat 1", b"seat 1, seat 2"} <= left
    faulty.disk.lay_out(faulty.folder, {"kept": b"seat 1"})
    assert [path.read_bytes() for path in faulty.folder.iterdir()] == [b"seat 1"]


def test_the_shim_fails_writes_and_kills_between_them(faulty: FaultyDisk) -> None:
    faulty.set_full(True)
    assert "No space left on device" in run_writer(faulty).stderr
    faulty.set_full(False)
    faulty.set_failing(1000)
    assert "Input/output error" in run_writer(faulty).stderr
    faulty.set_failing(0)
    assert faulty.counts()["full"] == faulty.counts()["failed"] == 1
    for changes in range(1, 7):
        faulty.die_in(changes)
        assert run_writer(faulty).returncode == -9
        faulty.take_in_log()
    assert (faulty.folder / "kept").read_bytes().startswith(b"seat 1")
