"""The shim under a companion: its clock, its disk and its death are steered from here.

Laws: the companion is the real one, and knows nothing of this. Steering takes effect at its next
call; one control and one log last through all its restarts.
"""

import mmap
import struct
import subprocess
from pathlib import Path

from bench.nemesis.torn_disk import TornDisk, read_changes

SOURCE = Path(__file__).with_name("shim.c")
CONTROL = struct.Struct("=qqIIQQQQQ")
"""Offset of the clock in ns, changes until death, full, failing per mille, random, counts. The same
layout as in `shim.c`."""
BILLION = 1_000_000_000


class NoCompiler(Exception):
    """There is no C compiler to build the shim with."""


def build_shim(folder: Path) -> Path:
    """Compile the shim; raise NoCompiler with one sentence."""
    made = folder / "shim.so"
    command = ["cc", "-O2", "-Wall", "-shared", "-fPIC", "-o", str(made), str(SOURCE), "-lpthread"]
    try:
        subprocess.run(command, check=True, capture_output=True, text=True)
    except FileNotFoundError:
        raise NoCompiler("The nemesis needs a C compiler: apt install gcc libc6-dev") from None
    except subprocess.CalledProcessError as error:
        raise NoCompiler(f"The shim cannot be compiled here: {error.stderr[:300]}") from None
    return made


class FaultyDisk:
    """The clock and the disk of one companion, whose data folder is `folder`."""

    def __init__(self, aside: Path, folder: Path, seed: int) -> None:
        self.folder, self._log, block = folder, aside / "disk.log", aside / "control"
        self._shim = build_shim(aside)
        self._log.touch()
        block.write_bytes(CONTROL.pack(0, 0, 0, 0, seed * 2 + 1, 0, 0, 0, 0))
        with block.open("r+b") as file:
            self._control = mmap.mmap(file.fileno(), CONTROL.size)
        self.environ = {
            "LD_PRELOAD": str(self._shim),
            "NEMESIS_CONTROL": str(block),
            "NEMESIS_LOG": str(self._log),
            "NEMESIS_FOLDER": str(folder),
        }
        self.disk, self._read_to = TornDisk(), 0

    # Steering.

    def set_clock(self, seconds: float) -> None:
        """Have the wall clock go wrong by so many seconds."""
        struct.pack_into("=q", self._control, 0, int(seconds * BILLION))

    def die_in(self, changes: int) -> None:
        """Have the companion killed just before so many more changes to its disk; 0: not."""
        struct.pack_into("=q", self._control, 8, changes)

    def set_full(self, full: bool) -> None:
        """Have no file grow."""
        struct.pack_into("=I", self._control, 16, full)

    def set_failing(self, per_mille: int) -> None:
        """Have so many of a thousand changes fail."""
        struct.pack_into("=I", self._control, 20, per_mille)

    def counts(self) -> dict[str, int]:
        """Return how often the companion changed its disk, was refused, and read the clock."""
        found = CONTROL.unpack_from(self._control)
        return dict(zip(("changes", "full", "failed", "clock"), found[5:], strict=True))

    # What the companion did.

    def take_in_log(self) -> None:
        """Take in what was written since; a record cut off by the death of its process is none."""
        with self._log.open("rb") as log:
            log.seek(self._read_to)
            data = log.read()
        self.disk.take_in(read_changes(data))
        self._read_to += len(data)

    def close(self) -> None:
        self._control.close()
