"""How an update ended: what the installer told of it, and what `--json` prints.

Laws: an installer tells how far it is in a file that it is named (`systemd/installer/told.py`); one
of an older version tells less, and what it does not tell is unknown here, never assumed.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Protocol

import msgspec

from companion.update.releases import Release

TOLD = "told.json"
TOLD_VARIABLE = "COMPANION_TOLD"
"""The variable that says to an installer where to tell how far it is."""
REFUSED = ("agree", "differs", "under_way")
"""The codes of an installer that has switched nothing, because it was not to."""
DONE, FAILED, NOT_DONE = 0, 1, 2
"""Exit statuses of the commands, as `companion/cli` has them."""


class Told(msgspec.Struct, frozen=True):
    """What an installer tells of itself."""

    stage: str = ""
    code: str = ""
    text: str = ""
    cases: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    """Games that the new version does not bring, and the one that runs does."""
    libraries: int = 0
    of_libraries: int = 0
    """How many libraries of the list that is installed now are here, and of how many."""
    games: int | None = None
    of: int | None = None
    """How many games the new version has replayed, and of how many; None if it was asked of
    none."""
    tried: bool = False
    """Whether it has started on a copy of the data and shown its pages."""
    runs: str = ""
    before: str = ""
    """The versions in the end: the one that runs, and the one to go back to."""


class UpdateOutcome(msgspec.Struct, frozen=True):
    """What `companion update --json` and `companion rollback --json` print."""

    ended: str
    """done, agree, differs, under_way, unwell, disk_full or failed."""
    says: str
    """The installer's sentence, in English; empty if it is done."""
    proven_games: int | None
    """Games that the new version replayed alike; None if there was no other version to compare."""
    proven_start: bool
    """Whether the new version started on a copy of the data first."""
    cases: tuple[str, ...]
    """Games that it judges otherwise."""
    runs: str
    before: str
    """The versions that run now and can be gone back to, as folders of /opt/companion/versions."""
    release: str = ""
    """The version of the release; empty for a clone, and for going back."""
    checked: bool = False
    """Whether the release was compared with its checksum."""
    signed: bool = False
    """Whether its signature was found to be of the maker whose key this table knows."""
    missing_games: tuple[str, ...] = ()
    """Games that are installed here, and that it does not bring."""

    @property
    def status(self) -> int:
        """The exit status of the command."""
        if self.ended == "done":
            return DONE
        return NOT_DONE if self.ended in REFUSED else FAILED


def print_outcome(outcome: UpdateOutcome) -> None:
    """Print it as one line of JSON, and nothing else."""
    sys.stdout.buffer.write(msgspec.json.encode(outcome) + b"\n")
    sys.stdout.flush()


class RunInstaller(Protocol):
    """Runs an installer that tells how far it is in this file; returns its exit status."""

    def __call__(self, words: Sequence[str], told: Path, /) -> int: ...


def run_aloud(words: Sequence[str], told: Path) -> int:
    """Run an installer whose own words are the progress and the reason."""
    environ = {**os.environ, TOLD_VARIABLE: str(told)}
    return subprocess.run(words, check=False, env=environ).returncode


def run_aside(words: Sequence[str], told: Path) -> int:
    """Run an installer whose words go where faults go: the output is for programs."""
    environ = {**os.environ, TOLD_VARIABLE: str(told)}
    return subprocess.run(words, check=False, env=environ, stdout=sys.stderr).returncode


def run_installer(
    words: Sequence[str],
    run: RunInstaller,
    release: Release | None = None,
    signed: bool = False,
    *,
    tells: bool = False,
) -> UpdateOutcome:
    """Run an installer, and return how it ended; with `tells` it has not, unless it says so."""
    with tempfile.TemporaryDirectory(prefix="companion-told-") as scratch:
        status = run(words, Path(scratch) / TOLD)
        told = read_told(Path(scratch))
    ended = how_ended(status, told, tells)
    return UpdateOutcome(
        ended, told.text, told.games, told.tried, told.cases, told.runs, told.before,
        release.version if release else "", bool(release and release.is_checked), signed,
        told.missing,
    )  # fmt: skip


def how_ended(status: int, told: Told, tells: bool = False) -> str:
    """Return the code of how an installer ended, from its exit status and what it told; with
    `tells` it counts as done only if it said so: apt is content with what its scripts refuse."""
    if told.code not in ("", "done"):
        return told.code
    return "done" if status == 0 and (told.code or not tells) else "failed"


def read_told(folder: Path) -> Told:
    """Return what the installer told last."""
    with suppress(OSError, msgspec.MsgspecError):
        return msgspec.json.decode((folder / TOLD).read_bytes(), type=Told)
    return Told()
