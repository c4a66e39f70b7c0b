"""The OCI image: a small Debian with our package in it, assembled here, without a registry.

Laws: what is in it comes from Debian's archive, by its signatures, and from our own package; no
registry is asked or told. It runs as the user of the service. From the same packages come the same
bytes: no log, no cache, no time but that of the commit.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import json
import os
import shutil
import stat
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from .debian_packages import NAME, make_packages
from .source import ReleaseFailed, Source, read_version, run_tool

SYSTEM, MACHINE = "trixie", "amd64"
PASSING = (
    "dev", "proc", "run", "sys", "tmp", "var/cache", "var/lib/apt/lists", "var/log", "var/tmp",
)  # fmt: skip
"""Folders that are empty in the image."""
LEFT = ("etc/resolv.conf", "etc/hostname", "etc/machine-id", "var/lib/dbus/machine-id")
"""Files of the machine that made it."""
PORT = 8000
COMMAND = ["play", "--address", "0.0.0.0", "--port", str(PORT)]
MANIFEST = "application/vnd.oci.image.manifest.v1+json"
CONFIG = "application/vnd.oci.image.config.v1+json"
LAYER = "application/vnd.oci.image.layer.v1.tar+gzip"


def main(clone: Path) -> int:
    """Assemble the image of the last commit; return the exit status."""
    parser = argparse.ArgumentParser(prog="systemd/packaging/oci", description=__doc__)
    add = parser.add_argument
    add("--out", type=Path, default=Path("dist"), help="where to write it (default: dist)")
    chosen = parser.parse_args()
    try:
        source = Source(clone)
        source.check_committed()
        print(make_image(source, chosen.out))
    except ReleaseFailed as why:
        print(why, file=sys.stderr)
        return 2
    return 0


def make_image(source: Source, out: Path) -> Path:
    """Write the image of a commit as one file; return its path."""
    if os.geteuid() != 0:
        raise ReleaseFailed("Only root can assemble an image: sudo systemd/packaging/oci")
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="companion-oci-") as scratch:
        folder = Path(scratch)
        version = read_version(source.unpack(folder / "tree"))
        made = make_packages(source, folder, SYSTEM, MACHINE)[SYSTEM]
        (package,) = (path for path in made if path.name.startswith(f"{NAME}_"))
        root = make_root(package, folder / "root", source.time)
        image = out / f"{NAME}-{version}-{MACHINE}.oci.tar"
        write_image(root, image, version, source.time)
    return image


def make_root(package: Path, root: Path, moment: int) -> Path:
    """Make a Debian in a folder, with this package installed; return the folder."""
    environ = {**os.environ, "SOURCE_DATE_EPOCH": str(moment), "LC_ALL": "C.UTF-8",
               "DEBIAN_FRONTEND": "noninteractive", "PYTHONHASHSEED": "0"}  # fmt: skip
    _run(
        environ, "debootstrap", "--variant=minbase", "--include=ca-certificates", SYSTEM, str(root)
    )
    shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
    shutil.copy(package, root / "tmp" / package.name)
    install = ("apt-get", "install", "--yes", "--quiet", "--no-install-recommends")
    _run(environ, "chroot", str(root), *install, f"/tmp/{package.name}")
    clean_root(root)
    return root


def clean_root(root: Path) -> None:
    """Remove what a run leaves, and what differs from one run to the next."""
    for name in PASSING:
        for path in sorted((root / name).iterdir()) if (root / name).is_dir() else ():
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    for name in LEFT:
        (root / name).unlink(missing_ok=True)
    for path in [*root.glob("etc/*-"), *root.glob("var/lib/dpkg/*-old")]:
        path.unlink()
    for path in root.rglob("__pycache__"):
        if "opt/companion" not in str(path):
            shutil.rmtree(path)


def write_image(root: Path, image: Path, version: str, moment: int) -> None:
    """Write a folder as an image with one layer, in the layout of OCI, packed into one file."""
    layer = pack_layer(root, moment)
    packed = gzip.compress(layer, 6, mtime=moment)
    created = datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    config = {
        "created": created,
        "architecture": MACHINE,
        "os": "linux",
        "config": {
            "User": "companion",
            "Env": ["PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8"],
            "Entrypoint": ["/usr/bin/companion"],
            "Cmd": COMMAND,
            "WorkingDir": "/var/lib/companion",
            "ExposedPorts": {f"{PORT}/tcp": {}},
            "Volumes": {"/var/lib/companion": {}},
            "Labels": {"org.opencontainers.image.version": version},
        },
        "rootfs": {"type": "layers", "diff_ids": [_digest(layer)]},
    }
    blobs = {LAYER: packed, CONFIG: json.dumps(config, sort_keys=True).encode()}
    told = {kind: _describe(kind, data) for kind, data in blobs.items()}
    manifest = json.dumps({
        "schemaVersion": 2, "mediaType": MANIFEST, "config": told[CONFIG], "layers": [told[LAYER]],
    }).encode()  # fmt: skip
    named = {**_describe(MANIFEST, manifest), "annotations": {
        "org.opencontainers.image.ref.name": version,
    }}  # fmt: skip
    index = {"schemaVersion": 2, "manifests": [named]}
    files = {
        "oci-layout": b'{"imageLayoutVersion": "1.0.0"}',
        "index.json": json.dumps(index).encode(),
        **{f"blobs/sha256/{_digest(data)[7:]}": data for data in (*blobs.values(), manifest)},
    }
    with tarfile.open(image, "w", format=tarfile.PAX_FORMAT) as archive:
        for name, data in sorted(files.items()):
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime, entry.mode = len(data), moment, 0o644
            archive.addfile(entry, io.BytesIO(data))


def pack_layer(root: Path, moment: int) -> bytes:
    """Return all files of a folder as an archive: in one order, of one time, by user numbers."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path in _walk(root):
            entry = archive.gettarinfo(str(path), path.relative_to(root).as_posix())
            entry.uname = entry.gname = ""
            entry.mtime, entry.pax_headers = moment, {}
            if entry.isreg():
                with path.open("rb") as file:
                    archive.addfile(entry, file)
            else:
                archive.addfile(entry)
    return packed.getvalue()


def _walk(root: Path) -> Iterator[Path]:
    """Yield everything in a folder but sockets, each folder before what is in it."""
    for path in sorted(root.rglob("*")):
        if not stat.S_ISSOCK(path.lstat().st_mode):
            yield path


def _describe(kind: str, data: bytes) -> dict[str, object]:
    return {"mediaType": kind, "digest": _digest(data), "size": len(data)}


def _digest(data: bytes) -> str:
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def _run(environ: dict[str, str], *words: str) -> None:
    if not shutil.which(words[0]):
        run_tool(words[0])  # Says what is missing.
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=environ)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or done.stdout.splitlines() or ["?"])[-1]
        raise ReleaseFailed(f"{words[0]} failed: {last}")
