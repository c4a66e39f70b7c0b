"""Debian's Firefox, driven over WebDriver BiDi: its own port, no driver program."""

import asyncio
import json
import os
import re
import subprocess
from pathlib import Path
from threading import Thread
from typing import Any

from tornado.websocket import WebSocketClientConnection, websocket_connect

from tests.worlds.engines import HEIGHT, WIDTH, Action, NotNow

PROGRAM = "firefox-esr"
PATIENCE = 60
QUIET = {
    "app.update.enabled": False,
    "app.normandy.enabled": False,
    "browser.aboutwelcome.enabled": False,
    "browser.region.network.url": "",
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.healthreport.uploadEnabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "http://127.0.0.1:9",
    "toolkit.telemetry.enabled": False,
}
"""It asks for nothing but what a page asks for."""


class Firefox:
    """One window; commands go through a loop of its own, for another may run in this thread."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        prefs = (f"user_pref({name!r}, {json.dumps(value)});\n" for name, value in QUIET.items())
        (folder / "user.js").write_text("".join(prefs), "utf-8")
        command = [PROGRAM, "--headless", "--no-remote", "--profile", str(folder)]
        self._process = subprocess.Popen(
            [*command, "--remote-debugging-port", "0"],
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "HOME": str(folder)},
        )
        self._loop = asyncio.new_event_loop()
        Thread(target=self._loop.run_forever, daemon=True).start()
        self._sent = 0
        self._line = self._run(self._connect(self._own_address()))
        self._ask("session.new", capabilities={})
        self._page = self._ask("browsingContext.getTree")["contexts"][0]["context"]
        self._other = ""
        size = {"width": WIDTH, "height": HEIGHT}
        self._ask("browsingContext.setViewport", context=self._page, viewport=size)

    def _own_address(self) -> str:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            if found := re.search(r"BiDi listening on (ws://\S+)", line):
                return f"{found[1]}/session"
        raise AssertionError("Firefox ended before it listened.")

    async def _connect(self, address: str) -> WebSocketClientConnection:
        return await websocket_connect(address)

    def _run(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE)

    def _ask(self, method: str, **params: Any) -> Any:
        answer = self._run(self._exchange(method, params))
        assert answer["type"] == "success", (method, answer)
        return answer["result"]

    async def _exchange(self, method: str, params: dict[str, Any]) -> Any:
        self._sent += 1
        command = {"id": self._sent, "method": method, "params": params}
        await self._line.write_message(json.dumps(command))
        while True:
            text = await self._line.read_message()
            assert text is not None, "Firefox has gone."
            answer = json.loads(text)
            if answer.get("id") == self._sent:
                return answer

    def visit(self, url: str) -> None:
        """Show this page."""
        self._ask("browsingContext.navigate", context=self._page, url=url, wait="complete")

    def evaluate(self, script: str) -> Any:
        """The value of an expression, as JSON has it."""
        asked = {"target": {"context": self._page}, "expression": f"JSON.stringify({script})"}
        answer = self._run(self._exchange("script.evaluate", asked | {"awaitPromise": True}))
        if answer["type"] != "success" or answer["result"]["type"] != "success":
            raise NotNow(answer)
        text = answer["result"]["result"].get("value")
        return json.loads(text) if text is not None else None

    def act(self, sources: list[Action]) -> None:
        """Perform W3C actions."""
        self._ask("input.performActions", context=self._page, actions=sources)

    def sleep(self) -> None:
        """Another tab covers this one."""
        self._other = self._ask("browsingContext.create", type="tab")["context"]

    def wake(self) -> None:
        """It is closed."""
        self._ask("browsingContext.close", context=self._other)
        self._ask("browsingContext.activate", context=self._page)

    def close(self) -> None:
        """End the browser."""
        self._ask("browser.close")
        self._process.wait(PATIENCE)
        assert self._process.stderr is not None
        self._process.stderr.close()
        self._loop.call_soon_threadsafe(self._loop.stop)
