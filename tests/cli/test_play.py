"""`companion play`: it starts with nothing configured, says what it does, and leaves nothing."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.journal import Journal
from tests.worlds.ports import free_port
from tests.worlds.signer import Signer

LONG = 40.0
ALONE = ("--address", "127.0.0.1", "--port", str(free_port()))


class Playing:
    """A `companion play` in a process of its own, and a browser that visits it."""

    def __init__(self, aside: Path, *how: str) -> None:
        environ = {**os.environ, "XDG_RUNTIME_DIR": str(aside), "TMPDIR": str(aside)}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "companion", "play", *ALONE, *how],
            stdout=subprocess.PIPE, text=True, env=environ,
        )  # fmt: skip
        self.said = self.greeting()
        self.address = re.findall(r"(http://localhost:\d+)/table$", self.said, re.MULTILINE)[-1]
        cookies = urllib.request.HTTPCookieProcessor(CookieJar())
        self._browser, self._signer = urllib.request.build_opener(cookies), Signer()
        self.send("/api/browser/key", self._signer.registration())

    def greeting(self) -> str:
        """What it says when it starts."""
        assert self.process.stdout is not None
        lines = [self.process.stdout.readline()]
        while lines[-1] and "Ctrl-C ends" not in lines[-1]:
            lines.append(self.process.stdout.readline())
        return "".join(lines)

    def get(self, path: str) -> str:
        with self._browser.open(self.address + path, timeout=LONG) as answer:
            return str(answer.read().decode())

    def post(self, path: str, body: dict[str, Any]) -> None:
        self.send(path, json.dumps({"key": os.urandom(8).hex(), **body}).encode())

    def send(self, path: str, what: bytes) -> None:
        how = {"Origin": self.address, "Content-Type": "application/json"}
        try:
            self._ask(path, what, how | self._signer.head(path, what))
        except urllib.error.HTTPError as refused:  # After a restart another start is to be signed.
            self._signer.learns(refused.read())
            self._ask(path, what, how | self._signer.head(path, what))

    def _ask(self, path: str, what: bytes, how: dict[str, str]) -> None:
        asked = urllib.request.Request(self.address + path, what, how, method="POST")
        self._browser.open(asked, timeout=LONG).close()

    def end(self, sign: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(sign)
        self.process.communicate(timeout=LONG)
        return self.process.returncode


Start = Callable[..., Playing]


@pytest.fixture
def aside(tmp_path: Path) -> Path:
    """Where passing things lie."""
    folder = tmp_path / "aside"
    folder.mkdir()
    return folder


@pytest.fixture
def start(aside: Path) -> Iterator[Start]:
    running = list[Playing]()

    def play(*how: str) -> Playing:
        running.append(Playing(aside, *how))
        return running[-1]

    yield play
    for playing in running:
        if playing.process.poll() is None:
            playing.end(signal.SIGKILL)


def folders(aside: Path) -> list[Path]:
    """The folders of evenings that have not ended."""
    return list(aside.glob("companion-*/"))


def lines(aside: Path) -> list[bytes]:
    """What the journal of the evening holds now; to look is allowed while it is written."""
    (folder,) = folders(aside)
    with closing(Journal(folder / "journal.sqlite3", read_only=True)) as journal:
        return [bytes(line.event) for line in journal.read_lines()]


def asks(playing: Playing, event: str) -> None:
    """Ask for something from seat 1; it is granted, and on disk."""
    at = json.loads(playing.get("/api/seats/1"))["at"]
    playing.post("/api/seats/1/requests", {"event": {"event": event}, "version": at})


def test_a_pulled_plug_costs_nobody_anything(start: Start, aside: Path) -> None:
    playing = start("--pace", "still", "--seed", "7")
    assert "Ana" in playing.get("/play")
    playing.post("/api/join/seats/1", {})
    playing.post("/api/play/1/bots", {"pace": "slow"})
    asks(playing, "frozen")
    before, pid = lines(aside), playing.process.pid
    playing.post("/api/play/1/faults", {"fault": "plug", "at": 0, "on": True})
    assert playing.address in playing.greeting(), "the same port"
    assert playing.process.pid == pid
    assert lines(aside) == before
    words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    assert words[words.index(b"--plugged") :][:4] == [b"--plugged", b"passing", b"--pace", b"slow"]
    asks(playing, "thawed")
    assert len(lines(aside)) == len(before) + 1
    assert playing.end() == 0
    assert folders(aside) == []


def test_a_second_start_is_another_table_beside_the_first(start: Start) -> None:
    first, second = start(), start()
    assert first.address != second.address
    assert "is taken; this is port" in second.said
    assert first.get("/play")
    assert second.get("/play")


def test_a_port_that_is_taken_is_said_aloud(start: Start) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        playing = start("--port", str(port))
    assert f"Port {port} is taken; this is port " in playing.said
    assert playing.get("/play")


def test_phones_and_the_host_are_told_their_way(start: Start) -> None:
    said = start("--address", "0.0.0.0").said
    assert re.search(r"^  Phones +http://\S+:\d+/$", said, re.MULTILINE)
    assert re.search(r"^ .* http://\S+\.local:\d+/$", said, re.MULTILINE)
    assert "#" not in said, "the link for the host is shown on a terminal, and this is none"


def test_a_folder_that_we_did_not_make_is_never_removed(start: Start, tmp_path: Path) -> None:
    diary = tmp_path / "home" / "diary"
    diary.parent.mkdir()
    diary.write_text("Dear diary")
    assert start("--plugged", "passing", "--data", str(diary.parent)).end() == 0
    assert diary.read_text() == "Dear diary"


def test_what_is_kept_goes_on(start: Start, tmp_path: Path) -> None:
    kept = ("--data", str(tmp_path / "kept"), "--pace", "still")
    first = start("robby_solo", "--seats", "5", *kept)
    assert "Robby Solo" in first.said
    assert first.end(signal.SIGHUP) == 0
    assert "Emma" in start(*kept).get("/table"), "the fifth player is still there"


@pytest.mark.parametrize(
    ("how", "said"),
    [
        (["--seats", "6"], "Banküberfall is for 2 to 5 players, not 6."),
        (["banque_fatale", "--seats", "2"], "Banque Fatale is for 3 to 4 players, not 2."),
        (["--house-rule", "shortfall=maybe"],
         "The house rule shortfall is continue | stop, not “maybe”."),
        (["--data", "/dev/null/there"], "/dev/null/there cannot be used: "),
        (["--address", "192.0.2.1"], "No port can be had at 192.0.2.1: "),
        (["--address", "127.0.0.1:8123"],
         "127.0.0.1:8123 is an address with a port: write --address 127.0.0.1 --port 8123, "
         "or with make: ADDRESS=127.0.0.1 PORT=8123"),
        (["--address", "http://localhost:80/"], "write --address localhost --port 80, or with"),
        (["--address", "not an address"],
         "not an address is no address here; write 127.0.0.1, or 0.0.0.0 to let phones in."),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said_in_one_sentence(
    how: list[str], said: str, aside: Path,
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(aside))
    monkeypatch.setattr(tempfile, "tempdir", str(aside))
    assert main(["play", "--port", "8830", *how]) == 2
    err = capsys.readouterr().err
    assert err.startswith("companion play: ")
    assert said in err
    assert err.count("\n") == 1
    assert folders(aside) == []


@pytest.mark.parametrize("words", [["--lang", "de", "play"], ["play", "--lang", "de"]])
def test_the_language_before_the_command_is_that_of_the_table(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "--seats", "1"]) == 2
    assert "Banküberfall ist für 2 bis 5 Spieler" in capsys.readouterr().err
