"""Take the steps of a plan: write and remove files, and run commands.

Laws: all steps are taken, or all are undone; a private file is never readable by others, not even
for a moment.
"""

import os
import subprocess
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path, PurePosixPath

from companion.core.durable_files import remove_file, write_file
from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.hotspot.plan import HotspotStep, RemoveFile, WriteFile

GROUPS = PurePosixPath("/etc/group")


def take_steps(steps: Iterable[HotspotStep], root: Path) -> None:
    """Take every step in order."""
    for step in steps:
        _take_step(step, root)


def take_steps_or_undo(
    steps: Iterable[HotspotStep], undo_steps: Iterable[HotspotStep], root: Path
) -> None:
    """Take every step; if one fails, take the undo steps and raise."""
    try:
        take_steps(steps, root)
    except BaseException:  # Ctrl-C too.
        for step in undo_steps:
            with suppress(OSError, Malformed):
                _take_step(step, root)
        raise


def _take_step(step: HotspotStep, root: Path) -> None:
    if isinstance(step, WriteFile):
        _write_system_file(step, root)
    elif isinstance(step, RemoveFile):
        _remove_system_file(step, root)
    else:
        done = subprocess.run(step.words, capture_output=True, text=True, check=False)
        if done.returncode and step.must:
            last = (done.stderr.strip() or done.stdout.strip()).rpartition("\n")[2]
            text = N_("The hotspot cannot be switched on; {field} says: {reason}")
            raise Malformed(step.words[0], text, reason=last)


def _write_system_file(step: WriteFile, root: Path) -> None:
    """Write a file of the system, readable by root alone until its group is set."""
    path = system_path(root, step.path)
    group = None if step.group == "root" else _find_group_id(root, step.group)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, step.text.encode(), step.mode if step.group == "root" else None)
        if group is not None:
            os.chown(path, -1, group)
            path.chmod(step.mode)
    except OSError as error:
        text = N_("{field} cannot be written: {reason}.")
        raise Malformed(str(path), text, reason=error.strerror) from None


def _remove_system_file(step: RemoveFile, root: Path) -> None:
    """Remove a file of the system, if it is there; Malformed if it stays."""
    path = system_path(root, step.path)
    try:
        remove_file(path)
    except FileNotFoundError:
        return
    except OSError as error:
        text = N_("{field} cannot be removed: {reason}.")
        raise Malformed(str(path), text, reason=error.strerror) from None


def _find_group_id(root: Path, name: str) -> int | None:
    """Return the id of a group of the system at this root; None if there is none."""
    with suppress(FileNotFoundError):
        for line in system_path(root, GROUPS).read_text("utf-8", "replace").splitlines():
            if line.startswith(f"{name}:"):
                return int(line.split(":")[2])
    return None


def system_path(root: Path, path: PurePosixPath) -> Path:
    """Return the path of a system file below this root."""
    return root / path.relative_to("/")
