"""Every declared operation: what it grants once, and all that it grants to nobody."""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from werkzeug.test import TestResponse

from tests.worlds.declared_operations import RIGHT, Right, Stand, state_of
from tests.worlds.signer import HEADER_KEY, Signer, browser_of, signer_of
from tests.worlds.visitor import OURS, Visitor
from web.api import SUBJECTS
from web.api.operation import Operation
from web.rate_limits import RATE_LIMITER, Limits, Rate, RateLimiter
from web.security import OPEN_ENDPOINTS

WRITES = {
    each.name: each for subject in SUBJECTS for each in subject.operations if each.method == "POST"
}
OPEN = {endpoint.removeprefix("api_").replace(".", "_") for endpoint in OPEN_ENDPOINTS}
"""The calculations of the judge: they change nothing."""
UPLOADS = {each.name for each in WRITES.values() if each.file_type}
"""Files; `test_backup.py` sends them to a real server."""
JSON, FORM = "application/json", "application/x-www-form-urlencoded"


class Sending:
    """One right request, sent as it is meant or otherwise."""

    def __init__(self, operation: Operation, right: Right, stand: Stand) -> None:
        self.operation, self.stand = operation, stand
        body = right.body(stand)
        guest = next((each.number for each in stand.context.seats.waiting_guests()), 1)
        self.path = operation.path.replace("<int:seat>", f"{right.seat}")
        self.path = self.path.replace("<int:guest>", f"{guest}")
        fields = operation.takes.__struct_fields__ if operation.takes else ()
        self.body = ({"key": "first"} if "key" in fields else {}) | body
        senders: dict[str, Visitor] = {"seat": stand.phone, "hands": stand.phone}
        if operation.who == "host":
            senders["host"] = stand.host
        self.sender = senders.get(operation.who, stand.guest)

    def sends(self, **more: Any) -> TestResponse:
        return self.sender.tells(self.path, self.body | more)

    def sends_signed(self, signature: str) -> TestResponse:
        return self.sends_raw(json.dumps(self.body).encode(), **{HEADER_KEY: signature})

    def sends_raw(
        self, data: bytes, kind: str = "application/json", **environ: str
    ) -> TestResponse:
        return self.sender.client.post(
            self.path,
            data=data,
            content_type=kind,
            headers={"Origin": OURS},
            base_url=OURS,
            environ_overrides=environ,
        )

    def signer(self) -> Signer:
        """The true key of the sender's browser."""
        cookie = self.sender.client.get_cookie("companion")
        assert cookie is not None
        return signer_of(self.stand.app, browser_of(self.stand.app, f"companion={cookie.value}"))


@pytest.fixture(params=[name for name in WRITES if name in RIGHT])
def sending(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Sending]:
    operation, right = WRITES[request.param], RIGHT[request.param]
    stand: Stand = right.at(tmp_path)
    with stand.left:
        yield Sending(operation, right, stand)


def test_every_operation_has_a_right_request() -> None:
    left = WRITES.keys() - RIGHT.keys() - OPEN - UPLOADS
    assert left == set()
    assert RIGHT.keys() <= WRITES.keys()


def test_an_operation_is_granted_once_and_to_nobody_else(sending: Sending) -> None:
    before = state_of(sending.stand)
    code = partial(_code_of, sending, before)
    body = json.dumps(sending.body).encode()
    assert code(sending.sends_signed("")) == (403, "unsigned")
    own = sending.signer()
    other = Signer()
    other.counter = own.counter + 1_000
    assert code(sending.sends_signed(other.signs(sending.path, body))) == (403, "bad_signature")
    assert code(sending.sends_raw(body, "text/plain")) == (415, "http_415")
    spelled = urlencode(sending.body | {"event": "{}"}).encode()
    assert code(sending.sends_raw(spelled, FORM)) == (415, "http_415")
    assert code(sending.sends(nonsense=1)) == (400, "malformed")
    assert code(sending.sends(key="no key!")) == (400, "malformed")

    granted = sending.sends()
    assert granted.status_code in (200, 204), granted.text
    granted.get_data()
    once = state_of(sending.stand)
    assert (once != before) is RIGHT[sending.operation.name].shows
    again = sending.sends()
    assert again.status_code in (200, 204, 401, 403), "it counted, or the right to it went with it"
    if sending.operation.gives is None:
        assert state_of(sending.stand) == once

    one = Rate(1, 0.001)
    limiter: RateLimiter = sending.stand.app.extensions[RATE_LIMITER]
    limiter.__init__(Limits(writes=one, writes_per_browser=one), lambda: 0.0)  # type: ignore[misc]
    sending.sends()
    quick = sending.sends()
    assert (quick.status_code, quick.json["code"]) == (429, "http_429")  # type: ignore[index]
    assert int(quick.headers["Retry-After"]) >= 1


def _code_of(sending: Sending, before: list[str], answer: TestResponse) -> tuple[int, str]:
    """The code of a refusal, after which all is as it was."""
    assert state_of(sending.stand) == before
    assert answer.content_type == "application/problem+json", answer.text
    return answer.status_code, str(answer.json["code"])  # type: ignore[index]
