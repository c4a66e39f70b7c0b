"""The sdist and the wheel, made from a commit.

Laws: the wheel is made from the sdist, never from the clone, so a file that the sdist lacks is
missed at once; archives name no user, no mode of this machine and no time but that of the commit.
"""

from __future__ import annotations

import gzip
import io
import os
import stat
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from pathlib import Path

from .source import ReleaseFailed, Source, build_environment

BACKEND = """
import sys
from setuptools import build_meta
print(getattr(build_meta, sys.argv[1])(sys.argv[2]))
"""
EXECUTABLE = 0o755
PLAIN = 0o644


def make_distributions(source: Source, out: Path) -> tuple[Path, Path]:
    """Write sdist and wheel into a folder; return their paths."""
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="companion-dist-") as scratch:
        tree = source.unpack(Path(scratch) / "tree")
        sdist = _run_backend("build_sdist", tree, out, source.time)
        settle_tar(sdist, source.time)
        unpacked = Path(scratch) / "sdist"
        with tarfile.open(sdist) as archive:
            archive.extractall(unpacked, filter="data")
        (inside,) = unpacked.iterdir()
        wheel = _run_backend("build_wheel", inside, out, source.time)
        settle_zip(wheel, source.time)
    return sdist, wheel


def _run_backend(hook: str, tree: Path, out: Path, moment: int) -> Path:
    """Run a hook of the build backend in a tree, as any front end does; return its result."""
    before = os.umask(0o022)
    try:
        done = subprocess.run(
            [sys.executable, "-c", BACKEND, hook, str(out.resolve())],
            cwd=tree, env=build_environment(moment), capture_output=True, text=True, check=False,
        )  # fmt: skip
    finally:
        os.umask(before)
    if done.returncode:
        raise ReleaseFailed(f"{hook} failed: {(done.stderr.strip().splitlines() or ['?'])[-1]}")
    return out / done.stdout.strip().splitlines()[-1]


def settle_tar(file: Path, moment: int) -> None:
    """Write a .tar.gz again: in order, owned by root, of one time."""
    with tarfile.open(file) as archive:
        held = {
            member.name: (member, found.read() if (found := archive.extractfile(member)) else b"")
            for member in archive.getmembers()
        }
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name in sorted(held):
            member, content = held[name]
            archive.addfile(_settle_member(member, moment), io.BytesIO(content))
    file.write_bytes(gzip.compress(packed.getvalue(), 9, mtime=moment))


def _settle_member(member: tarfile.TarInfo, moment: int) -> tarfile.TarInfo:
    member.uid = member.gid = 0
    member.uname = member.gname = "root"
    member.mtime, member.pax_headers = moment, {}
    runs = member.isdir() or bool(member.mode & stat.S_IXUSR)
    member.mode = EXECUTABLE if runs else PLAIN
    return member


def settle_zip(file: Path, moment: int) -> None:
    """Write a wheel again: its record last, all else in order, of one time."""
    with zipfile.ZipFile(file) as archive:
        held = {entry.filename: (entry, archive.read(entry)) for entry in archive.infolist()}
    date = time.gmtime(max(moment, 315_532_800))[:6]  # A zip file knows no time before 1980.
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(held, key=lambda each: (".dist-info/" in each, each)):
            old, content = held[name]
            runs = bool((old.external_attr >> 16) & stat.S_IXUSR)
            entry = zipfile.ZipInfo(name, date)
            entry.compress_type, entry.create_system = zipfile.ZIP_DEFLATED, 3
            entry.external_attr = (stat.S_IFREG | (EXECUTABLE if runs else PLAIN)) << 16
            archive.writestr(entry, content)
