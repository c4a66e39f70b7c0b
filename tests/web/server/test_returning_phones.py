"""Sixty-four phones come back at once, some reload in mid-request, each has two tabs: whatever is
tapped counts once."""

import asyncio
from typing import NamedTuple

from companion.host.settings import FloorPlace
from tests.worlds.signer import Signer, browser_of, new_cookie, signer_of
from tests.worlds.socket_clients import Cafe
from web.context import CONTEXT_KEY

PHONES = 64
CALL = "/api/floor/call"


class Phone(NamedTuple):
    """A phone at an address of its own."""

    source: str
    cookie: str
    signer: Signer

    def request(self, port: int, key: str) -> bytes:
        """A call for staff under this key, signed anew; each counts as one call more."""
        body = f'{{"key": "{key}"}}'.encode()
        head = {
            "Host": f"localhost:{port}",
            "Origin": f"http://localhost:{port}",
            "Cookie": f"companion={self.cookie}",
            "Content-Type": "application/json",
            "Content-Length": str(len(body)),
            "Connection": "close",
            **self.signer.head(CALL, body),
        }
        lines = [f"POST {CALL} HTTP/1.1", *(f"{name}: {said}" for name, said in head.items())]
        return "\r\n".join([*lines, "", ""]).encode() + body


async def send(cafe: Cafe, phone: Phone, request: bytes) -> str:
    """Send a request on a new connection; the status of the answer."""
    reader, writer = await cafe.connect(phone.source)
    writer.write(request)
    status = (await reader.read()).split()[1].decode()
    writer.close()
    return status


async def tap(cafe: Cafe, phone: Phone, key: str) -> str:
    """Tap as a page does: while the table is too busy, sign the same anew."""
    while (status := await send(cafe, phone, phone.request(cafe.server.port, key))) == "503":
        pass
    return status


async def leave(cafe: Cafe, phone: Phone, key: str) -> None:
    """Tap, and reload the page before the answer comes."""
    _, writer = await cafe.connect(phone.source)
    writer.write(phone.request(cafe.server.port, key))
    await writer.drain()
    writer.close()


def test_what_64_phones_tap_at_once_counts_once_each(app, serve):
    here = app.extensions[CONTEXT_KEY]
    here.set_place(FloorPlace("Table 7"))
    phones = []
    for n in range(PHONES):
        cookie = new_cookie(app)
        signer = signer_of(app, browser_of(app, f"companion={cookie}"))
        phones.append(Phone(f"127.0.4.{n + 1}", cookie, signer))

    async def story(cafe: Cafe) -> None:
        async def all_tap(*keys: str) -> set[str]:
            taps = [tap(cafe, phone, key) for phone in phones for key in keys]
            return {*await asyncio.gather(*taps)}

        asleep = [phone.request(cafe.server.port, "asleep") for phone in phones]
        await asyncio.gather(*(leave(cafe, phone, "tap") for phone in phones[::2]))
        assert await all_tap("tap") == {"204"}, "half of them for the second time"
        assert here.floor.calls.current.number == PHONES
        assert await all_tap("one-tab", "another-tab") == {"204"}
        assert here.floor.calls.current.number == 3 * PHONES
        woken = [await send(cafe, *each) for each in zip(phones, asleep, strict=True)]
        assert {*woken} == {"204"}, "signed long ago, and sent only now"
        assert here.floor.calls.current.number == 4 * PHONES

    serve(story)
