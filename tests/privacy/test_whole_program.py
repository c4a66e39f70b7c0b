"""Names at a companion that runs as a program: in no file but their own, nowhere once erased."""

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest

from companion.app.state_files import make_new_pin
from companion.cli import main
from tests.worlds.named_table import spellings
from tests.worlds.paths import ROOT
from tests.worlds.program_browser import LONG, Browser

PLAYERS = ("Zoë Quibble", "Bénédicte-Ann", "Änne Örtel")
GUEST = "Xaver Übersee"


class Program:
    """A companion on a data folder, and all that it prints."""

    def __init__(self, folder: Path) -> None:
        self.data, self._said = folder / "data", (folder / "said").open("w+b")
        words = ["run", "--sim", "--new", "bankueberfall", "--port", "8840", "--log-level", "debug"]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "companion", *words, "--data", str(self.data)],
            stdout=subprocess.PIPE, stderr=self._said, text=True, cwd=ROOT,
        )  # fmt: skip
        self._out: IO[str] = self._process.stdout  # type: ignore[assignment]
        first = self._out.readline()
        self.address = re.findall(r"http://\S+", first)[0]
        self.host = Browser(self.address)
        self.host.get("/")
        pin, _ = make_new_pin(self.data)
        assert self.host.post("/api/host/session", pin=pin) == 204

    def stop(self) -> bytes:
        """End it; return what it has printed."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
        said, _ = self._process.communicate(timeout=LONG)
        self._said.seek(0)
        printed = said.encode() + self._said.read()
        self._said.close()
        return printed

    def files_with(self, name: str) -> set[str]:
        """The files of the data folder that hold a name in any spelling."""
        found = (path for path in self.data.rglob("*") if path.is_file())
        return {
            path.relative_to(self.data).as_posix()
            for path in found
            if any(form in path.read_bytes() for form in spellings(name))
        }


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    made = Program(tmp_path)
    yield made
    if made._process.poll() is None:
        made.stop()


@pytest.mark.wide
def test_no_file_log_or_backup_holds_a_name_once_it_is_erased(
    program: Program, capsys: pytest.CaptureFixture[str]
) -> None:
    guest = Browser(program.address)
    guest.get("/")
    assert guest.post("/api/join/guests", name=GUEST) == 204
    ended = {"event": {"event": "ended", "reason": PLAYERS[1]}, "version": 10**6}
    assert program.host.post("/api/host/requests", **ended) in (204, 409)
    program.host.post("/api/host/reset")
    asked = {"game": "bankueberfall", "players": PLAYERS, "first": 1}
    assert program.host.post("/api/host/games", **asked) == 204, program.host.said
    kept = {name: program.files_with(name) for name in PLAYERS}
    assert all(kept.values()), kept
    assert all(file.startswith("names/") for files in kept.values() for file in files), kept
    assert main(["backup", "--data", str(program.data)]) == 0
    capsys.readouterr()

    assert program.host.post("/api/host/names/erase") == 204, program.host.said
    assert not [name for name in PLAYERS if program.files_with(name)]
    printed = program.stop()
    log = (program.data / "companion.log").read_bytes()
    assert b"names_erased" in log
    for name in (*PLAYERS, GUEST):
        assert program.files_with(name) == set()
        assert not any(form in printed for form in spellings(name))
    assert main(["records", "--check", "--data", str(program.data)]) == 0
