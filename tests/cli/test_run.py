"""`companion run`: it serves, it goes on where it stopped, and it ends politely."""

import json
import os
import pty
import re
import select
import signal
import socket
import stat
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from http.cookiejar import CookieJar
from pathlib import Path

import pytest

from companion.cli import main
from companion.host.settings import save_choices
from companion.hotspot.addresses import answered_hosts, own_addresses
from companion.identity import IdentityStore
from companion.journal import Journal
from companion.seating.seats import SeatHolder
from companion.setup.steps import SavedSetup
from tests.worlds.installed_games import write_package
from tests.worlds.patience import until
from tests.worlds.ports import free_port
from tests.worlds.signer import REGISTER, Signer
from tests.worlds.systemd_listener import listening

LONG = 40.0


class Running:
    """A companion in a process of its own."""

    def __init__(self, folder: Path, *how: str, notify: str = "") -> None:
        command = [sys.executable, "-m", "companion", "run", "--data", str(folder), *how]
        environ = {**os.environ, "NOTIFY_SOCKET": notify, "WATCHDOG_USEC": "300000"}
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environ
        )
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().split()[-1:]

    def page(self, path: str, browser: urllib.request.OpenerDirector | None = None) -> str:
        opened = (browser or urllib.request.build_opener()).open(
            self.address[0] + path, timeout=LONG
        )
        with opened as answer:
            return str(answer.read().decode())

    def send(
        self, browser: urllib.request.OpenerDirector, *writes: tuple[str, dict[str, object]]
    ) -> None:
        """Come with a browser that has a key of its own, and write this."""
        browser.open(self.address[0] + "/", timeout=LONG).close()
        origin, signer = self.address[0].rstrip("/"), Signer()
        bodies = [(path, json.dumps({"key": "k"} | more).encode()) for path, more in writes]
        kind = {"Origin": origin, "Content-Type": "application/json"}
        register = (REGISTER, signer.registration())
        with pytest.raises(urllib.error.HTTPError) as refused:
            browser.open(post(origin, register, kind, signer), timeout=LONG)
        assert signer.learns(refused.value.read())
        for write in (register, *bodies):
            browser.open(post(origin, write, kind, signer), timeout=LONG).close()

    def end(self, sign: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
        self.process.send_signal(sign)
        _, said = self.process.communicate(timeout=LONG)
        return self.process.returncode, said


def post(
    origin: str, write: tuple[str, bytes], head: dict[str, str], signer: Signer
) -> urllib.request.Request:
    """A signed write."""
    path, body = write
    head = head | signer.head(path, body)
    return urllib.request.Request(origin + path, body, head, method="POST")


@contextmanager
def running(folder: Path, *how: str, notify: str = "") -> Iterator[Running]:
    made = Running(folder, *how, notify=notify)
    try:
        yield made
    finally:
        if made.process.poll() is None:
            made.end(signal.SIGKILL)


def games(folder: Path) -> list[tuple[str, int]]:
    """The games in the journal and how many moments each has."""
    with closing(Journal(folder / "journal.sqlite3")) as journal:
        assert journal.notices == []
        return [(game.id, len(list(journal.read_lines(game.id)))) for game in journal.list_games()]


SIM = ("--sim", "--pace", "fast", "--port", "8700")


def lines(folder: Path, least: int = 0) -> list[bytes]:
    """The journal's events, once there are so many; to look is allowed while it is written."""
    end = time.monotonic() + LONG
    while True:
        with closing(Journal(folder / "journal.sqlite3", read_only=True)) as journal:
            found = [bytes(line.event) for line in journal.read_lines()]
        if len(found) >= least:
            return found
        assert time.monotonic() < end, f"only {len(found)} moments"
        time.sleep(0.05)


@pytest.mark.wide
def test_each_game_goes_on_where_it_was_left(tmp_path: Path) -> None:
    for game in ("robby_solo", "bankueberfall", "robby_solo"):
        with running(tmp_path, game, *SIM) as made:
            made.page("/")
            made.end()
    assert len(games(tmp_path)) == 2, "the robbery that was left goes on"


def test_how_it_is_can_be_asked_by_anybody(tmp_path: Path) -> None:
    with running(tmp_path, "robby_solo", *SIM) as made:
        told = json.loads(made.page("/healthz"))
        assert told["lights"]["readers"] == "green"
        made.end()


def test_a_game_that_cannot_be_loaded_is_logged_once_and_the_table_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "fog_game.py").write_text("raise SystemExit('no fog\\x1b[2J')")
    write_package(tmp_path, "fog-games", {"fog": "fog_game:GAME"})
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with running(tmp_path / "data", "robby_solo", *SIM) as made:
        assert "<html" in made.page("/")
        status, said = made.end()
    assert status == 0
    [line] = [line for line in said.splitlines() if "game_broken" in line]
    assert "game_broken game=fog why=" in line
    assert "cannot be loaded. SystemExit: no fog" in line
    assert "\x1b" not in line


