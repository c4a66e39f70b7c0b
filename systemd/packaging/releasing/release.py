"""The release: everything that is given away of one version, in one folder, with its checksums.

Laws: nothing is released that differs between two builds, or whose changes are not written down.
Nothing is published from here; the folder is the release, and any CI or person can make it.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

from .bill import write_bill
from .debian_packages import make_packages
from .distributions import make_distributions
from .pi_libraries import fetch_pi_libraries
from .source import ReleaseFailed, Source, check_changes, read_changes, read_version, run_tool

CLONE = Path(__file__).resolve().parents[3]
SUMS, SIGNATURE = "SHA256SUMS", "SHA256SUMS.asc"


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
    add("--packages", action="store_true", help="with the Debian packages, for flashed cards")
    add("--snapshot", action="store_true", help="make it although some changes have no version yet")
    return parser


def main(arguments: Sequence[str] | None = None, clone: Path = CLONE) -> int:
    """Make a release, and return the exit status."""
    chosen = build_parser().parse_args(arguments)
    try:
        source = Source(clone)
        made = make_release(
            source, chosen.out, chosen.tag, chosen.snapshot, chosen.libraries, chosen.key,
            chosen.packages,
        )  # fmt: skip
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
    packages: bool = False,
) -> list[Path]:
    """Write everything that is released into a folder of its own; return the paths."""
    source.check_committed()
    with tempfile.TemporaryDirectory(prefix="companion-release-") as scratch:
        tree = source.unpack(Path(scratch) / "tree")
        version = read_version(tree)
        if tag and tag != f"v{version}":
            raise ReleaseFailed(f"The tag is {tag}, and the version is {version}.")
        if not snapshot:
            check_changes(tree)
        folder = out / version
        shutil.rmtree(folder, ignore_errors=True)
        made = [*make_distributions(source, folder)]
        compare_builds(made, make_distributions(source, Path(scratch) / "again"))
        papers = {
            f"table-companion-{version}.cdx.json": write_bill(tree, source.time),
            "CHANGES.md": f"# {version}\n\n{_told_changes(tree, version, snapshot)}\n",
        }
        for name, text in papers.items():
            (folder / name).write_text(text, "utf-8")
            made.append(folder / name)
        if libraries:
            made += fetch_pi_libraries(tree, folder / "libraries")
        if packages:
            made += chain(*make_packages(source, folder / "packages").values())
    made.append(write_sums(folder))
    if key:
        made.append(sign_sums(folder, key))
    return [*made, write_update(folder, version, source.time)]


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
    update = folder / f"table-companion-{version}.update"
    wanted = [*folder.glob("*.tar.gz"), folder / SUMS, folder / SIGNATURE]
    wanted += [*(folder / "libraries").glob("*"), *(folder / "packages").glob("*.deb")]
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
