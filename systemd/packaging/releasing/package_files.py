"""What every Debian package of ours has: its changelog, its scripts, one time, one set of modes.

Law: from the same files come the same bytes.
"""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from pathlib import Path

from .source import ReleaseFailed, build_environment

MAKER = "The table companion's makers <makers@table-companion.invalid>"
SCRIPTS = ("postinst", "prerm", "postrm")


def write_changelog(root: Path, name: str, system: str, version: str, moment: int) -> None:
    """Write the changelog in Debian's form; what changed is told in ours."""
    date = datetime.fromtimestamp(moment, UTC).strftime("%a, %d %b %Y %H:%M:%S +0000")
    text = f"{name} ({version}) {system}; urgency=medium\n\n  * See CHANGES.md of the release.\n"
    told = f"{text}\n -- {MAKER}  {date}\n"
    folder = root / "usr/share/doc" / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "changelog.gz").write_bytes(gzip.compress(told.encode(), 9, mtime=moment))


def write_files(root: Path, files: dict[str, str]) -> None:
    """Write files below a root, with their folders."""
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")


def write_control_files(
    root: Path, fields: str, scripts: Path, conffiles: Sequence[str] = ()
) -> None:
    """Write what dpkg reads: the fields, the scripts, and which files belong to the owner."""
    control = root / "DEBIAN"
    control.mkdir()
    (control / "control").write_text(fields, "utf-8")
    if conffiles:
        (control / "conffiles").write_text("".join(f"/{name}\n" for name in conffiles), "utf-8")
    for name in SCRIPTS:
        shutil.copyfile(scripts / name, control / name)


def count_size(root: Path) -> int:
    """Return the size of all files in kibibytes, as dpkg counts it."""
    return sum(path.lstat().st_size for path in root.rglob("*") if path.is_file()) // 1024


def write_package(root: Path, package: Path, runs: Collection[str], moment: int) -> Path:
    """Pack a folder as a package; only `runs`, and its scripts, can be run."""
    _settle(root, runs, moment)
    done = subprocess.run(
        ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", str(root), str(package)],
        env=build_environment(moment), capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise ReleaseFailed(f"dpkg-deb failed: {done.stderr.strip()}")
    return package


def _settle(root: Path, runs: Collection[str], moment: int) -> None:
    """Give all files of a package one time, and modes that do not depend on this machine."""
    for path in [root, *root.rglob("*")]:
        if not path.is_symlink():
            can_run = path.name in SCRIPTS or path.relative_to(root).as_posix() in runs
            path.chmod(0o755 if path.is_dir() or can_run else 0o644)
        os.utime(path, (moment, moment), follow_symlinks=False)