def test_a_table_without_any_wire_is_a_table(tmp_path: Path) -> None:
    how = ("banque_fatale", "--profile", "phones-only", "--players", "Mia,Noa,Ole")
    with running(tmp_path, *how, "--port", "8770") as made:
        assert "Mia" in made.page("/")
        assert made.end() == (0, "")
    with closing(Journal(tmp_path / "journal.sqlite3")) as journal:
        (line,) = journal.read_lines()
        assert line.decode_event(dict)["house_rules"]["unplayed"] == "to_minimum", "written out"


def test_every_phone_may_come_and_no_foreign_name(tmp_path: Path) -> None:
    with running(tmp_path, *SIM, "--address", "0.0.0.0") as made:
        for host in answered_hosts("0.0.0.0", own_addresses()):
            assert status(made, host) == 200, host
        assert status(made, "example.org") == 400
        made.end()


def test_what_strangers_send_leaves_no_line_in_the_log(tmp_path: Path) -> None:
    nonsense = b"POST / HTTP/1.0\r\nHost: x\r\nContent-Type: multipart/form-data\r\n"
    with running(tmp_path, *SIM) as made:
        port = int(made.address[0].rstrip("/").rpartition(":")[2])
        for sent in (nonsense + b"Content-Length: 1\r\n\r\nx", b"\0\r\n\r\n"):
            with socket.create_connection(("127.0.0.1", port), LONG) as line:
                line.sendall(sent)
                line.recv(1024)
        assert made.end() == (0, "")


def status(made: Running, host: str) -> int:
    """What the page answers to whoever calls it so."""
    port = made.address[0].rstrip("/").rpartition(":")[2]
    asked = urllib.request.Request(f"http://127.0.0.1:{port}/", headers={"Host": f"{host}:{port}"})
    try:
        with urllib.request.urlopen(asked, timeout=LONG) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def kept_seats(folder: Path) -> Mapping[int, SeatHolder]:
    with closing(IdentityStore(folder / "identity.sqlite3")) as identity:
        return identity.seats()


def test_a_browser_keeps_its_seat(tmp_path: Path) -> None:
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
    with running(tmp_path, "bankueberfall", *SIM) as first:
        first.send(browser, ("/api/join/seats/2", {}))
        first.end(signal.SIGKILL)
    assert set(kept_seats(tmp_path)) == {2}
    with running(tmp_path, *SIM) as second:
        assert "Ben" in second.page("/phone", browser)
        second.end()
    with running(tmp_path, "--new", *SIM) as third:
        third.end()
    assert kept_seats(tmp_path) == {}, "who sat there may have gone home"


def test_with_nothing_under_way_it_waits_for_the_host(tmp_path: Path) -> None:
    with running(tmp_path, *SIM) as made:
        assert "<html" in made.page("/")
        assert made.end() == (0, "")
    assert games(tmp_path) == []


