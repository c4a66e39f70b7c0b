"""Names at a companion that runs as a program: in no file but their own, nowhere once erased."""

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

import pytest

from companion.app.state_files import make_new_pin
from companion.cli import main
from companion.core.table_events import Ended
from companion.games import game_names
from companion.games.new_game import NewGame
from tests.worlds.named_table import NamedTable, spellings
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
        pin, _ = make_new_pin(self.data)
        assert self.host.post("/api/host/session", pin=pin) == 204

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
        assert all(file.startswith("names/") for files in kept.values() for file in files), kept
        assert main(["backup", "--data", str(program.data)]) == 0
        capsys.readouterr()

        program.erase()
        assert not [name for name in PLAYERS if files_with(program.data, name)]
        printed = program.stop()
    log = (program.data / "companion.log").read_bytes()
    assert b"names_erased" in log
    for name in (*PLAYERS, GUEST):
        assert files_with(program.data, name) == set()
    assert names_in(printed, *PLAYERS, GUEST) == []
    assert main(["records", "--check", "--data", str(program.data)]) == 0


SIGNS = ("é", "Ørsted", "中村さくら", "Ωмега", 'O\'Neill & "Söhne"', "नमस्ते", "İpek")


def name_players(first: int) -> tuple[str, ...]:
    """Three names that are no one else's, with signs that are spelled in several ways."""
    return tuple(f"N{n}. {SIGNS[n % len(SIGNS)]}" for n in range(first, first + 3))


OLD = {game: name_players(10 + 10 * n) for n, game in enumerate(game_names())}
FRESH = {game: name_players(50 + 10 * n) for n, game in enumerate(game_names())}
UNDER_WAY = ("Ada Ñandú", "Béla Szűcs", "Çiğdem")
NAMES = [*(n for each in (OLD, FRESH) for names in each.values() for n in names), *UNDER_WAY, GUEST]

NOWHERE: dict[str, set[str]] = {name: set() for name in NAMES}


def play_earlier(data: Path) -> None:
    """A table of an earlier version: a game of each box, one under way, and a backup."""
    data.mkdir()
    room = NamedTable(data, keeps_apart=False)
    for game, players in OLD.items():
        assert room.host.begin_game(NewGame(game, players, first=1)) is None
        assert room.request(Ended(f"{players[0]} is tired")) is None
        room.clear()
    assert room.host.begin_game(NewGame("robby_solo", UNDER_WAY, first=1)) is None
    room.switch_off()
    assert main(["backup", "--data", str(data)]) == 0


def require_records(data: Path, capsys: Capture, games: int) -> None:
    """Every line, and every record of a game that is over, has to verify."""
    assert main(["records", "--check", "--data", str(data)]) == 0
    capsys.readouterr()
    assert main(["records", "--json", "--data", str(data)]) == 0
    listed = json.loads(capsys.readouterr().out)
    over = [game["id"] for game in listed if game["is_over"]]
    assert len(over) >= games, listed
    for id in over:
        file = data.parent / f"{id}.jsonl"
        assert main(["records", "--data", str(data), "--export", id, "--to", str(file)]) == 0
        assert main(["replay", "--verify", str(file)]) == 0, id
        assert names_in(file.read_bytes(), *NAMES) == []
        file.unlink()


def restore(file: Path, data: Path, capsys: Capture) -> Path:
    """Restore a backup; return that of what was there before."""
    capsys.readouterr()
    assert main(["restore", str(file), "--data", str(data), "--without-config", "--json"]) == 0
    return Path(json.loads(capsys.readouterr().out)["kept"])


def until(is_so: Callable[[], bool]) -> None:
    """Wait until something is so; the table itself counts its time and erases."""
    end = time.monotonic() + LONG
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.2)


@pytest.mark.wide
def test_games_of_an_earlier_version_lose_their_names_everywhere(
    tmp_path: Path, capsys: Capture
) -> None:
    data, stick, printed = tmp_path / "data", tmp_path / "stick.zip", b""
    play_earlier(data)
    assert main(["backup", "--data", str(data), "--to", str(stick)]) == 0
    earlier = [*(name for names in OLD.values() for name in names), *UNDER_WAY]
    assert names_in(stick.read_bytes(), *NAMES) == earlier

    for game, players in FRESH.items():  # A start of the program for each.
        with running(tmp_path) as program:
            guest = Browser(program.address)
            guest.get("/")
            assert guest.post("/api/join/guests", name=GUEST) == 204
            program.begin(game, *players)
            printed += program.stop()
    assert [name for name in NAMES if not files_with(data, name)] == [GUEST]  # In memory alone.
    for players in FRESH.values():
        assert all(f.startswith("names/") for name in players for f in files_with(data, name))

    evening = restore(stick, data, capsys)
    with running(tmp_path) as program:
        assert main(["backup", "--data", str(data)]) == 0
        program.erase()
        assert {name: files_with(data, name) for name in NAMES} == NOWHERE
        printed += program.stop()
    require_records(data, capsys, len(OLD))

    restore(stick, data, capsys)
    assert [name for name in earlier if not files_with(data, name)] == []
    with running(tmp_path) as program:  # What was erased comes back with no backup.
        until(lambda: not any(files_with(data, name) for name in NAMES))
        printed += program.stop()
    assert {name: files_with(data, name) for name in NAMES} == NOWHERE
    assert names_in(printed, *NAMES) == []
    require_records(data, capsys, len(OLD))
    restore(evening, data, capsys)  # The games of this version, in the backup of before.
    assert {name: files_with(data, name) for name in NAMES} == NOWHERE
    require_records(data, capsys, len(OLD) + len(FRESH) - 1)  # The last one is under way.
