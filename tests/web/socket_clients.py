"""A running server, and clients connected to it over real sockets."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import Any

from flask import Flask

from tests.worlds.visitor import Visitor
from web.server.server import Server
from web.server.sockets import bind_sockets

HERE = "127.0.0.1"
Events = AsyncIterator[tuple[str, str]]
LAST = b"GET /table HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


class Line:
    """One connection of a browser that only listens."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self.head = ""
        self.id = ""

    async def ask(self, path: str, host: str, cookie: str, last: str = "") -> int:
        """Send a request; the status of the answer."""
        more = f"Last-Event-ID: {last}\r\n" if last else ""
        cookie = f"Cookie: companion={cookie}\r\n" if cookie else ""
        self._writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\n{cookie}{more}\r\n".encode())
        self.head = (await self._reader.readuntil(b"\r\n\r\n")).decode()
        return int(self.head.split()[1])

    async def problem(self) -> dict[str, Any]:
        """The body of a refusal."""
        length = next(line for line in self.head.splitlines() if line.startswith("Content-Length"))
        told: dict[str, Any] = json.loads(await self._reader.readexactly(int(length.split()[1])))
        return told

    async def events(self) -> Events:
        """The events of a stream, as name and data, until it ends."""
        text = ""
        while size := int(await self._reader.readline() or b"0", 16):
            text += (await self._reader.readexactly(size + 2))[:-2].decode()
            while "\n\n" in text:
                event, text = text.split("\n\n", 1)
                fields = [line.split(": ", 1) for line in event.splitlines()]
                self.id = next((value for field, value in fields if field == "id"), self.id)
                data = [value for field, value in fields if field == "data"]
                yield fields[0][1], "\n".join(data)

    async def close(self) -> None:
        """Go away, as a closed tab does."""
        self._writer.close()
        with suppress(ConnectionError):
            await self._writer.wait_closed()


class Cafe:
    """A running server, and everyone who is connected to it."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.lines: list[Line] = []
        self.idle: list[socket.socket] = []

    async def ask(
        self,
        path: str,
        host: str = "localhost",
        cookie: str = "",
        last: str = "",
        *,
        source: str = HERE,
    ) -> int:
        """Ask for something on a new connection; the status of the answer."""
        self.lines.append(Line(*await self.connect(source)))
        return await self.lines[-1].ask(path, host, cookie, last)

    async def connect(
        self, source: str = HERE
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect from this address of the machine."""
        return await asyncio.open_connection(HERE, self.server.port, local_addr=(source, 0))

    async def listen(
        self,
        page: str,
        visitor: Visitor | None = None,
        last: str = "",
        base: str = "/stream",
        *,
        source: str = HERE,
    ) -> Events:
        """Watch a page, with the cookie of this visitor."""
        kept = visitor.client.get_cookie("companion") if visitor else None
        cookie = kept.value if kept else ""
        assert await self.ask(f"{base}/{page}", cookie=cookie, last=last, source=source) == 200
        return self.lines[-1].events()

    async def says(self, raw: bytes) -> bytes:
        """Send these very bytes and a good request after them, and all that comes back."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.server.port)
        self.lines.append(Line(reader, writer))
        with suppress(ConnectionError):
            writer.write(raw + LAST)
            return await reader.read()
        return b""

    def silent(self, raw: bytes = b"", source: str = HERE) -> socket.socket:
        """Connect, send this much and then neither say nor read anything."""
        line = socket.socket()
        line.bind((source, 0))
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        line.connect(("127.0.0.1", self.server.port))
        line.sendall(raw)
        self.idle.append(line)
        return line

    async def hears(self, line: socket.socket, last: str = "") -> bytes:
        """What a silent one hears, up to this; all of it if the table hangs up before."""
        line.setblocking(False)
        loop, told = asyncio.get_running_loop(), b""
        with suppress(ConnectionError):
            while more := await loop.sock_recv(line, 65_536):
                told += more
                if last and last.encode() in told:
                    break
        return told

    async def close(self) -> None:
        """Everyone goes home."""
        await self.server.stop()
        for line in self.lines:
            await line.close()
        for each in self.idle:
            each.close()


def run_story(app: Flask, story: Callable[[Cafe], Awaitable[None]]) -> None:
    """Run a story against a real server."""

    async def within() -> None:
        cafe = Cafe(Server(app, bind_sockets(18_400)))
        try:
            async with asyncio.timeout(60):
                await story(cafe)
        finally:
            await cafe.close()

    asyncio.run(within())
