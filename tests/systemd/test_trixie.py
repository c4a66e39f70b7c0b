"""The package in a clean Debian 13 under its own systemd: from nothing to a German page, to
versions that are broken, with and without a power cut, and to nothing again.
"""

import os
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest

from companion.core.events import to_json
from companion.journal import Journal
from companion.seating.identity import IDENTITY_FILE
from releasing.debian_package import make_package
from tests.systemd.built_wheel import source_here
from tests.systemd.trixie import DATA, Trixie, booted, make_debian, wait
from tests.worlds.golden_games import golden_folder, read

ABLE = os.geteuid() == 0 and shutil.which("debootstrap") and shutil.which("systemd-nspawn")
pytestmark = [
    pytest.mark.large,
    pytest.mark.timeout(1800),
    pytest.mark.skipif(not ABLE, reason="needs root, debootstrap and systemd-container"),
]
HOME = "usr/lib/companion"
STARTS = f"{HOME}/companion/app/start.py"
BROKEN = {
    "does not import": (f"{HOME}/companion/games/__init__.py", "\nimport no_such_module\n"),
    "does not start": (STARTS, "\nraise SystemExit(1)\n"),
    "a game ends otherwise": (
        f"{HOME}/companion/games/robby_solo/raid.py", "\nfind_winners = lambda totals: ()\n",
    ),
    "dies after 20 s": (
        STARTS, "\nimport os, threading\nthreading.Timer(20, lambda: os._exit(1)).start()\n",
    ),
    "leaves after 20 s": (
        STARTS, "\nimport os, threading\nthreading.Timer(20, lambda: os._exit(0)).start()\n",
    ),
}  # fmt: skip
"""Which file of a new version has which lines at its end."""
SCRIPT = "/usr/lib/NetworkManager/dispatcher.d/pre-up.d/90-companion-hotspot"
GUESTS = """
set -e
ip netns add guest; ip netns add home
ip link add wlan9 type veth peer name guest0 netns guest
ip link add eth9 type veth peer name home0 netns home
ip addr add 10.71.0.1/24 dev wlan9; ip addr add 192.168.7.1/24 dev eth9
ip link set wlan9 up; ip link set eth9 up
ip -n guest addr add 10.71.0.9/24 dev guest0; ip -n guest link set guest0 up
ip -n guest route add default via 10.71.0.1
ip -n home addr add 192.168.7.2/24 dev home0; ip -n home link set home0 up
ip -n home route add default via 192.168.7.1
sysctl -qw net.ipv4.ip_forward=1
ip netns exec home nft 'table ip seen { counter guests { }; chain in {
    type filter hook input priority 0; ip saddr 10.71.0.0/24 counter name guests; }; }'
"""
UNMANAGED = "[keyfile]\nunmanaged-devices=interface-name:wlan9;interface-name:eth9\n"
"""NetworkManager would look for a DHCP server on these lines, and take their addresses away."""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_package(source_here(), tmp_path_factory.mktemp("deb"))