def said_at_a_terminal(folder: Path, *how: str) -> str:
    """What a companion prints to a terminal from its start to its end."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "companion", "run", "--data", str(folder), *how]
    with subprocess.Popen(command, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        said = b""
        while b"/\r\n" not in said or select.select([ours], [], [], 1.0)[0]:
            said += os.read(ours, 65536)
        process.send_signal(signal.SIGTERM)
        with suppress(OSError):  # It says so that the other end is closed.
            while more := os.read(ours, 65536):
                said += more
    os.close(ours)
    return said.decode().replace("\r\n", "\n")


def test_a_terminal_alone_is_shown_a_link_for_the_host_alone_on_a_line(tmp_path: Path) -> None:
    link = r"^http://\S+/host/enter#[A-Za-z0-9_-]{22}$"
    first, again = (
        re.findall(link, said_at_a_terminal(tmp_path, *SIM), re.MULTILINE) for _ in "12"
    )
    assert (len(first), len(again), first != again) == (1, 1, True)
    assert stat.S_IMODE((tmp_path / "host-pass").stat().st_mode) == 0o600
    (tmp_path / "host-pass").unlink()
    with running(tmp_path, *SIM, "--address", "0.0.0.0") as made:
        made.process.send_signal(signal.SIGTERM)
        out, log = made.process.communicate(timeout=LONG)
    assert "#" not in out + log
    assert "▀" not in out + log
    assert not (tmp_path / "host-pass").exists()


def test_systemd_hears_that_it_is_ready_alive_and_stopping(tmp_path: Path) -> None:
    with listening(tmp_path / "notify") as systemd:
        how = ("bankueberfall", *SIM)
        with running(tmp_path / "data", *how, notify=systemd.address) as made:
            for _ in range(3):
                systemd.wait_for("WATCHDOG=1")
            assert made.end() == (0, "")
        systemd.wait_for("STOPPING=1")
    assert (systemd.said[0], systemd.said[-1]) == ("READY=1", "STOPPING=1")


def test_a_service_without_its_wires_stands_and_says_why(tmp_path: Path) -> None:
    with listening(tmp_path / "notify") as systemd:
        how = ("--port", str(free_port()))
        with running(tmp_path / "data", *how, notify=systemd.address) as made:
            sentence = "The table runs without its wires: tap everything on the phones."
            assert sentence in made.page("/table")
            for _ in range(3):
                systemd.wait_for("WATCHDOG=1")
            assert made.end() == (0, "")
        systemd.wait_for("STOPPING=1")


def test_at_a_terminal_a_table_without_its_wires_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    assert main(["run", "--data", str(tmp_path), "--port", "8795"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("companion run: ")
    assert said.count("\n") == 1


@pytest.mark.wide
def test_the_language_of_the_browser_counts_where_nobody_says_another(tmp_path: Path) -> None:
    save_choices(tmp_path, SavedSetup(language="de"))
    for how, code in (((), "de"), (("--lang", "fr"), "fr")):
        with running(tmp_path, *SIM, *how) as made:
            assert f'<html lang="{code}"' in made.page("/table")
            made.end()


@pytest.mark.wide
def test_a_game_can_be_ended_and_another_begun(tmp_path: Path) -> None:
    with running(tmp_path, "bankueberfall", *SIM) as first:
        first.end()
    with running(tmp_path, "banque_fatale", *SIM) as other:
        other.end()
    with running(tmp_path, "--new", "--players", "Mia,Noa,Ole", *SIM) as third:
        assert "Mia" in third.page("/")
        third.end()
    assert len(games(tmp_path)) == 3


@pytest.mark.parametrize(
    ("how", "said"),
    [
        (["--sim", "--players", "Ana"], "Banküberfall is for 2 to 5 players, not 1."),
        (["--sim", "--house-rule", "shortfall=maybe"],
         "The house rule shortfall is continue | stop, not “maybe”."),
        (["--sim", "--profile", "nowhere"], "nowhere"),
        (["--sim", "--players", "Ana,Ben,Cleo", "--front", "1", "3", "2"],
         "Each player sits behind a bank of their own, in the order of the seats."),
        (["--sim", "--banks", "red", "blue"],
         "Which banks there are is nothing to choose in Banküberfall."),
        (["--sim", "--junior"], "--junior is nothing that Banküberfall knows."),
        (["--address", "192.0.2.1"], "No port can be had at 192.0.2.1: "),
        (["--address", "127.0.0.1:8123"],
         "127.0.0.1:8123 is an address with a port: write --address 127.0.0.1 --port 8123, "
         "or with make: ADDRESS=127.0.0.1 PORT=8123"),
        (["--data", "/dev/null/there"], "/dev/null/there cannot be used: "),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said_in_one_sentence(
    tmp_path: Path, how: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    data = [] if "--data" in how else ["--data", str(tmp_path)]
    assert main(["run", *data, "--port", "8750", *how]) == 2
    err = capsys.readouterr().err
    assert err.startswith("companion run: ")
    assert said in err
    assert err.count("\n") == 1


def test_two_companions_do_not_share_a_journal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(Journal(tmp_path / "journal.sqlite3")):
        assert main(["run", "--sim", "--data", str(tmp_path), "--port", "8760"]) == 2
    assert "is open already" in capsys.readouterr().err


@pytest.mark.wide
def test_with_demo_a_table_without_a_game_plays_recorded_evenings(tmp_path: Path) -> None:
    with running(tmp_path, "--demo", "--profile", "phones-only", "--port", "8780") as made:
        until(lambda: "Demo: press any button" in made.page("/table"), "the demo")
        assert made.end() == (0, "")
    with running(tmp_path, "--demo", *SIM[:-1], "8780", "robby_solo") as made:
        assert "Demo" not in made.page("/table"), "a game is under way"
        assert made.end() == (0, "")
