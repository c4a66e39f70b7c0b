"""The release: everything that is given away of one version, in one folder, with its checksums.

Laws: nothing is released that differs between two builds, or whose changes are not written down;
the OCI image, which takes minutes, is built twice by a test. What cannot be made here is named, not
left out in silence. Nothing is published from here; the folder is the release, and any CI or person
can make it.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import sys
import tarfile
import tempfile
from collections.abc import Collection, Sequence
from pathlib import Path

from .apt_folder import sign_apt_folder, write_apt_folder
from .bill import write_bill
from .debian_packages import NAME, make_packages
from .distributions import make_distributions
from .oci_image import make_image
from .pi_libraries import fetch_pi_libraries
from .source import ReleaseFailed, Source, check_changes, read_changes, read_version, run_tool

CLONE = Path(__file__).resolve().parents[3]
SUMS, SIGNATURE = "SHA256SUMS", "SHA256SUMS.asc"
MORE = ("packages", "image")
"""What needs more than Python: the Debian packages in their folder for apt, and the OCI image."""
APT = "apt"


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="systemd/packaging/release",
        description="Make the release of the last commit in a folder, from an environment with the "
        "libraries of the list dev (make .venv/.tests). Publishes nothing.",
    )
    add = parser.add_argument
    add("--out", type=Path, default=Path("dist"), metavar="FOLDER",
        help="where to write it (default: dist)")  # fmt: skip
    add("--tag", default="", metavar="TAG",
        help="v and the version; refused if the version is another one")  # fmt: skip
    add("--key", default="", metavar="KEY", help="sign the checksums with this key of gpg")
    add("--libraries", action="store_true", help="with the libraries for a Pi without internet")
    add("--without", action="append", default=[], choices=MORE, metavar="WHAT",
        help="leave out packages (needs a Debian) or image (needs root, debootstrap)")  # fmt: skip
    add("--snapshot", action="store_true", help="make it although some changes have no version yet")
    return parser


def main(arguments: Sequence[str] | None = None, clone: Path = CLONE) -> int:
    """Make a release, and return the exit status."""
    chosen = build_parser().parse_args(arguments)
    try:
        source = Source(clone)
        more = [what for what in MORE if what not in chosen.without]
        made = make_release(
            source, chosen.out, chosen.tag, chosen.snapshot, chosen.libraries, chosen.key, more
        )
    except ReleaseFailed as why:
        print(why, file=sys.stderr)
        return 2
    for path in made:
        print(path)
    return 0


def make_release(  # noqa: PLR0913, PLR0917
    source: Source,
    out: Path,
    tag: str,
    snapshot: bool,
    libraries: bool = False,
    key: str = "",
    more: Collection[str] = MORE,
) -> list[Path]:
    """Write everything that is released into a folder of its own; return the paths."""
    source.check_committed()
    source = source.pin()
    with tempfile.TemporaryDirectory(prefix="companion-release-") as scratch:
        tree = source.unpack(Path(scratch) / "tree")
        version = read_version(tree)
        if tag and tag != f"v{version}":
            raise ReleaseFailed(f"The tag is {tag}, and the version is {version}.")
        if not snapshot:
            check_changes(tree)
        check_tools(more)
        folder = out / version
        shutil.rmtree(folder, ignore_errors=True)
        changes = f"# {version}\n\n{_told_changes(tree, version, snapshot)}\n"
        again = Path(scratch) / "again"
        for each in (folder, again):
            make_parts(source, tree, each, changes, more)
        made = _list_files(folder)
        compare_builds(made, _list_files(again))
        if libraries:
            made += fetch_pi_libraries(tree, folder / "libraries")
        if "image" in more:
            made.append(make_image(source, folder))
        if key and "packages" in more:
            made += sign_apt_folder(folder / APT, key)
    made.append(write_sums(folder))
    if key:
        made.append(sign_sums(folder, key))
    return [*made, write_update(folder, version, source.time)]


def make_parts(
    source: Source, tree: Path, folder: Path, changes: str, more: Collection[str]
) -> None:
    """Write into a folder what is built twice: sdist, wheel, papers, Debian packages for apt."""
    make_distributions(source, folder)
    bill = folder / f"{NAME}-{read_version(tree)}.cdx.json"
    bill.write_text(write_bill(tree, source.time), "utf-8")
    (folder / "CHANGES.md").write_text(changes, "utf-8")
    if "packages" in more:
        with tempfile.TemporaryDirectory(prefix="companion-packages-") as scratch:
            made = make_packages(source, Path(scratch))
            write_apt_folder(folder / APT, made, source.time, key="")


def check_tools(more: Collection[str]) -> None:
    """Raise ReleaseFailed, before anything is built, if this machine lacks what these need."""
    if "packages" in more and not shutil.which("dpkg-deb"):
        raise ReleaseFailed(
            "The Debian packages are made on a Debian, as dpkg-deb is missing here: leave them out "
            "with --without packages --without image."
        )
    if "image" in more and not (os.geteuid() == 0 and shutil.which("debootstrap")):
        raise ReleaseFailed(
            "The OCI image needs root and debootstrap: leave it out with --without image."
        )


def _list_files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _told_changes(tree: Path, version: str, snapshot: bool) -> str:
    changes = read_changes(tree)
    return changes[next(iter(changes)) if snapshot else version]


def compare_builds(first: Sequence[Path], second: Sequence[Path]) -> None:
    """Raise ReleaseFailed if two builds are not of the same names and bytes."""
    for one, other in zip(first, second, strict=True):
        if (one.name, one.read_bytes()) != (other.name, other.read_bytes()):
            raise ReleaseFailed(f"{one.name} differs when it is built again.")


def sign_sums(folder: Path, key: str) -> Path:
    """Sign the checksums with a key of gpg; return the signature."""
    signature = folder / SIGNATURE
    words = ["gpg", "--batch", "--yes", "--armor", "--local-user", key]
    run_tool(*words, "--output", str(signature), "--detach-sign", str(folder / SUMS))
    return signature


def write_update(folder: Path, version: str, moment: int) -> Path:
    """Write one file with all that a Pi needs of a release, to be sent from the host's page."""
    update = folder / f"{NAME}-{version}.update"
    wanted = [*folder.glob("*.tar.gz"), folder / SUMS, folder / SIGNATURE]
    wanted += [*(folder / "libraries").glob("*"), *(folder / APT).rglob("*.deb")]
    with tarfile.open(update, "w", format=tarfile.PAX_FORMAT) as archive:
        for path in sorted(path for path in wanted if path.is_file()):
            entry = tarfile.TarInfo(path.relative_to(folder).as_posix())
            entry.size, entry.mtime, entry.mode = path.stat().st_size, moment, 0o644
            with path.open("rb") as file:
                archive.addfile(entry, file)
    return update


def write_sums(folder: Path) -> Path:
    """Write the checksums of all files of a folder, as sha256sum --check reads them."""
    lines = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder)}\n"
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != SUMS
    ]
    (folder / SUMS).write_text("".join(lines), "utf-8")
    return folder / SUMS
