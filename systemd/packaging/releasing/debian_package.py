"""The Debian package: the wheel, unpacked into a folder of its own, on Debian's own libraries.

Laws: nothing is compiled or fetched when it is installed. Built twice, it has the same bytes.
"""

from __future__ import annotations

import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from datetime import UTC, datetime
from pathlib import Path

from .distributions import make_distributions
from .source import ReleaseFailed, Source, build_environment, read_version

NAME = "companion"
HOME = f"usr/lib/{NAME}"
UNITS = "usr/lib/systemd/system"
LOCK = "systemd/packaging/locks/run.txt"
GPIOZERO = re.compile(r"^gpiozero==.*(?:\n[ \t].*)*\n", re.MULTILINE)
"""The one library that is too old in Debian."""
FILES = {
    "start": f"{HOME}/start",
    "trial.py": f"{HOME}/systemd/trial.py",
    "take-back": f"{HOME}/systemd/take-back",
    "companion.toml": "etc/companion/companion.toml",
    "companion.service": f"{UNITS}/companion.service",
    "companion-previous.service": f"{UNITS}/companion-previous.service",
    "companion-previous.path": f"{UNITS}/companion-previous.path",
    "companion-trial.service": f"{UNITS}/companion-trial.service",
    "companion-backup.service": f"{UNITS}/companion-backup.service",
    "companion-backup.timer": f"{UNITS}/companion-backup.timer",
    "companion-floor.service": f"{UNITS}/companion-floor.service",
    "companion-kiosk.service": f"{UNITS}/companion-kiosk.service",
    "sandbox.conf": f"{UNITS}/companion.service.d/sandbox.conf",
    "kiosk": f"{HOME}/systemd/kiosk",
    "companion-kiosk.json": f"{HOME}/systemd/kiosk-policy.json",
    "hotspot/dispatcher": "usr/lib/NetworkManager/dispatcher.d/90-companion-hotspot",
    "hotspot/dnsmasq.conf": "etc/NetworkManager/dnsmasq-shared.d/companion-hotspot.conf",
    "debian/sysusers.conf": "usr/lib/sysusers.d/companion.conf",
    "debian/tmpfiles.conf": "usr/lib/tmpfiles.d/companion.conf",
    "debian/polkit.rules": "usr/share/polkit-1/rules.d/50-companion.rules",
}
"""Place of each file of systemd/ in the package."""
LINKS = {
    "usr/bin/companion": "../lib/companion/start",
    f"{UNITS}/companion.service.wants/companion-trial.service": "../companion-trial.service",
    f"{UNITS}/companion-previous.service.d/sandbox.conf": "../companion.service.d/sandbox.conf",
    "usr/lib/NetworkManager/dispatcher.d/pre-up.d/90-companion-hotspot": "../90-companion-hotspot",
}
SCRIPTS = ("preinst", "postinst", "prerm", "postrm")
CONFIGS = [where for where in FILES.values() if where.startswith("etc/")]
RUN = tuple(FILES[name] for name in ("start", "take-back", "kiosk", "hotspot/dispatcher"))


def make_package(source: Source, out: Path) -> Path:
    """Write the package into a folder; return its path."""
    if not shutil.which("dpkg-deb"):
        raise ReleaseFailed("A Debian package is made on a Debian: dpkg-deb is missing.")
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="companion-deb-") as scratch:
        tree, root = source.unpack(Path(scratch) / "tree"), Path(scratch) / "root"
        _, wheel = make_distributions(source, Path(scratch) / "dist")
        for library in (wheel, fetch_gpiozero(tree, Path(scratch) / "libraries")):
            with zipfile.ZipFile(library) as archive:
                archive.extractall(root / HOME)
        version = package_version(source, tree)
        lay_out(tree, root, version, source.time)
        write_control(tree, root, version)
        settle(root, source.time)
        package = out / f"{NAME}_{version}_all.deb"
        build = ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", str(root), str(package)]
        run(build, source.time)
    return package


def package_version(source: Source, tree: Path) -> str:
    """Return the version of the package; a commit without its tag is newer by its time."""
    version = read_version(tree)
    if source.has_tag(f"v{version}"):
        return version
    return f"{version}+{datetime.fromtimestamp(source.time, UTC):%Y%m%d%H%M%S}"


