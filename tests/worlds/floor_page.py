"""A real `companion floor` at a broker, and a viewer of its stream."""

import json
import re
import signal
import subprocess
import sys
import threading
import urllib.request
from contextlib import suppress
from typing import Any

from tests.worlds.mosquitto import Mosquitto
from tests.worlds.ports import free_port


class FloorProgram:
    """The program; its page is there once this is made."""

    def __init__(self, broker: Mosquitto) -> None:
        command = ["companion", "floor", "--mqtt", broker.address, "--port", str(free_port())]
        self._process = subprocess.Popen(
            [sys.executable, "-m", *command], stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        (self.address,) = re.findall(r"http://\S+/", self._process.stdout.readline())

    def hold(self) -> None:
        """Let it be there and answer nothing."""
        self._process.send_signal(signal.SIGSTOP)

    def close(self) -> None:
        self._process.send_signal(signal.SIGCONT)
        self._process.send_signal(signal.SIGTERM)
        self._process.communicate()


class Viewer:
    """Reads the stream of a page as its script does: the newest drawing of each table."""

    def __init__(self, address: str, language: str = "en") -> None:
        self.tiles: dict[str, str] = {}
        self.order: list[str] = []
        self.hears_broker = False
        self._stream = urllib.request.urlopen(f"{address}stream?lang={language}", timeout=30)
        threading.Thread(target=self._read, daemon=True).start()

    def look(self, table: str) -> str:
        """Return a table's look; empty while it is unknown."""
        found = re.search(r'class="paper tile (\w+)"', self.tiles.get(table, ""))
        return found[1] if found else ""

    def close(self) -> None:
        self._stream.close()

    def _read(self) -> None:
        with suppress(OSError, ValueError, AttributeError):  # It is closed meanwhile.
            for line in self._stream:
                if line.startswith(b"data: "):
                    self._take(json.loads(line[6:]))

    def _take(self, news: dict[str, Any]) -> None:
        self.tiles |= news["drawn"]
        self.order, self.hears_broker = news["order"], news["hears"]