@pytest.fixture(scope="module")
def debian(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    root = tmp_path_factory.mktemp("debian") / "root"
    make_debian(root)
    yield root
    shutil.rmtree(root)


@pytest.fixture(scope="module")
def installed(debian: Path, package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """That Debian with the package, a finished game, and no trial under way."""
    layer = tmp_path_factory.mktemp("installed")
    with overlaid(debian, layer) as root, booted(root) as machine:
        machine.install(package)
        wait(lambda: machine.page("/table"))
        machine.run("systemctl", "stop", "companion")
        write_game(root / DATA / "journal.sqlite3")
        machine.run("chown", "-R", "companion:companion", f"/{DATA}")
    return layer


@contextmanager
def overlaid(*layers: Path) -> Iterator[Path]:
    """Lay folders over each other, the last of which takes what is written."""
    lower, layer = layers[:-1], layers[-1]
    for name in ("upper", "work", "root"):
        (layer / name).mkdir(exist_ok=True)
    below = ":".join(
        str(each / "upper" if (each / "upper").exists() else each) for each in lower[::-1]
    )
    how = f"lowerdir={below},upperdir={layer / 'upper'},workdir={layer / 'work'}"
    subprocess.run(["mount", "-t", "overlay", "overlay", "-o", how, layer / "root"], check=True)
    try:
        yield layer / "root"
    finally:
        subprocess.run(["umount", layer / "root"], check=True)


def write_game(path: Path) -> None:
    """Write a game that is over into a journal."""
    game = "robby_solo"
    _, events = read(golden_folder(game) / f"{game}-1.txt")
    with closing(Journal(path)) as journal:
        journal.import_game(
            [(game, "evening", n, "phone", to_json(e)) for n, e in enumerate(events)], True
        )


def breaks(package: Path, kind: str, folder: Path) -> Path:
    """Make a newer version that is broken; return its package."""
    return make_newer(package, folder, *BROKEN[kind])


def make_newer(package: Path, folder: Path, file: str, more: str) -> Path:
    """Make a newer version, a file of which has more lines; return its package."""
    tree, made = folder / "broken", folder / "broken.deb"
    subprocess.run(["dpkg-deb", "--raw-extract", package, tree], check=True)
    (tree / file).write_text((tree / file).read_text("utf-8") + more, "utf-8")
    for name, old in (
        ("DEBIAN/control", "^Version: .*"),
        (f"{HOME}/companion/__init__.py", '^__version__ = ".*"'),
    ):
        new = "Version: 9.0" if "control" in name else '__version__ = "9.0"'
        text = (tree / name).read_text("utf-8")
        (tree / name).write_text(re.sub(old, new, text, flags=re.MULTILINE), "utf-8")
    command = ["dpkg-deb", "--root-owner-group", "-Zgzip", "--build", tree, made]
    subprocess.run(command, check=True, capture_output=True)
    return made


def files_of(folder: Path) -> dict[str, bytes]:
    """Every file of the data, to the byte, but SQLite's notes of who reads; of the identity all
    rows but the hours that are counted on, for the names."""
    found = {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.endswith(("-shm", ".lock"))
        if not path.name.startswith(IDENTITY_FILE)
    }
    with closing(sqlite3.connect(f"file:{folder / IDENTITY_FILE}?mode=ro", uri=True)) as identity:
        rows = [row for row in identity.iterdump() if not row.startswith('INSERT INTO "time"')]
    return {**found, IDENTITY_FILE: "\n".join(rows).encode()}


def may(machine: Trixie, user: str, action: str) -> bool:
    """Return whether polkit lets a user do this."""
    ask = f"pkcheck --action-id org.freedesktop.{action} --process $$ >/dev/null 2>&1 && echo yes"
    user_runs = ("setpriv", "--reuid", user, "--clear-groups", "sh", "-c")
    return machine.run(*user_runs, ask, check=False) == "yes\n"


def test_from_a_bare_debian_to_a_german_page(debian: Path, package: Path, tmp_path: Path) -> None:
    with overlaid(debian, tmp_path) as root, booted(root) as machine:
        said = machine.install(package)
        wait(lambda: machine.page("/table"))
        assert '<html lang="de"' in machine.page("/")
        assert "after a restart: sudo reboot" in said
        assert "dtparam=spi=on" in (root / "boot/firmware/config.txt").read_text()
        users = machine.run("ps", "-eo", "user:20,args")
        assert {line.split()[0] for line in users.splitlines() if "bin/companion" in line} == {
            "companion"
        }
        for action in ("login1.power-off", "login1.reboot", "NetworkManager.network-control"):
            assert (may(machine, "companion", action), may(machine, "nobody", action)) == (
                True, False,
            )  # fmt: skip
        for again in (("dpkg-reconfigure", "companion"), ("dpkg", "--install", "/opt/new.deb")):
            machine.run(*again)
            wait(lambda: machine.page("/table"))
            assert machine.is_active("companion")


def test_no_packet_of_a_guest_leaves_the_tables_wifi(
    installed: Path, debian: Path, tmp_path: Path
) -> None:
    with ExitStack() as stack:
        root = stack.enter_context(overlaid(debian, installed, tmp_path))
        (root / "etc/NetworkManager/conf.d/lines.conf").write_text(UNMANAGED)
        machine = stack.enter_context(booted(root))
        machine.run("sh", "-c", GUESTS)
        wait(lambda: machine.page("/table"))

        def knock(name: str, what: str) -> int:
            """Have the script run for a connection; return how many packets came to the home."""
            machine.run("env", f"CONNECTION_ID={name}", SCRIPT, "wlan9", what)
            guest = ("ip", "netns", "exec", "guest", "curl", "--silent", "--max-time", "2")
            machine.run(*guest, "http://192.168.7.2/", check=False)
            seen = machine.run("ip", "netns", "exec", "home", "nft", "reset", "counters")
            return int(re.findall(r"packets (\d+)", seen)[0])

        assert knock("another", "pre-up") > 0, "without the script they would"
        assert knock("companion-hotspot", "pre-up") == 0
        guest = ("ip", "netns", "exec", "guest", "curl", "--silent", "--max-time", "5")
        wait(lambda: "<html" in machine.run(*guest, "http://10.71.0.1/no-internet", check=False))
        machine.run("env", "CONNECTION_ID=companion-hotspot", SCRIPT, "wlan9", "down")
        assert knock("another", "pre-up") > 0, "without the script they would"


def test_wifi_and_power_are_the_services_to_change(
    installed: Path, debian: Path, tmp_path: Path
) -> None:
    with overlaid(debian, installed, tmp_path) as root, booted(root) as machine:
        saved = (
            "import time\n"
            "from companion.hotspot import network\n"
            "from companion.hotspot.network import Wifi\n"
            "wifi = Wifi('Kü che', 'a;b \"c:d\\'12')\n"
            "network._save_connection(network.CONNECTION, wifi, network.ACCESS_POINT)\n"
            "while network.read_wifi() is None: time.sleep(0.5)\n"
            "open('/var/lib/companion/told', 'w').write(repr(network.read_wifi()))\n"
        )
        run_as_service(machine, saved)
        told = (root / DATA / "told").read_text()
        assert told == "Wifi(name='Kü che', password='a;b \"c:d\\'12')"
        kept = list((root / "etc/NetworkManager/system-connections").iterdir())
        assert [path.stat().st_mode & 0o777 for path in kept] == [0o600]
        off = (
            "from companion.hotspot.machine import Machine\n"
            "Machine(version='1').switch_power('off')\n"
        )
        run_as_service(machine, off)
        wait(lambda: not machine.is_on())


def run_as_service(machine: Trixie, program: str) -> None:
    """Run a program with the user and the locks of the service."""
    folder = machine.root / "etc/systemd/system"
    (machine.root / "usr/lib/companion/asked.py").write_text(
        f"import sys\nsys.path.insert(0, '/usr/lib/companion')\n{program}"
    )
    (folder / "asked.service.d").mkdir(exist_ok=True)
    locks = (machine.root / "usr/lib/systemd/system/companion.service.d/sandbox.conf").read_text()
    (folder / "asked.service.d/a.conf").write_text(locks)
    (folder / "asked.service.d/b.conf").write_text("[Service]\nType=oneshot\nRestart=no\n")
    (folder / "asked.service").write_text(
        "[Service]\nExecStart=/usr/bin/python3 -IB /usr/lib/companion/asked.py\n"
    )
    machine.run("systemctl", "daemon-reload")
    machine.run("systemctl", "start", "asked", check=False)  # It ends with the machine.


def test_a_newer_version_takes_over_after_a_minute_on_trial(
    installed: Path, debian: Path, package: Path, tmp_path: Path
) -> None:
    newer = make_newer(package, tmp_path, STARTS, "")
    with overlaid(debian, installed, tmp_path) as root, booted(root) as machine:
        wait(lambda: machine.page("/table"))
        machine.install(newer)
        wait(lambda: machine.page("/table"))
        assert machine.is_active("companion")
        assert "9.0" in machine.run("companion", "--version")
        wait(lambda: not machine.exists("var/lib/companion-trial/on-trial"))
        assert machine.is_active("companion")


@pytest.mark.parametrize("pulled", [False, True], ids=["", "and the plug is pulled"])
@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_version_leaves_the_one_before(
    kind: str, pulled: bool, installed: Path, debian: Path, package: Path, tmp_path: Path
) -> None:
    broken = breaks(package, kind, tmp_path)
    with overlaid(debian, installed, tmp_path) as root:
        with booted(root) as machine:
            wait(lambda: machine.page("/table"))
            machine.run("systemctl", "stop", "companion")
            before = files_of(root / DATA)
            if pulled:
                pull(machine, broken, kind)
            else:
                machine.install(broken)
                assert runs_before(machine)
                assert "Version 9.0" in machine.page("/table")
        if pulled:
            with booted(root) as machine:
                assert runs_before(machine)
                machine.run("dpkg", "--install", "/opt/new.deb")
                assert runs_before(machine)
                assert "Version 9.0" in machine.page("/table")
        after = files_of(root / DATA)
        assert {name: after.get(name) for name in before} == before


def pull(machine: Trixie, broken: Path, kind: str) -> None:
    """Begin to install, and return in the middle of it."""
    shutil.copyfile(broken, machine.root / "opt/new.deb")
    with machine.start("dpkg", "--install", "/opt/new.deb") as going:
        trial = "var/lib/companion-trial"
        if kind.endswith("after 20 s"):  # On a slow machine it does so in the trial on a copy.
            wait(lambda: machine.exists(f"{trial}/on-trial") or machine.exists(f"{trial}/failed"))
        else:
            wait(lambda: machine.exists("var/lib/companion-previous/unpacking"))
        going.kill()


def runs_before(machine: Trixie) -> bool:
    """Wait until the version before runs, at most 90 seconds, and shows its page."""
    wait(lambda: machine.is_active("companion-previous"), 90)
    wait(lambda: machine.page("/table"), 90)
    return not machine.is_active("companion")


def test_a_game_under_way_is_not_interrupted(
    installed: Path, debian: Path, package: Path, tmp_path: Path
) -> None:
    with overlaid(debian, installed, tmp_path) as root, booted(root) as machine:
        machine.run("systemctl", "stop", "companion")
        begin = (
            "import sys, time; sys.path.insert(0, '/usr/lib/companion')\n"
            "from pathlib import Path\n"
            "from companion.games import make_rulebook\n"
            "from companion.journal import Journal\n"
            "from companion.table.permissions import HOST_AUTHOR\n"
            "from companion.table.table import Table\n"
            f"journal = Journal(Path('/{DATA}/journal.sqlite3'))\n"
            "rules = make_rulebook('robby_solo')\n"
            "table = Table(rules, journal, None, time.time)\n"
            "assert table.start(rules.start_event('g', 3), HOST_AUTHOR) is None\n"
            "journal.close()"
        )
        user = ("setpriv", "--reuid=companion", "--regid=companion", "--clear-groups")
        machine.run(*user, "/usr/bin/python3", "-IBc", begin)
        machine.run("systemctl", "start", "companion")
        wait(lambda: machine.page("/table"))
        newer = breaks(package, "does not start", tmp_path)
        refused = machine.install(newer, check=False)
        assert "A game is under way, and nothing was changed" in refused
        assert machine.is_active("companion")
        machine.install(newer, "COMPANION_NOW=1")
        assert runs_before(machine)


def test_purge_leaves_nothing(installed: Path, debian: Path, tmp_path: Path) -> None:
    with overlaid(debian, installed, tmp_path) as root:
        (root / "etc/default/companion-floor").write_text("FLOOR=--mqtt mqtt://127.0.0.1:1\n")
        with booted(root) as machine:
            machine.run("systemctl", "enable", "--now", "companion-floor", "companion-kiosk")
            machine.run("apt-get", "purge", "--yes", "companion")
            assert not machine.is_active("companion-floor")
        found = subprocess.run(
            ["find", root, "-xdev", "-iname", "*companion*", "-not", "-path", "*/var/log/*"],
            capture_output=True, text=True, check=True,
        ).stdout.splitlines()  # fmt: skip
        assert [path for path in found if not path.endswith(("/companion.list", ".deb"))] == []
        assert (root / "boot/firmware/config.txt").read_text() == "[cm4]\notg_mode=1\n"
        people = (root / "etc/passwd").read_text() + (root / "etc/group").read_text()
        assert "companion" not in people
