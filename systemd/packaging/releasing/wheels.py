"""Libraries for another machine: fetched by their hashes, and unpacked as pip would install them.

Law: nothing of a wheel is run; a file that would leave its folder is refused.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath

from .source import ReleaseFailed

ENTRY = re.compile(r"^([A-Za-z0-9][\w.-]*)==.*(?:\n[ \t].*)*\n", re.MULTILINE)
MACHINES = {"arm64": "aarch64", "amd64": "x86_64"}
PLATFORMS = (
    "manylinux_2_17",
    "manylinux2014",
    "manylinux_2_28",
    "manylinux_2_34",
    "manylinux_2_26",
)
"""Of C libraries that both systems have."""


def normalize(name: str) -> str:
    """Return the name of a library as indexes write it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def fetch_wheels(lock: str, without: Iterable[str], machine: str, python: str, into: Path) -> None:
    """Download the wheels of a list, but for these libraries, for a machine and a Python."""
    tags = [word for name in PLATFORMS for word in ("--platform", f"{name}_{MACHINES[machine]}")]
    abis = [
        word
        for name in (f"cp{python.replace('.', '')}", "abi3", "none")
        for word in ("--abi", name)
    ]
    how = ["--only-binary", ":all:", *tags, "--implementation", "cp", "--python-version", python]
    _download(_pick(lock, without), [*how, *abis], into)


def fetch_sources(lock: str, without: Iterable[str], into: Path) -> None:
    """Download the sources of a list, but for these libraries, which a Pi builds itself."""
    _download(_pick(lock, without), ["--no-binary", ":all:", "--no-build-isolation"], into)


def _pick(lock: str, without: Iterable[str]) -> str:
    left_out = {normalize(name) for name in without}
    found = ENTRY.finditer(lock)
    return "".join(each[0] for each in found if normalize(each[1]) not in left_out)


def _download(wanted: str, how: Sequence[str], into: Path) -> None:
    """Download files of libraries by their hashes, and nothing that they want."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as listed:
        listed.write(wanted)
        listed.flush()
        done = subprocess.run(
            [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check",
             "--require-hashes", "--no-deps", *how, "--dest", str(into),
             "--requirement", listed.name],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["?"])[-1]
        raise ReleaseFailed(f"Not all libraries could be fetched: {last}")


def unpack_wheels(wheels: Sequence[Path], site: Path) -> None:
    """Unpack wheels into a folder of packages, as pip would install them."""
    for wheel in sorted(wheels):
        with zipfile.ZipFile(wheel) as archive:
            for entry in archive.infolist():
                _unpack_entry(archive, entry, site)


def _unpack_entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, site: Path) -> None:
    parts = PurePosixPath(entry.filename).parts
    if parts[0].endswith(".data"):  # Scripts and the like; our own is written by us.
        if parts[1] not in ("purelib", "platlib"):
            return
        parts = parts[2:]
    if entry.is_dir() or not parts:
        return
    if ".." in parts or entry.filename.startswith("/"):
        raise ReleaseFailed(f"{archive.filename} has a file outside of it: {entry.filename}.")
    path = site.joinpath(*parts)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(archive.read(entry))
    path.chmod(0o644)
