"""Answer the call of a table from the floor, by the table's own API.

Laws: what the floor sends is signed with its own key and counted, as from any browser; nothing of
it travels through the broker. The floor may do at a table what any guest there may: end a call.
"""

import hashlib
import json
import secrets

from nacl.signing import SigningKey
from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPResponse

TIMEOUT = 4.0


class TableAccess:
    """Writes to tables; at each of them the floor is one browser."""

    def __init__(self) -> None:
        self._key = SigningKey.generate()
        self._client = AsyncHTTPClient(force_instance=True)
        self._cookies: dict[str, str] = {}
        self._counters: dict[str, int] = {}

    async def answer_call(self, address: str, number: int) -> bool:
        """End the call of this number at the table of this address; return whether it took it."""
        table = address.rstrip("/")
        try:
            if table not in self._cookies:
                public = self._key.verify_key.encode().hex()
                await self._post_fields(table, "/api/browser/key", {"public_key": public})
            answer = await self._post_fields(table, "/api/floor/call/end", {"number": number})
        except (OSError, HTTPClientError, ValueError):  # Or its address is none.
            return False
        if answer.code in {401, 403}:
            self._cookies.pop(table, None)  # The table has forgotten this floor: greet it anew.
        return answer.code == 204

    def close(self) -> None:
        self._client.close()

    async def _post_fields(self, table: str, path: str, fields: dict[str, object]) -> HTTPResponse:
        """Send a signed body; once more if the table is ahead of the counter."""
        body = json.dumps({"key": secrets.token_hex(8), **fields}).encode()
        answer = await self._send_signed(table, path, body)
        if answer.code == 403 and b"counter_used" in answer.body:
            self._counters[table] = json.loads(answer.body)["next_counter"] - 1
            answer = await self._send_signed(table, path, body)
        return answer

    async def _send_signed(self, table: str, path: str, body: bytes) -> HTTPResponse:
        counter = self._counters[table] = self._counters.get(table, 0) + 1
        digest = hashlib.sha256(body).hexdigest()
        text = f"companion request 1\nPOST\n{path}\n{counter}\n{digest}"
        signature = self._key.sign(text.encode()).signature.hex()
        head = {
            "Origin": table,
            "Content-Type": "application/json",
            "Companion-Signature": f"{counter}.{signature}",
            "Cookie": self._cookies.get(table, ""),
        }
        answer = await self._client.fetch(
            table + path, method="POST", body=body, headers=head, raise_error=False,
            follow_redirects=False, request_timeout=TIMEOUT, connect_timeout=TIMEOUT,
        )  # fmt: skip
        if "Set-Cookie" in answer.headers:
            self._cookies[table] = answer.headers["Set-Cookie"].partition(";")[0]
        return answer
