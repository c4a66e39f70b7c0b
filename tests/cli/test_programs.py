"""`companion run` and `companion play` as programs: what they say, keep and leave behind."""

import os
import pty
import re
import signal
import socket
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from queue import Queue
from threading import Thread

import pytest

from companion.cli import main
from companion.journal import Journal
from tests.worlds.journal_lines import every_line
from tests.worlds.ports import free_port
from tests.worlds.program_browser import LONG, Browser

# What a service tells systemd: a notify socket that is read all the time, as systemd reads it.


class SystemdListener:
    """The lines that a service has sent to this socket."""

    def __init__(self, address: Path) -> None:
        self.address = str(address)
        self.said: list[str] = []
        """Every line that was waited for; after `close` every one that came."""
        self._lines: Queue[str] = Queue()
        self._line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._line.bind(self.address)
        self._thread = Thread(target=self._listen)
        self._thread.start()

    def _listen(self) -> None:
        while said := self._line.recv(4096):
            self._lines.put(said.decode())

    def wait_for(self, line: str) -> list[str]:
        """Wait until this is said; return what was said since the last time, with it."""
        said = [self._lines.get(timeout=LONG)]
        while said[-1] != line:
            said.append(self._lines.get(timeout=LONG))
        self.said += said
        return said

    def close(self) -> None:
        """Stop listening."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as last:
            last.sendto(b"", self.address)
        self._thread.join()
        self._line.close()
        while not self._lines.empty():
            self.said.append(self._lines.get())


@contextmanager
def listening(address: Path) -> Iterator[SystemdListener]:
    """Listen at this address for as long as the context lasts."""
    listener = SystemdListener(address)
    try:
        yield listener
    finally:
        listener.close()


SIM = ("--sim", "--pace", "fast")
Capture = pytest.CaptureFixture[str]


class Program:
    """A companion in a process of its own, whose passing things lie in this folder."""

    def __init__(self, aside: Path, *words: str, notify: str = "") -> None:
        environ = {**os.environ, "TMPDIR": str(aside), "NOTIFY_SOCKET": notify}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "companion", *words],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=environ | {"WATCHDOG_USEC": "300000"},
        )  # fmt: skip
        self._last = "Ctrl-C ends" if words[0] == "play" else "http://"
        self.said = self.greeting()
        self.browser = Browser(re.findall(r"(http://\S+:\d+)/(?:table)?$", self.said, re.M)[-1])

    def greeting(self) -> str:
        """What it says when it starts."""
        assert self.process.stdout is not None
        lines = [self.process.stdout.readline()]
        while lines[-1] and self._last not in lines[-1]:
            lines.append(self.process.stdout.readline())
        return "".join(lines)

    def page(self, path: str) -> str:
        assert self.browser.get(path) == 200
        return self.browser.said

    def end(self, sign: signal.Signals = signal.SIGTERM) -> tuple[int, str, str]:
        """End it; return its status, and what else it has said."""
        self.process.send_signal(sign)
        out, log = self.process.communicate(timeout=LONG)
        return self.process.returncode, out, log


Start = Callable[..., Program]


@pytest.fixture
def aside(tmp_path: Path) -> Path:
    """Where passing things lie."""
    folder = tmp_path / "aside"
    folder.mkdir()
    return folder


@pytest.fixture
def start(aside: Path) -> Iterator[Start]:
    """Start a program at this machine alone, at a port of its own."""
    running = list[Program]()

    def begin(command: str, *how: str, notify: str = "") -> Program:
        port = () if "--port" in how else ("--port", str(free_port()))
        here = () if "--address" in how else ("--address", "127.0.0.1")
        running.append(Program(aside, command, *here, *port, *how, notify=notify))
        return running[-1]

    yield begin
    for program in running:
        if program.process.poll() is None:
            program.end(signal.SIGKILL)


def lines(folder: Path) -> list[bytes]:
    """The events in a journal; to look is allowed while it is written."""
    with closing(Journal(folder / "journal.sqlite3", read_only=True)) as journal:
        return [bytes(line.event) for line in every_line(journal)]


def games(folder: Path) -> list[str]:
    with closing(Journal(folder / "journal.sqlite3", read_only=True)) as journal:
        return [game.game for game in journal.list_games()]


def test_a_table_without_any_wire_is_a_table(start: Start, tmp_path: Path) -> None:
    how = ("banque_fatale", "--profile", "phones-only", "--players", "Mia,Noa,Ole")
    program = start("run", *how, "--data", str(tmp_path / "data"))
    assert "Mia" in program.page("/")
    assert program.end() == (0, "", "")
    (line,) = lines(tmp_path / "data")
    assert b'"unplayed":"to_minimum"' in line, "house rules are written out"


def test_what_strangers_send_leaves_no_line_in_the_log_and_begins_no_game(
    start: Start, tmp_path: Path
) -> None:
    program = start("run", *SIM, "--data", str(tmp_path / "data"))
    port = int(program.browser.address.rpartition(":")[2])
    nonsense = b"POST / HTTP/1.0\r\nHost: x\r\nContent-Type: multipart/form-data\r\n"
    for sent in (nonsense + b"Content-Length: 1\r\n\r\nx", b"\0\r\n\r\n"):
        with socket.create_connection(("127.0.0.1", port), LONG) as line:
            line.sendall(sent)
            line.recv(1024)
    assert program.end() == (0, "", "")
    assert games(tmp_path / "data") == []


def test_a_terminal_alone_is_shown_a_link_for_the_host_alone_on_a_line(
    start: Start, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    ours, theirs = pty.openpty()
    words = ["run", *SIM, "--port", str(free_port()), "--data", str(data)]
    with subprocess.Popen(
        [sys.executable, "-m", "companion", *words], stdout=theirs, stderr=theirs
    ) as process:
        os.close(theirs)
        said = b""
        while not re.search(rb"^http://\S+/host/enter#[A-Za-z0-9_-]{22}\r$", said, re.MULTILINE):
            said += os.read(ours, 65536)
        process.send_signal(signal.SIGTERM)
    os.close(ours)
    assert stat.S_IMODE((data / "host-pass").stat().st_mode) == 0o600
    (data / "host-pass").unlink()
    program = start("run", *SIM, "--address", "0.0.0.0", "--data", str(data))
    told = program.said + "".join(program.end()[1:])
    assert "#" not in told
    assert "▀" not in told
    assert not (data / "host-pass").exists()


def test_a_service_without_its_wires_stands_and_systemd_hears_that_it_lives(
    start: Start, tmp_path: Path
) -> None:
    with listening(tmp_path / "notify") as systemd:
        program = start("run", "--data", str(tmp_path / "data"), notify=systemd.address)
        sentence = "The table runs without its wires: tap everything on the phones."
        assert sentence in program.page("/table")
        for _ in range(3):
            systemd.wait_for("WATCHDOG=1")
        assert program.end() == (0, "", "")
        systemd.wait_for("STOPPING=1")
    assert (systemd.said[0], systemd.said[-1]) == ("READY=1", "STOPPING=1")


def test_a_pulled_plug_costs_nobody_anything(start: Start, aside: Path) -> None:
    playing = start("play", "--seed", "7")
    (folder,) = aside.glob("companion-*/")
    browser = playing.browser

    def ask(event: str) -> None:
        at = browser.read("/api/seats/1")["at"]
        asked = {"event": {"event": event}, "version": at}
        assert browser.post("/api/seats/1/requests", **asked) == 204

    assert browser.post("/api/join/seats/1") == 204
    assert browser.post("/api/play/1/bots", pace="still") == 204
    ask("frozen")
    before, pid = lines(folder), playing.process.pid
    assert browser.post("/api/play/1/faults", fault="plug", at=0, on=True) == 204
    assert browser.address in playing.greeting(), "the same port"
    assert playing.process.pid == pid
    assert lines(folder) == before
    words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    assert words[words.index(b"--plugged") :][:4] == [b"--plugged", b"passing", b"--pace", b"still"]
    ask("thawed")
    assert len(lines(folder)) == len(before) + 1
    assert playing.end()[0] == 0
    assert not folder.exists()


def test_a_folder_that_we_did_not_make_is_never_removed(start: Start, tmp_path: Path) -> None:
    diary = tmp_path / "home" / "diary"
    diary.parent.mkdir()
    diary.write_text("Dear diary")
    assert start("play", "--plugged", "passing", "--data", str(diary.parent)).end()[0] == 0
    assert diary.read_text() == "Dear diary"


def test_what_is_kept_goes_on(start: Start, tmp_path: Path) -> None:
    kept = ("--data", str(tmp_path / "kept"), "--pace", "still")
    first = start("play", "robby_solo", "--seats", "5", *kept)
    assert "Robby Solo" in first.said
    assert first.end(signal.SIGHUP)[0] == 0
    assert "Emma" in start("play", *kept).page("/table"), "the fifth player is still there"


@pytest.mark.wide
def test_a_service_takes_up_what_was_restored_on_its_page(start: Start, tmp_path: Path) -> None:
    data = tmp_path / "data"
    with listening(tmp_path / "notify") as systemd:
        how = ("robby_solo", "--players", "Ana,Ben,Cleo", "--sim", "--pace", "still")
        program = start("run", *how, "--data", str(data), notify=systemd.address)
        systemd.wait_for("READY=1")
        host = program.browser
        host.get("/")
        assert host.becomes_host(data) == 204
        assert host.post("/api/host/reset") == 204
        before = lines(data)
        assert host.post("/api/host/backup") == 200
        assert host.send_file("/api/host/restore/file?key=file", host.data) == 204
        (id,) = re.findall(r'name="id" value="([0-9a-f]{16})"', program.page("/host/care"))
        assert host.post("/api/host/restore", id=id) == 204
        assert "STOPPING=1" not in systemd.wait_for("READY=1")
        assert host.post("/api/host/backup") == 401, "everybody is signed out"
        assert host.becomes_host(data) == 204
        assert "The backup is restored." in program.page("/host/care")
        assert lines(data) == before
        assert program.end()[0] == 0


@pytest.mark.parametrize(
    ("how", "said"),
    [
        (["run"], "companion run: "),
        (["run", "--sim", "--players", "Ana"], "Banküberfall is for 2 to 5 players, not 1."),
        (["run", "--sim", "--profile", "nowhere"], "nowhere"),
        (["run", "--data", "/dev/null/there"], "/dev/null/there cannot be used: "),
        (["play", "--seats", "6"], "Banküberfall is for 2 to 5 players, not 6."),
        (["play", "--address", "192.0.2.1"], "No port can be had at 192.0.2.1: "),
        (["play", "--address", "127.0.0.1:8123"],
         "127.0.0.1:8123 is an address with a port: write --address 127.0.0.1 --port 8123, "
         "or with make: ADDRESS=127.0.0.1 PORT=8123"),
        (["play", "--address", "http://localhost:80/"],
         "write --address localhost --port 80, or with"),
        (["play", "--address", "not an address"],
         "not an address is no address here; write 127.0.0.1, or 0.0.0.0 to let phones in."),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said_in_one_sentence(
    tmp_path: Path, how: list[str], said: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    data = ["--data", str(tmp_path / "data")] if how[0] == "run" and "--data" not in how else []
    assert main([*how, "--port", str(free_port()), *data]) == 2
    err = capsys.readouterr().err
    assert err.startswith("companion ")
    assert said in err
    assert err.count("\n") == 1
    assert not list(tmp_path.glob("companion-*"))
