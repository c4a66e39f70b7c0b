"""A restore from the page at a running service: it begins anew by itself, as the same process."""

import http.client
import json
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.host.host_pass import write_pass
from tests.cli.test_run import LONG, SIM, Running, lines, running
from tests.worlds.backup_table import RAW
from tests.worlds.ports import free_port
from tests.worlds.signer import Signer
from tests.worlds.systemd_listener import SystemdListener, listening

GAME = ("robby_solo", *SIM, "--players", "Ana,Ben,Cleo")


class Host:
    """A program that becomes the host."""

    def __init__(self, there: Running, folder: Path) -> None:
        self.at = there.address[0].removeprefix("http://").rstrip("/")
        self.cookie, self.signer = "", Signer()
        self.posts("browser/key", self.signer.registration(), "application/json")
        self.folder = folder
        self.becomes_host()

    def becomes_host(self) -> None:
        answer = self.signer.answers(write_pass(self.folder))
        assert self.asks("pass", answer=answer)[0] == 204

    def asks(self, path: str, **fields: object) -> tuple[int, bytes]:
        return self.posts(
            f"host/{path}", json.dumps({"key": "k", **fields}).encode(), "application/json"
        )

    def posts(self, path: str, body: bytes, kind: str) -> tuple[int, bytes]:
        """Once more if another start is to be signed, as after a restart."""
        status, said = self.sends(path, body, kind)
        return self.sends(path, body, kind) if self.signer.learns(said) else (status, said)

    def sends(self, path: str, body: bytes, kind: str) -> tuple[int, bytes]:
        line = http.client.HTTPConnection(self.at, timeout=LONG)
        head = {"Origin": f"http://{self.at}", "Content-Type": kind, "Cookie": self.cookie}
        line.request("POST", f"/api/{path}", body, head | self.signer.head(f"/api/{path}", body))
        answer = line.getresponse()
        self.cookie = answer.getheader("Set-Cookie", self.cookie).partition(";")[0]
        found = answer.status, answer.read()
        line.close()
        return found


@pytest.fixture
def told(tmp_path: Path) -> Iterator[SystemdListener]:
    with listening(tmp_path / "notify") as listener:
        yield listener


@pytest.mark.wide
def test_the_service_takes_up_what_was_put_back(tmp_path: Path, told: SystemdListener) -> None:
    folder = tmp_path / "data"
    game = (*GAME, "--port", str(free_port()))
    with running(folder, *game, "--pace", "still", notify=told.address) as service:
        told.wait_for("READY=1")
        host = Host(service, folder)
        assert host.asks("reset")[0] == 204
        before = lines(folder)
        status, backup = host.asks("backup")
        assert status == 200
        assert host.posts("host/restore/file?key=file", backup, RAW["Content-Type"])[0] == 204
        page = service_page(host)
        (id,) = re.findall(r'name="id" value="([0-9a-f]{16})"', page)
        assert host.asks("restore", id=id)[0] == 204
        assert "STOPPING=1" not in told.wait_for("READY=1")
        assert host.asks("backup")[0] == 401, "everybody is signed out"
        host.becomes_host()
        assert "The backup is restored." in service_page(host)
        assert lines(folder) == before
        assert service.end(signal.SIGTERM)[0] == 0
    told.wait_for("STOPPING=1")


def service_page(host: Host) -> str:
    line = http.client.HTTPConnection(host.at, timeout=LONG)
    line.request("GET", "/host/care", headers={"Cookie": host.cookie})
    page = line.getresponse().read().decode()
    line.close()
    return page
