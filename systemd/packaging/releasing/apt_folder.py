"""The folder for apt: packages, their lists and checksums, signed with a key of the maker.

Law: what apt reads is made from the packages themselves and of the time of the commit; the key is
never in the folder, only the signature.
"""

from __future__ import annotations

import gzip
import hashlib
import shutil
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from .source import run_tool

COMPONENT = "main"
LABEL = "Table companion"
EVERY = "all"
"""The machine of a package that is the same for every machine."""


def write_apt_folder(
    folder: Path, packages: Mapping[str, Sequence[Path]], moment: int, key: str
) -> None:
    """Write a folder that can be served as it is, or used from a stick (`deb file:…`)."""
    shutil.rmtree(folder, ignore_errors=True)
    for system, paths in packages.items():
        pool = folder / "pool" / system
        pool.mkdir(parents=True)
        for path in paths:
            shutil.copyfile(path, pool / path.name)
        dist = folder / "dists" / system
        machines = sorted({_machine_of(path) for path in paths} - {EVERY})
        for machine in machines:
            listed = dist / COMPONENT / f"binary-{machine}"
            listed.mkdir(parents=True)
            own = sorted(path for path in pool.iterdir() if _machine_of(path) in (machine, EVERY))
            text = "\n".join(describe_package(path, folder) for path in own).encode()
            (listed / "Packages").write_bytes(text)
            (listed / "Packages.gz").write_bytes(gzip.compress(text, 9, mtime=moment))
        (dist / "Release").write_text(describe_release(dist, system, machines, moment), "utf-8")
    if key:
        sign_apt_folder(folder, key)


def _machine_of(package: Path) -> str:
    return package.stem.rpartition("_")[2]


def describe_package(path: Path, folder: Path) -> str:
    """Return what apt has to know of a package: its fields, place and checksum."""
    fields = run_tool("dpkg-deb", "--field", str(path)).strip()
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    place = path.relative_to(folder).as_posix()
    return f"{fields}\nFilename: {place}\nSize: {path.stat().st_size}\nSHA256: {digest}\n"


def describe_release(dist: Path, system: str, machines: Sequence[str], moment: int) -> str:
    """Return the file Release of a system: which lists there are, with their checksums."""
    date = datetime.fromtimestamp(moment, UTC).strftime("%a, %d %b %Y %H:%M:%S UTC")
    lists = sorted(path for path in dist.rglob("Packages*"))
    rows = [
        f" {hashlib.sha256(path.read_bytes()).hexdigest()} {path.stat().st_size} "
        f"{path.relative_to(dist).as_posix()}\n"
        for path in lists
    ]
    return (
        f"Origin: {LABEL}\nLabel: {LABEL}\nSuite: {system}\nCodename: {system}\nDate: {date}\n"
        f"Architectures: {' '.join(machines)}\nComponents: {COMPONENT}\nSHA256:\n{''.join(rows)}"
    )


def sign_apt_folder(folder: Path, key: str) -> list[Path]:
    """Sign the file Release of each system with a key of gpg; return the signatures."""
    gpg = ("gpg", "--batch", "--yes", "--local-user", key)
    made = []
    for release in sorted(folder.glob("dists/*/Release")):
        inline, beside = release.with_name("InRelease"), release.with_name("Release.gpg")
        run_tool(*gpg, "--clearsign", "--output", str(inline), str(release))
        run_tool(*gpg, "--armor", "--detach-sign", "--output", str(beside), str(release))
        made += [inline, beside]
    return made
