"""The unit of the service, as systemd knows it, and its lines in the system's journal.

Law: nothing is changed here; where there is no systemd nothing is known.
"""

import grp
import os
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

from companion.core.errors import not_read

UNIT = "companion.service"
UNIT_FOLDERS = (Path("/etc/systemd/system"), Path("/usr/lib/systemd/system"))
READERS = ("adm", "systemd-journal", "wheel")
"""The groups that may read the system's journal."""
SECONDS = 10


def has_unit() -> bool:
    """Return whether the service is installed."""
    return any((folder / UNIT).exists() for folder in UNIT_FOLDERS)


def read_state() -> str:
    """Return what systemd calls the state of the service, such as active; "" if it has none."""
    if not has_unit():
        return ""
    try:
        words = ("systemctl", "is-active", UNIT)
        shown = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return shown.stdout.strip()


def may_read_lines() -> bool:
    """Return whether this user may read the lines of the service."""
    if os.geteuid() == 0:
        return True
    names = set[str]()
    for group in os.getgroups():
        try:
            names.add(grp.getgrgid(group).gr_name)
        except KeyError:
            continue
    return not names.isdisjoint(READERS)


def run_printing(words: Sequence[str]) -> int:
    """Run a command that prints for itself; return 0, or 1 where it fails."""
    try:
        return int(subprocess.run(words, check=False).returncode != 0)
    except OSError as error:
        raise not_read(words[0], error) from None


def run_telling(words: Sequence[str], tell: Callable[[str], None]) -> int:
    """Run a command and tell each line that it prints; return 0, or 1 where it fails."""
    try:
        child = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, errors="replace")
    except OSError as error:
        raise not_read(words[0], error) from None
    with child:
        try:
            for line in child.stdout or ():
                tell(line.rstrip("\n"))
        except BaseException:
            child.terminate()  # With --follow it would wait for lines that are read no longer.
            raise
    return int(child.returncode != 0)


def lines_command(count: int, *, follows: bool, as_json: bool = False) -> Sequence[str]:
    """Return the command that prints the newest lines of the service, or that there are none."""
    how = ["--follow"] if follows else []
    how += ["--output=json", "--quiet"] if as_json else []
    return ["journalctl", "--unit", UNIT, "--no-pager", "--lines", str(count), *how]
