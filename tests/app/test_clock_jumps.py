"""A wall clock that jumps: nobody loses a seat, and the host stays signed in.

Three phones and a host at a companion in a process of its own, whose wall clock is set by the test.
Their cookie jars count Max-Age by their own clock, as phones do.
"""

import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app.shifted_clock import read_last_look, write_shift
from tests.worlds.campaign import pick
from tests.worlds.paths import ROOT
from tests.worlds.ports import free_port
from tests.worlds.program_browser import LONG, Browser

DAY = 86_400.0
JUMPS = {
    "10 seconds on": 10.0,
    "10 seconds back": -10.0,
    "5 minutes back": -300.0,
    "to 1970, without a battery": DAY - time.time(),
    "to 2020": 1_577_836_800.0 - time.time(),
    "20 days on": 20 * DAY,
    "40 days on": 40 * DAY,
    "a year on, by NTP": 365 * DAY,
    "to 2039, over the end of 32 bits": 2_177_452_800.0 - time.time(),
}
SEATS = (1, 2, 3)


class Evening:
    """A companion with three seated phones and a host; its clock is set, and its plug pulled."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._clock, self._port = folder, folder / "clock", free_port()
        write_shift(self._clock, 0.0)
        said = self._start("bankueberfall", "--new")
        address = re.findall(r"http://\S+", said)[0]
        self.address = address
        self.phones = {seat: Browser(address) for seat in SEATS}
        self.host = Browser(address)
        for seat, phone in self.phones.items():
            phone.get("/")
            assert phone.post(f"/api/join/seats/{seat}") == 204
        self.host.get("/")
        assert self.host.becomes_host(folder / "data") == 204

    def _start(self, *how: str) -> str:
        module = [sys.executable, "-m", "tests.app.shifted_clock", str(self._clock)]
        data, port = str(self._folder / "data"), str(self._port)
        asked = ["run", "--data", data, "--sim", "--port", port, *how]
        self._process = subprocess.Popen(
            [*module, *asked],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=ROOT,
        )
        assert self._process.stdout is not None
        return self._process.stdout.readline()

    def jump(self, seconds: float) -> None:
        write_shift(self._clock, seconds)

    def restart(self) -> None:
        """Pull the plug, and start again on the same folder and port."""
        self.kill()
        self._start()

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.communicate(timeout=LONG)

    def looked_at_clock(self, seconds: float) -> bool:
        """Whether the companion has seen a clock that is off by this."""
        end = time.monotonic() + LONG
        while abs(read_last_look(self._clock) - time.time() - seconds) > 5.0:
            if time.monotonic() > end:
                return False
            time.sleep(0.05)
        return True

    def lost(self) -> list[str]:
        """Who has lost a seat or is signed out; and which refusal touched a cookie."""
        found = []
        for seat, phone in self.phones.items():
            other = 1 + seat % len(SEATS)
            status, _, cookies = phone.get(f"/api/seats/{other}")
            if (status, cookies) != (403, []):
                found.append(f"the refused seat {other}: {status}, {cookies}")
            if phone.get(f"/api/seats/{seat}")[0] != 200:
                found.append(f"the view of seat {seat}")
            if phone.get(f"/phone/{seat}")[:2] != (200, f"/phone/{seat}"):
                found.append(f"the phone of seat {seat}")
        if self.host.get("/host")[:2] != (200, "/host"):
            found.append("the host")
        return found


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    made = Evening(tmp_path_factory.mktemp("evening"))
    yield made
    made.kill()


@pytest.mark.parametrize("jump", pick([*JUMPS][3:9:5], [*JUMPS], [*JUMPS]))
def test_a_jump_takes_no_seat_and_no_host_with_and_without_a_restart(
    evening: Evening, jump: str
) -> None:
    evening.jump(JUMPS[jump])
    assert evening.lost() == []
    assert evening.looked_at_clock(JUMPS[jump]), "it did jump"
    evening.restart()
    assert evening.lost() == []


def test_a_stranger_has_no_seat(evening: Evening) -> None:
    stranger = Browser(evening.address)
    assert [stranger.get(f"/api/seats/{seat}")[0] for seat in SEATS] == [403] * 3
    assert stranger.get("/host")[1] == "/host/enter"


STAMPS_ONLY = {
    "companion/app/process.py": "days off, between two synchronised times: never a bare clock",
    "companion/app/physical_table.py": "the time in a line of the journal",
    "companion/app/setup/wizard.py": "the day in a deck file",
    "companion/app/simulated/simulated_table.py": "the time in a line of the journal",
    "companion/backup/archive.py": "names of daily backups",
    "companion/backup/restore.py": "names of what a restore keeps",
    "companion/backup/service.py": "names of daily backups",
    "companion/cli/backup.py": "names of daily backups",
    "companion/cli/records.py": "when a game was played",
    "companion/journal/repair.py": "the name of a damaged file, and the days of lost games",
    "web/pages/health.py": "the time of day on the health page",
    "web/rendering/templates.py": "the time of day on a page",
}
"""Every file that looks at the wall clock, and what for: to stamp and to show, never to decide."""
WALL_CLOCK = re.compile(
    r"\btime\.(time|time_ns|localtime|gmtime|strftime|ctime)\b"
    r"|\bdatetime\b|\bdate\.today\b|CLOCK_REALTIME|st_[mac]time\b|\bsession\.permanent\b|\bexpires="
)


def test_no_credential_limit_or_lock_reads_the_wall_clock() -> None:
    found = {
        path.relative_to(ROOT).as_posix()
        for top in ("companion", "web")
        for path in (ROOT / top).rglob("*.py")
        if WALL_CLOCK.search(_code(path))
    }
    assert found == STAMPS_ONLY.keys()


NO_CODE = re.compile(r'"""[\s\S]*?"""|#.*')


def _code(path: Path) -> str:
    """The source without docstrings and comments."""
    return NO_CODE.sub("", path.read_text("utf-8"))
