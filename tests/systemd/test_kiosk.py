"""The browser of the table screen under a real systemd: it runs as locked up as its unit says, and
its policy opens the table and nothing else."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.worlds.paths import ROOT
from tests.worlds.real_systemd import Machine, booted, furnish, wait

BROWSER = Path("/usr/lib/chromium/chromium")
KIOSK = (ROOT / "systemd/companion-kiosk.service").read_text("utf-8")
OF_THE_SCREEN = "PAMName|TTY[A-Za-z]+|Standard[A-Z][a-z]+|Utmp[A-Z][a-z]+|After|Wants|Conflicts"
OF_THE_START = "Condition[A-Za-z]+|ExecStartPre|Restart[A-Za-z]*|StartLimit[A-Za-z]+|MemoryMax"
PAGE = """\
<iframe src="http://localhost:8001/forbidden" onload="new Image().src = '/looked'"></iframe>
"""
SERVER = """\
[Service]
Environment=LD_LIBRARY_PATH=/opt/companion/python/lib
ExecStart=/opt/companion/python/bin/python3 -u -m http.server {port} --directory /opt/pages
StandardError=append:/var/lib/asked-{port}
"""

pytestmark = [
    pytest.mark.wide,
    pytest.mark.skipif(not (BROWSER.exists() and shutil.which("nsenter")), reason="no Chromium"),
]


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    """A machine with a browser at its screen, and two servers."""
    root = tmp_path / "machine"
    mounts = furnish(root, KIOSK)
    for name, row in (("passwd", "companion-kiosk:x:993:993::/:/bin/false\n"),
                      ("group", "companion-kiosk:x:993:\n")):  # fmt: skip
        with (root / "etc" / name).open("a") as file:
            file.write(row)
    lines = re.sub(rf"^({OF_THE_SCREEN}|{OF_THE_START})=.*\n", "", KIOSK, flags=re.MULTILINE)
    flags = "--headless=new --disable-gpu --no-first-run --user-data-dir=${STATE_DIRECTORY}"
    start = f"ExecStart={BROWSER} {flags} http://localhost:8000/page.html"
    files = {
        "opt/pages/page.html": PAGE,
        "etc/chromium/policies/managed/companion-kiosk.json": (
            ROOT / "systemd/companion-kiosk.json"
        ).read_text("utf-8"),
        "etc/systemd/system/screen.service": re.sub("ExecStart=.*", lambda _: start, lines),
        **{f"etc/systemd/system/at-{port}.service": SERVER.format(port=port)
           for port in (8000, 8001)},
    }  # fmt: skip
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    with booted(root, mounts) as made:
        made.run("systemctl", "start", "at-8000", "at-8001")
        yield made


def asked(machine: Machine, port: int) -> list[str]:
    """The paths that were asked for at this port."""
    log = machine.root / f"lib/asked-{port}"
    return re.findall(r'"GET (\S+)', log.read_text()) if log.exists() else []


def test_the_browser_opens_the_table_and_nothing_else(machine: Machine) -> None:
    machine.run("systemctl", "start", "screen")
    wait(lambda: "/looked" in asked(machine, 8000))
    assert "/page.html" in asked(machine, 8000)
    assert asked(machine, 8001) == []
