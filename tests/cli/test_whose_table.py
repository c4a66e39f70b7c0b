"""Commands typed by a user who may not read the service's folder: none looks silently at an empty
one in a home folder.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.worlds.campaign import pick
from tests.worlds.paths import ROOT
from tests.worlds.ports import free_port

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to become another user")
NOBODY = 65534
TYPE = """
import os, sys
from importlib import import_module
from pathlib import Path
from companion.app import settings
from companion.cli import COMMANDS, main, module_of

for name in COMMANDS:  # They could not be read as that user.
    import_module(module_of(name))
settings.SYSTEM = Path(sys.argv.pop(1))
os.setgroups([])
os.setresgid(NOBODY, NOBODY, NOBODY)
os.setresuid(NOBODY, NOBODY, NOBODY)
sys.exit(main())
""".replace("NOBODY", str(NOBODY))
ROOTS = "sudo companion"
SERVICES = "sudo -u companion companion"


class Home:
    """A Pi with a service, and a user who may not read its folder."""

    def __init__(self, folder: Path) -> None:
        self.system, self.home = folder / "system", folder / "home"
        self.system.mkdir(mode=0o700)
        self.home.mkdir()
        os.chown(self.home, NOBODY, NOBODY)

    def type(self, *words: str, **environ: str) -> "subprocess.CompletedProcess[str]":
        """Type a command as that user; return the output."""
        base = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "HOME": str(self.home)}
        return subprocess.run(
            [sys.executable, "-c", TYPE, str(self.system), *words], cwd=self.home,
            env={**base, **environ}, capture_output=True, text=True, check=False,
        )  # fmt: skip


@pytest.fixture
def pi() -> Iterator[Home]:
    """Beside the folders of pytest, which it keeps from all other users."""
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Home(Path(folder))


TYPED = {
    "records": ROOTS, "records --check": ROOTS, "backup": ROOTS, "restore it.zip": ROOTS,
    "wiring": ROOTS, "enrol robby_solo --check": SERVICES, "doctor": SERVICES,
}  # fmt: skip


@pytest.mark.parametrize("typed", pick(["records"], list(TYPED), list(TYPED)))
def test_it_says_what_to_type_and_leaves_the_home_folder_alone(typed: str, pi: Home) -> None:
    done = pi.type(*typed.split())
    assert done.returncode == 2, done
    assert done.stderr.endswith(f"Type: {TYPED[typed]} {typed}\n")
    assert done.stdout == ""
    assert list(pi.home.iterdir()) == []


@pytest.mark.wide
def test_a_table_of_ones_own_is_used_by_a_program_of_ones_own(pi: Home) -> None:
    own = pi.home / ".local/share/companion"
    for folder in (own.parents[1], own.parent, own):
        folder.mkdir()
        os.chown(folder, NOBODY, NOBODY)
    assert f"There is no table in {own}" in pi.type("records").stderr
    told = pi.type("records", COMPANION_DATA="/elsewhere").stderr
    assert "There is no table in /elsewhere" in told


@pytest.mark.wide
@pytest.mark.parametrize("command", ["run", "play"])
def test_a_folder_of_another_user_is_said_to_be_closed(command: str, pi: Home) -> None:
    done = pi.type(command, "--data", str(pi.system), "--port", str(free_port()))
    assert (done.returncode, done.stdout) == (2, "")
    assert f"companion {command}: {pi.system} cannot be used: Permission denied." in done.stderr
