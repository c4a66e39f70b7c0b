"""Every declared operation: what it grants once, and all that it grants to nobody."""

import json
import re
from collections.abc import Iterator
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from werkzeug.test import TestResponse

from tests.web.api.declared_operations import RIGHT, Right, Simulated, Stand, state_of
from tests.worlds.signer import HEADER_KEY, Signer, browser_of, signer_of
from tests.worlds.visitor import OURS, Visitor
from web.api import SUBJECTS
from web.api.openapi import build_document
from web.api.operation import Operation
from web.browsers import NEW_GAME, RATE_LIMIT, WRITE, Limits, RateLimit
from web.security import OPEN_ENDPOINTS

WRITES = {
    each.name: each for subject in SUBJECTS for each in subject.operations if each.method == "POST"
}
OPEN = {endpoint.removeprefix("api_").replace(".", "_") for endpoint in OPEN_ENDPOINTS}
"""The calculations of the judge: they change nothing."""
UPLOADS = {each.name for each in WRITES.values() if each.file_type}
"""Files; `test_backup.py` sends them to a real server."""
JSON, FORM = "application/json", "application/x-www-form-urlencoded"
RUDE = (
    b"null", b"[" * 5_000, b'{"a":' * 3_000 + b"1" + b"}" * 3_000, b'{"key":"\xff","version":NaN}',
    b'{"key":"a","version":%s,"event":{}}' % (b"9" * 5_000),
)  # fmt: skip
"""Bodies that no document would have."""
KINDS = ("", "text/plain", "multipart/form-data; boundary=x")
ODD = (None, -1, 10**30, "\ud800", {"red": [[]]})
"""What stands where something else should."""


class Sending:
    """One right request, sent as it is meant or otherwise."""

    def __init__(self, operation: Operation, right: Right, stand: Stand) -> None:
        self.operation, self.right, self.stand = operation, right, stand
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


@pytest.fixture(params=sorted(WRITES.keys() - OPEN - UPLOADS))
def sending(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Sending]:
    operation, right = WRITES[request.param], RIGHT.get(request.param, Right(Simulated))
    stand: Stand = right.at(tmp_path)
    with stand.left:
        yield Sending(operation, right, stand)


def test_every_right_request_is_of_an_operation() -> None:
    assert RIGHT.keys() <= WRITES.keys()


def test_an_operation_is_granted_once_and_to_nobody_else(sending: Sending) -> None:
    before = state_of(sending.stand)
    code = partial(_code_of, sending, before)
    body = json.dumps(sending.body).encode()
    assert code(sending.sends_signed("")) == (403, "unsigned")
    own = sending.signer()
    other = Signer(start=own.start)
    assert code(sending.sends_signed(other.signs(sending.path, body))) == (403, "bad_signature")
    assert code(sending.sends_raw(body, "text/plain")) == (415, "http_415")
    spelled = urlencode(sending.body | {"event": "{}"}).encode()
    assert code(sending.sends_raw(spelled, FORM)) == (415, "http_415")
    elsewhere = {"HTTP_ORIGIN": "http://evil.example"}
    assert code(sending.sends_raw(body, **elsewhere)) == (403, "http_403")
    assert code(sending.sends_raw(body, HTTP_ORIGIN="null")) == (403, "http_403")
    if sending.operation.who != "anyone":
        needs = (401, "not_host") if sending.operation.who == "host" else (403, "not_your_seat")
        assert code(sending.stand.guest.tells(sending.path, sending.body)) == needs
    assert code(sending.sends(nonsense=1)) == (400, "malformed")
    assert code(sending.sends(key="no key!")) == (400, "malformed")
    keyless = {name: value for name, value in sending.body.items() if name != "key"}
    if keyless != sending.body:
        assert code(sending.sends_raw(json.dumps(keyless).encode())) == (400, "malformed")

    heard = own.signs(sending.path, body)
    assert code(sending.sends_raw(body + b" ", **{HEADER_KEY: heard})) == (403, "bad_signature")
    assert code(sending.sends_signed(heard)) == (403, "attempt_used"), (
        "it was used for another body"
    )
    heard = own.signs(sending.path, body)
    granted = sending.sends_signed(heard)
    assert granted.status_code in (200, 204), granted.text
    granted.get_data()
    once = state_of(sending.stand)
    assert (once != before) is sending.right.shows, "state_of() has what it changes"
    assert _code_of(sending, once, sending.sends_signed(heard)) == (403, "attempt_used")
    again = sending.sends()
    assert again.status_code in (200, 204, 401, 403), "it counted, or the right to it went with it"
    if sending.operation.gives is None:
        assert state_of(sending.stand) == once

    limit: RateLimit = sending.stand.app.extensions[RATE_LIMIT]
    limit.__init__(Limits(tokens=NEW_GAME), lambda: 0.0)  # type: ignore[misc]
    for _ in range(NEW_GAME // WRITE):
        sending.sends()
    quick = sending.sends()
    assert (quick.status_code, quick.json["code"]) == (429, "http_429")  # type: ignore[index]
    assert int(quick.headers["Retry-After"]) >= 1


def test_junk_is_answered_as_the_document_says(sending: Sending) -> None:
    """No body, content type or field makes it answer what it does not promise, or fail."""
    promised = promised_by(sending.operation)
    answers = [sending.sends_raw(body) for body in RUDE]
    answers += [sending.sends_raw(json.dumps(sending.body).encode(), kind) for kind in KINDS]
    for field in sending.body:
        answers += [sending.sends(**{field: odd}) for odd in ODD]
    for answer in answers:
        _check_promised(answer, promised)
    assert sum(answer.status_code == 400 for answer in answers) >= len(RUDE)


def test_what_is_read_is_as_the_document_says(tmp_path: Path) -> None:
    reads = [
        each for subject in SUBJECTS for each in subject.operations
        if each.method == "GET" and not each.path.startswith("/api/stream/")
    ]  # fmt: skip
    stand = Simulated(tmp_path)
    with stand.left:
        for operation, number in product(reads, (1, 0, 99, 10**12)):
            path = re.sub("<int:[a-z]+>", str(number), operation.path)
            path = re.sub("<[a-z]+>", f"x{number}", path)
            for browser in (stand.guest, stand.phone, stand.host):
                answer = browser.client.get(path, base_url=OURS)
                _check_promised(answer, promised_by(operation))
                answer.close()
    assert len(reads) > 10


document = cache(partial(build_document, SUBJECTS))


def promised_by(operation: Operation) -> dict[str, Any]:
    """Return the answers that the document promises for an operation, by their status."""
    path = re.sub("<(?:int:)?([a-z]+)>", r"{\1}", operation.path)
    found: dict[str, Any] = document()["paths"][path][operation.method.lower()]
    return found["responses"]  # type: ignore[no-any-return]


def _check_promised(answer: TestResponse, promised: dict[str, Any]) -> None:
    """Status, content type and code of an answer are in the document."""
    assert str(answer.status_code) in promised, answer.text
    assert answer.status_code < 500 or answer.status_code == 503, answer.text
    kinds = promised[str(answer.status_code)].get("content", {})
    assert not kinds or answer.mimetype in kinds, answer.content_type
    if answer.status_code >= 400:
        assert answer.json["code"]  # type: ignore[index]


def _code_of(sending: Sending, before: list[str], answer: TestResponse) -> tuple[int, str]:
    """The code of a refusal, after which all is as it was."""
    assert state_of(sending.stand) == before
    assert answer.content_type == "application/problem+json", answer.text
    return answer.status_code, str(answer.json["code"])  # type: ignore[index]
