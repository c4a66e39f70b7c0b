"""The Debian packages: what is in them, the folder for apt, and both Debians with one installed."""

import gzip
import os
import re
import shlex
import shutil
import struct
import subprocess
import time
import zipfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from companion import __version__
from installer.libraries import lock_path, locked_names, normalize
from installer.system import SCREEN, SCREEN_USER
from releasing.apt_folder import write_apt_folder
from releasing.debian_packages import (
    HOME,
    LOCK,
    NAME,
    TESTED,
    lay_out,
    make_packages,
    read_systems,
    write_control,
)
from releasing.kiosk_package import NAME as KIOSK
from releasing.kiosk_package import make_kiosk_package, read_kiosk_unit
from releasing.package_files import SCRIPTS
from releasing.pi_libraries import fetch_pi_libraries
from releasing.release import make_release
from releasing.source import ReleaseFailed, Source
from releasing.wheels import MACHINES, unpack_wheels
from tests.systemd.test_real_debian import inside, needs_debian
from tests.worlds.paths import ROOT
from tests.worlds.real_systemd import booted, wait, whole

LOCKS = {name: lock_path(ROOT, name).read_text("utf-8") for name in ("play", "pi", "mdns")}
SYSTEMS = {system.name: system for system in read_systems(ROOT)}
AARCH64 = 183
"""The machine of such a program, as its ELF header says."""
CONTROL = "Package: {0}\nVersion: 1.0\nArchitecture: arm64\nMaintainer: m <m@x>\nDescription: d\n"
needs_dpkg = pytest.mark.skipif(not shutil.which("dpkg-deb"), reason="dpkg-deb is missing")


def test_what_is_left_to_debian_is_in_our_list() -> None:
    locked = locked_names((ROOT / LOCK).read_text("utf-8"))
    for system in SYSTEMS.values():
        assert set(system.debian) < set(locked)
        assert "gpiozero" not in system.debian, "the one of both systems is too old"
    assert "tornado" not in SYSTEMS["bookworm"].debian
    assert ", python3-nacl" in SYSTEMS["trixie"].depends


def test_a_package_has_every_library_that_the_program_asks_for() -> None:
    wanted = lock_path(ROOT, "run").read_text("utf-8").splitlines()
    assert set(wanted) <= set((ROOT / LOCK).read_text("utf-8").splitlines())


@needs_dpkg
def test_a_package_has_a_place_of_its_own(tmp_path: Path) -> None:
    lay_out(ROOT, tmp_path, SYSTEMS["trixie"])
    write_control(ROOT, tmp_path, SYSTEMS["trixie"], "arm64", "1.0+deb13")
    libraries = [path for path in (tmp_path / "usr/lib").iterdir() if path.is_dir()]
    assert {path.name for path in libraries} == {NAME, "sysusers.d", "tmpfiles.d"}
    assert (tmp_path / HOME / "release/systemd/companion.service").is_file(), "not where dpkg rules"
    assert not (tmp_path / "usr/lib/python3").exists()
    (tmp_path / "DEBIAN").chmod(0o755)
    for script in SCRIPTS:
        (tmp_path / "DEBIAN" / script).chmod(0o755)
        subprocess.run(["sh", "-n", str(tmp_path / "DEBIAN" / script)], check=True)
    subprocess.run(["dpkg-deb", "--build", str(tmp_path)], check=True, capture_output=True)
    made = tmp_path.with_name(f"{tmp_path.name}.deb")
    told = subprocess.run(["dpkg-deb", "--field", str(made)], check=True, capture_output=True)
    assert (
        b"Depends: python3 (>= 3.13), python3 (<< 3.14), libc6 (>= 2.34), systemd, gpgv"
        in told.stdout
    )


@pytest.mark.parametrize("machine", MACHINES)
def test_a_package_for_a_machine_that_we_have_not_says_so(machine: str, tmp_path: Path) -> None:
    write_control(ROOT, tmp_path, SYSTEMS["trixie"], machine, "1.0+deb13")
    said = (tmp_path / "DEBIAN/control").read_text()
    assert (f"untested on {machine}" in said) is (machine != TESTED)
    assert said.endswith(".\n")
    told = said.partition("Description: ")[2].splitlines()[1:]
    assert all(line.startswith(" ") and line.strip() for line in told)


