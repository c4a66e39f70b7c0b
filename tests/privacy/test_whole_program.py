"""Names at a companion that runs as a program: in no file but their own, nowhere once erased."""

import io
import os
import re
import signal
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

import pytest

from companion.cli import main
from tests.worlds.named_table import spellings
from tests.worlds.paths import ROOT
from tests.worlds.ports import free_port
from tests.worlds.program_browser import LONG, Browser

Capture = pytest.CaptureFixture[str]
PLAYERS = ("Zoë Quibble", "Bénédicte-Ann", "Änne Örtel")
GUEST = "Xaver Übersee"
NEW = ("--new", "bankueberfall")


class Program:
    """A companion on a data folder, and all that it prints."""

    def __init__(self, folder: Path, *how: str) -> None:
        self.data, self._said = folder / "data", (folder / "said").open("w+b")
        words = ["run", "--sim", *how, "--port", str(free_port()), "--log-level", "debug"]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "companion", *words, "--data", str(self.data)],
            stdout=subprocess.PIPE, stderr=self._said, text=True, cwd=ROOT,
        )  # fmt: skip
        self._out: IO[str] = self._process.stdout  # type: ignore[assignment]
        first = self._out.readline()
        self.address = re.findall(r"http://\S+", first)[0]
        self.host = Browser(self.address)
        self.host.get("/")
        assert self.host.becomes_host(self.data) == 204

    def begin(self, game: str, *players: str) -> None:
        """Put away what lies on the table, and begin a game."""
        self.host.post("/api/host/reset")
        asked = {"game": game, "players": players, "first": 1}
        assert self.host.post("/api/host/games", **asked) == 204, self.host.said

    def erase(self) -> None:
        """Erase every name."""
        assert self.host.post("/api/host/names/erase") == 204, self.host.said

    def stop(self) -> bytes:
        """End it; return what it has printed."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
        said, _ = self._process.communicate(timeout=LONG)
        self._said.seek(0)
        printed = said.encode() + self._said.read()
        self._said.close()
        return printed

    def end(self) -> None:
        """End it, if it runs still."""
        if self._process.poll() is None:
            self.stop()


def files_with(data: Path, name: str) -> set[str]:
    """The files of a data folder that hold a name in any spelling, also packed in an archive."""
    found = set[str]()
    for folder, _, files in os.walk(data):
        for path in (Path(folder, file) for file in files):
            with suppress(FileNotFoundError):  # The program may erase it just now.
                if path.is_file() and names_in(path.read_bytes(), name):
                    found.add(path.relative_to(data).as_posix())
    return found


def names_in(data: bytes, *names: str) -> list[str]:
    """Those of these names that bytes hold in any spelling, also packed in an archive."""
    every = b"\n".join(unpack(data))
    return [name for name in names if any(form in every for form in spellings(name))]


def unpack(data: bytes) -> Iterator[bytes]:
    """Yield the bytes of a file, and of an archive those of its members."""
    yield data
    if zipfile.is_zipfile(io.BytesIO(data)):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for name in archive.namelist():
                yield from unpack(archive.read(name))


@contextmanager
def running(folder: Path, *how: str) -> Iterator[Program]:
    made = Program(folder, *how)
    try:
        yield made
    finally:
        made.end()


@pytest.mark.wide
def test_no_file_log_or_backup_holds_a_name_once_it_is_erased(
    tmp_path: Path, capsys: Capture
) -> None:
    with running(tmp_path, *NEW) as program:
        guest = Browser(program.address)
        guest.get("/")
        assert guest.post("/api/join/guests", name=GUEST) == 204
        ended = {"event": {"event": "ended", "reason": PLAYERS[1]}, "version": 10**6}
        assert program.host.post("/api/host/requests", **ended) in (204, 409)
        program.begin("bankueberfall", *PLAYERS)
        kept = {name: files_with(program.data, name) for name in PLAYERS}
        assert all(kept.values()), kept
        assert all(file == "identity.sqlite3" for files in kept.values() for file in files), kept
        assert main(["backup", "--data", str(program.data)]) == 0
        capsys.readouterr()

        program.erase()
        assert not [name for name in PLAYERS if files_with(program.data, name)]
        printed = program.stop()
    assert b"names_erased" in printed
    for name in (*PLAYERS, GUEST):
        assert files_with(program.data, name) == set()
    assert names_in(printed, *PLAYERS, GUEST) == []
    assert main(["records", "--check", "--data", str(program.data)]) == 0
