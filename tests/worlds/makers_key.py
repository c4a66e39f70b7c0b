"""A maker with a key of gpg, who signs releases, and releases that are packed and signed."""

import io
import os
import shutil
import subprocess
import tarfile
import tempfile
import weakref
from pathlib import Path

from companion.update.releases import INSTALLER
from companion.update.signature import SIGNATURE, SUMS
from releasing.release import write_sums, write_update

MAKER = "maker@example.invalid"
SYSTEMS = {"deb12": "bookworm", "deb13": "trixie"}
PACKED = {"table-companion": "arm64", "table-companion-kiosk": "all"}
"""The packages of a release, and for which machines they are."""


class Maker:
    """A maker; the keys lie in a folder of their own, whose path is short: the agent of gpg has a
    socket in it, and the path of a socket has at most 107 characters."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._home = Path(tempfile.mkdtemp(prefix="maker"))
        weakref.finalize(self, shutil.rmtree, self._home, ignore_errors=True)
        self._gpg("--passphrase", "", "--quick-gen-key", MAKER, "ed25519", "sign", "1d")
        self.key = folder / "release-key.asc"
        self._gpg("--armor", "--output", str(self.key), "--export", MAKER)

    def _gpg(self, *words: str) -> None:
        environ = {**os.environ, "GNUPGHOME": str(self._home)}
        subprocess.run(["gpg", "--batch", *words], check=True, capture_output=True, env=environ)

    def sign(self, folder: Path) -> None:
        """Sign the checksums of a release."""
        (folder / SIGNATURE).unlink(missing_ok=True)
        place = ("--output", str(folder / SIGNATURE))
        self._gpg("--armor", *place, "--detach-sign", str(folder / SUMS))

    def release(
        self, folder: Path, version: str = "9.9.0", installer: str = "", package: bytes = b""
    ) -> Path:
        """A signed release whose installer is this, and the Debian package of each system that;
        return its archive."""
        folder.mkdir(parents=True, exist_ok=True)
        archive = folder / f"table_companion-{version}.tar.gz"
        with tarfile.open(archive, "w:gz") as packed:
            entry = tarfile.TarInfo(f"table_companion-{version}/{INSTALLER}")
            entry.size = len(installer)
            packed.addfile(entry, io.BytesIO(installer.encode()))
        if package:
            for debian, system in SYSTEMS.items():
                pool = folder / "apt/pool" / system
                pool.mkdir(parents=True, exist_ok=True)
                for name, machine in PACKED.items():
                    (pool / f"{name}_{version}+{debian}_{machine}.deb").write_bytes(package)
        (folder / SUMS).unlink(missing_ok=True)
        (folder / SIGNATURE).unlink(missing_ok=True)
        write_sums(folder)
        self.sign(folder)
        return archive

    def update(
        self, folder: Path, version: str = "9.9.0", installer: str = "", package: bytes = b""
    ) -> Path:
        """The same as one file, as it is sent from a page."""
        self.release(folder, version, installer, package)
        return write_update(folder, version, 0)