@needs_dpkg
def test_the_screen_is_a_package_of_its_own_for_every_machine(tmp_path: Path) -> None:
    made = [
        make_kiosk_package(
            ROOT, tmp_path / n, "trixie", "1.0+deb13", 1_700_000_000, tmp_path / f"{n}-out"
        )
        for n in "ab"
        if not (tmp_path / f"{n}-out").mkdir()
    ]
    assert made[0].name == f"{KIOSK}_1.0+deb13_all.deb"
    assert made[0].read_bytes() == made[1].read_bytes()
    ask = ["dpkg-deb", "--field", str(made[0]), "Depends"]
    needs = subprocess.run(ask, check=True, capture_output=True, text=True).stdout
    assert needs.startswith(f"{NAME} (= 1.0+deb13), ")
    assert {*SCREEN} <= set(needs.strip().split(", "))
    extract = ["dpkg-deb", "--extract", str(made[0]), str(tmp_path / "root")]
    subprocess.run(extract, check=True)
    users = (tmp_path / f"root/usr/lib/sysusers.d/{KIOSK}.conf").read_text()
    assert f"u {SCREEN_USER} " in users
    assert f"User={SCREEN_USER}\n" in read_kiosk_unit(ROOT)
    for script in SCRIPTS:
        subprocess.run(
            ["sh", "-n", str(ROOT / "systemd/packaging/debian/kiosk" / script)], check=True
        )


def test_the_screen_opens_the_table_at_the_port_that_it_has() -> None:
    unit = read_kiosk_unit(ROOT)
    starts = [line for line in unit.splitlines() if line.startswith("ExecStart")]
    assert len(starts) == 2
    for line in starts:
        command = line.partition("-c ")[2].replace("$$", "$")
        (script,) = shlex.split(command)
        subprocess.run(["bash", "-n", "-c", script], check=True)
        assert "read -r port _ </opt/companion/served" in script
        assert "localhost" in script
        assert "8000" not in script
    assert shlex.split(starts[1])[0] == "ExecStart=/bin/bash"


def test_a_wheel_is_unpacked_as_pip_would_but_none_of_it_runs(tmp_path: Path) -> None:
    files = {
        "part/__init__.py": "1", "part-1.data/purelib/part/more.py": "2",
        "part-1.data/scripts/part": "3", "part-1.dist-info/METADATA": "4",
    }  # fmt: skip
    unpack_wheels([pack(tmp_path / "part.whl", files)], tmp_path / "site")
    found = {str(p.relative_to(tmp_path / "site")) for p in (tmp_path / "site").rglob("*")}
    assert {"part/__init__.py", "part/more.py", "part-1.dist-info/METADATA"} <= found
    assert not (tmp_path / "site/part-1.data").exists()
    with pytest.raises(ReleaseFailed, match="has a file outside of it"):
        unpack_wheels([pack(tmp_path / "bad.whl", {"a/../../x": ""})], tmp_path / "site")