def fetch_gpiozero(tree: Path, into: Path) -> Path:
    """Download the wheel of gpiozero by its hash; return its path."""
    found = GPIOZERO.search((tree / LOCK).read_text("utf-8"))
    if found is None:
        raise ReleaseFailed(f"{LOCK} does not list gpiozero.")
    into.mkdir()
    (into / "wanted.txt").write_text(found[0])
    how = ("--quiet", "--disable-pip-version-check", "--require-hashes", "--no-deps")
    run(
        [sys.executable, "-m", "pip", "download", *how, "--only-binary", ":all:", "--dest",
         str(into), "--requirement", str(into / "wanted.txt")], 0,
    )  # fmt: skip
    return next(into.glob("*.whl"))


def lay_out(tree: Path, root: Path, version: str, moment: int) -> None:
    """Write all files of the package but the libraries."""
    for name, where in FILES.items():
        (root / where).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(tree / "systemd" / name, root / where)
    for name, leads_to in LINKS.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).symlink_to(leads_to)
    (root / "etc/chromium/policies/managed").mkdir(parents=True)
    date = datetime.fromtimestamp(moment, UTC).strftime("%a, %d %b %Y %H:%M:%S +0000")
    maker = re.search("^Maintainer: (.*)$", (tree / "systemd/debian/control").read_text(), re.M)
    news = f"{NAME} ({version}) trixie; urgency=medium\n\n  * See CHANGELOG.md of the source.\n"
    papers = root / "usr/share/doc" / NAME
    papers.mkdir(parents=True)
    log = f"{news}\n -- {maker[1] if maker else ''}  {date}\n"
    (papers / "changelog.gz").write_bytes(gzip.compress(log.encode(), 9, mtime=moment))
    (papers / "copyright").write_text(read_copyright(tree, root), "utf-8")


def read_copyright(tree: Path, root: Path) -> str:
    """Return the file of licences, with the texts of those that we carry."""
    (gpiozero,) = (root / HOME).glob("gpiozero-*.dist-info/LICENSE.rst")
    texts = {
        "expat": (tree / "LICENSE").read_text("utf-8").partition("makers\n\n")[2],
        "ofl": (tree / "web/static/fonts/OFL-sans.txt").read_text("utf-8").partition("-\n")[2],
        "bsd": gpiozero.read_text("utf-8").partition("\n\n")[2],
    }
    indented = {
        name: "\n".join(f" {line.rstrip() or '.'}" for line in text.strip().splitlines())
        for name, text in texts.items()
    }
    return (tree / "systemd/debian/copyright").read_text("utf-8").format(**indented)


def write_control(tree: Path, root: Path, version: str) -> None:
    """Write the control files for dpkg: the fields, the scripts, and the list of files that belong
    to the owner."""
    size = sum(path.lstat().st_size for path in root.rglob("*") if path.is_file()) // 1024
    control, recipe = root / "DEBIAN", tree / "systemd/debian"
    control.mkdir()
    fields = (recipe / "control").read_text("utf-8").format(version=version, size=size)
    (control / "control").write_text(fields, "utf-8")
    (control / "conffiles").write_text("".join(f"/{name}\n" for name in CONFIGS), "utf-8")
    for name in SCRIPTS:
        shutil.copyfile(recipe / name, control / name)


def settle(root: Path, moment: int) -> None:
    """Give all files one time, and modes that do not depend on this machine."""
    for path in [root, *root.rglob("*")]:
        if not path.is_symlink():
            name = path.relative_to(root).as_posix()
            runs = path.is_dir() or name in RUN or name in [f"DEBIAN/{each}" for each in SCRIPTS]
            path.chmod(0o755 if runs else 0o644)
        os.utime(path, (moment, moment), follow_symlinks=False)


def run(command: list[str], moment: int) -> None:
    """Run a program; ReleaseFailed with its last word if it fails."""
    done = subprocess.run(
        command, env=build_environment(moment), capture_output=True, text=True, check=False
    )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["it says nothing"])[-1]
        raise ReleaseFailed(f"{command[0]} failed: {last}")