def pack(path: Path, files: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


@needs_dpkg
def test_apt_is_told_of_every_package_with_its_checksum(tmp_path: Path) -> None:
    packages = []
    for name in ("one", "two"):
        (tmp_path / name / "DEBIAN").mkdir(parents=True)
        (tmp_path / name / "DEBIAN/control").write_text(CONTROL.format(name))
        package = tmp_path / f"{name}_1.0_arm64.deb"
        build = ["dpkg-deb", "--build", str(tmp_path / name), str(package)]
        subprocess.run(build, check=True, capture_output=True)
        packages.append(package)
    folder = tmp_path / "apt"
    write_apt_folder(folder, {"trixie": packages}, 1_700_000_000, "")
    listed = folder / "dists/trixie/main/binary-arm64/Packages"
    for package in packages:
        digest = sha256(package.read_bytes()).hexdigest()
        place = f"pool/trixie/{package.name}"
        size = package.stat().st_size
        assert f"Filename: {place}\nSize: {size}\nSHA256: {digest}\n" in listed.read_text()
        assert (folder / place).read_bytes() == package.read_bytes()
    assert gzip.decompress(listed.with_name("Packages.gz").read_bytes()) == listed.read_bytes()
    release = (folder / "dists/trixie/Release").read_text()
    assert "Date: Tue, 14 Nov 2023 22:13:20 UTC\n" in release
    digest = sha256(listed.read_bytes()).hexdigest()
    assert f" {digest} {listed.stat().st_size} main/binary-arm64/Packages\n" in release


# Whole packages, on whole Debians. They are made of the last commit.

large = [
    pytest.mark.large,
    needs_debian,
    pytest.mark.timeout(1200),
]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release with all packages in a folder for apt, signed with a key that was made for it. It
    is refused unless two builds of it have the same bytes."""
    out = tmp_path_factory.mktemp("debian-packages")
    keys = out / "keys"
    keys.mkdir(mode=0o700)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GNUPGHOME", str(keys))
        make = ["--quick-gen-key", "maker@example.invalid", "rsa2048", "sign", "1d"]
        gpg("--passphrase", "", *make)
        key, more = "maker@example.invalid", ["packages"]
        make_release(Source(ROOT), out / "dist", "", snapshot=True, key=key, more=more)
        shutil.move(out / "dist" / __version__ / "apt", out / "apt")
        for package in (out / "apt/pool").glob("*/*.deb"):
            shutil.copy(package, out)
        gpg("--armor", "--output", str(out / "key.asc"), "--export", "maker@example.invalid")
    return out


def gpg(*words: str) -> None:
    subprocess.run(["gpg", "--batch", *words], check=True, capture_output=True)


class TestWhole:
    pytestmark = large

    def test_a_release_has_a_package_for_each_system_and_machine(self, built: Path) -> None:
        names = {path.name for path in built.glob("*.deb")}
        assert len(names) == len(SYSTEMS) * (len(MACHINES) + 1), "one more for the screen"
        for system in SYSTEMS.values():
            for machine in (*MACHINES, "all"):
                assert [name for name in names if name.endswith(f"+{system.release}_{machine}.deb")]
            signed = built / f"apt/dists/{system.name}/InRelease"
            assert signed.read_text().startswith("-----BEGIN PGP SIGNED MESSAGE-----")
            listed = built / f"apt/dists/{system.name}/main/binary-arm64/Packages"
            assert f"Package: {KIOSK}\n" in listed.read_text()

    def test_one_for_arm_has_programs_for_arm_alone(self, built: Path, tmp_path: Path) -> None:
        """We have no such machine: only what is in it is checked."""
        for package in built.glob("*_arm64.deb"):
            root = tmp_path / package.stem
            extract = ["dpkg-deb", "--extract", str(package), str(root)]
            subprocess.run(extract, check=True)
            programs = [path for path in root.rglob("*.so*") if path.is_file()]
            assert programs
            for path in programs:
                assert struct.unpack_from("<H", path.read_bytes(), 18)[0] == AARCH64, path
                assert "x86_64" not in path.name
            system = next(s for s in SYSTEMS.values() if f"+{s.release}_" in package.name)
            assert (root / HOME / f"lib/python{system.python}/site-packages/companion").is_dir()

    def test_a_release_has_all_that_a_pi_without_internet_needs(self, tmp_path: Path) -> None:
        files = [path.name for path in fetch_pi_libraries(ROOT, tmp_path / "libraries")]
        for name in {each for lock in LOCKS.values() for each in locked_names(lock)}:
            own = [file for file in files if normalize(file).startswith(f"{name}-")]
            assert own, name
            pythons = {found[1] for file in own if (found := re.search(r"-cp(31\d)-cp", file))}
            assert pythons <= {"311"} if name == "lgpio" else pythons in (set(), {"311", "313"})
            assert not [file for file in own if "x86_64" in file]

    @pytest.fixture(params=SYSTEMS)
    def debian(
        self, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, built: Path
    ) -> Iterator[Path]:
        """A Debian that knows our folder for apt, and believes its key."""
        root = tmp_path_factory.mktemp("debian") / "root"
        extra = "--include=dbus,systemd,ca-certificates"
        command = ["debootstrap", "--variant=minbase", extra, request.param, str(root)]
        subprocess.run(command, check=True, capture_output=True)
        shutil.copytree(built / "apt", root / "srv/apt")
        (root / "etc/apt/keyrings").mkdir(exist_ok=True)
        shutil.copy(built / "key.asc", root / "etc/apt/keyrings/table.asc")
        shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
        (root / "etc/apt/sources.list.d/table.list").write_text(
            f"deb [signed-by=/etc/apt/keyrings/table.asc] file:/srv/apt {request.param} main\n"
        )
        yield root
        shutil.rmtree(root)

    def test_installed_it_shows_a_german_page_and_goes_without_a_trace(self, debian: Path) -> None:
        before = {str(path) for path in (debian / "usr").rglob("*companion*")}
        assert install_cut_off(debian) <= MOST_SECONDS
        assert inside(debian, "companion", "--version").startswith("companion ")
        check_libraries(debian)
        assert (debian / "etc/avahi/services/companion.service").is_file(), "it can be found"
        apt_get(debian, "install", "--simulate", KIOSK)
        config = debian / "etc/companion/companion.toml"
        config.write_text(config.read_text() + 'profile = "phones-only"\nlang = "de"\n')
        with booted(debian, whole(debian), "python3") as machine:
            machine.until(ActiveState="active", StatusText="no game; 0 of 0 readers well")
            assert '<html lang="de"' in machine.page("/table")
            machine.run("systemctl", "kill", "--signal=KILL", "companion")
            machine.until(ActiveState="active", NRestarts="1")
            machine.run("systemctl", "start", "companion-floor")
            wait(lambda: machine.answers("/", 8100))
            assert "No table has been heard of yet" in machine.page("/", 8100)
        assert (debian / "var/lib/companion/journal.sqlite3").is_file()
        inside(debian, "apt-get", "remove", "--yes", NAME)
        assert (debian / "var/lib/companion/journal.sqlite3").is_file(), "games stay"
        inside(debian, "apt-get", "purge", "--yes", NAME)
        assert not list((debian / "var/lib").rglob("companion*"))
        assert not config.exists()
        assert not list((debian / "etc/systemd").rglob("companion*"))
        assert {str(path) for path in (debian / "usr").rglob("*companion*")} == before

    def test_an_upgrade_that_is_broken_is_left_and_one_that_is_well_stays(
        self, debian: Path, built: Path
    ) -> None:
        install_cut_off(debian)
        config = debian / "etc/companion/companion.toml"
        config.write_text(config.read_text() + 'profile = "phones-only"\nlang = "de"\n')
        (package,) = (path for path in built.glob("*_amd64.deb") if _is_for(path, debian))
        broken = {"bootstrap.py": "import sys\nsys.exit(3)\n"}
        late = {
            "event_loop.py": "import os, threading\nthreading.Timer(20, os._exit, [1]).start()\n"
        }
        well = {"event_loop.py": "# Another version.\n"}
        for number, edits in enumerate((broken, late, well)):
            _rebuild(package, debian / f"var/lib/{number}.deb", f"9.{number}", edits)
        first = (debian / "opt/companion/current").readlink()
        with booted(debian, whole(debian), "python3") as machine:
            machine.until(ActiveState="active", StatusText="no game; 0 of 0 readers well")
            for number in (0, 1):
                machine.run("dpkg", "--install", f"/var/lib/{number}.deb")
                assert (debian / "opt/companion/current").readlink() == first
                machine.until(ActiveState="active", StatusText="no game; 0 of 0 readers well.*")
                assert "<html" in machine.page("/table")
            machine.run("dpkg", "--install", "/var/lib/2.deb")
            assert (debian / "opt/companion/current").readlink() != first
            assert (debian / "opt/companion/previous").readlink() == first
            machine.run("companion", "rollback")
            assert (debian / "opt/companion/current").readlink() == first
            assert '<html lang="de"' in machine.page("/table"), "the version before, and its config"


MOST_SECONDS = 60
"""In which a package is installed, once Debian's own packages were fetched."""


def apt_get(debian: Path, *words: str) -> None:
    options = ("--yes", "--no-install-recommends")
    inside(debian, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", *options, *words)


def install_cut_off(debian: Path) -> float:
    """Fetch what apt wants, then install it where there is no network at all, so no package index
    either; return the seconds that this took."""
    apt_get(debian, "update", "--quiet")
    apt_get(debian, "install", "--download-only", NAME)
    begun = time.monotonic()
    alone = ["unshare", "--net", "chroot", str(debian), "env", "DEBIAN_FRONTEND=noninteractive"]
    install = ["apt-get", "install", "--yes", "--no-install-recommends", NAME]
    done = subprocess.run([*alone, *install], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return time.monotonic() - begun


def _is_for(package: Path, debian: Path) -> bool:
    """Whether a package is one for this Debian."""
    release = (debian / "etc/os-release").read_text()
    name = next(s for s in SYSTEMS.values() if f"+{s.release}_" in package.name).name
    return name in release


def _rebuild(package: Path, into: Path, version: str, edits: dict[str, str]) -> None:
    """Make a package of another version, in which files of companion/app begin otherwise."""
    root = into.with_suffix("")
    subprocess.run(["dpkg-deb", "--raw-extract", str(package), str(root)], check=True)
    control = root / "DEBIAN/control"
    control.write_text(re.sub(r"(?m)^Version: .*", f"Version: {version}", control.read_text()))
    for name, text in edits.items():
        (file,) = (root / HOME).glob(f"lib/python*/site-packages/companion/app/{name}")
        file.write_text(text + file.read_text().replace("from __future__ import annotations\n", ""))
    subprocess.run(["dpkg-deb", "--build", str(root), str(into)], check=True, capture_output=True)
    shutil.rmtree(root)


def check_libraries(debian: Path) -> None:
    """Every library that we ask for is there, and new enough, be it ours or Debian's."""
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    wanted = re.findall(r'^    "([a-z-]+)>=([0-9.]+)', text.partition("[project.optional")[0], re.M)
    assert len(wanted) > 5
    ask = "import sys; from importlib.metadata import version; print(version(sys.argv[1]))"
    for name, least in wanted:
        found = inside(debian, f"/{HOME}/bin/python", "-I", "-c", ask, name)
        assert numbers(found) >= numbers(least), name


def numbers(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", version)]


def test_the_maker_is_told_what_is_missing(tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", os.fspath(tmp_path))
        with pytest.raises(ReleaseFailed, match="dpkg-deb is missing"):
            make_packages(Source(ROOT), tmp_path / "out")
