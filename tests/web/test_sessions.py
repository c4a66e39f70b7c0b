"""Session cookies: without a time, and kept through refusals."""

import time

import pytest
from flask import Flask

from tests.worlds.host_browser import HostsBrowser
from tests.worlds.visitor import OURS, Visitor
from web.browsers import BROWSER_KEY, MAX_AGE, make_serializer

REFUSED = ("/api/seats/2", "/nowhere", "/api/nowhere", "/host/new/nothing", "/api/host/backup")


def test_the_cookie_carries_no_time_and_the_phone_counts_its_age(app: Flask) -> None:
    cookie = app.test_client().get("/", base_url=OURS).headers["Set-Cookie"]
    value = cookie.partition("=")[2].partition(";")[0]
    assert f"Max-Age={MAX_AGE}" in cookie.split("; ")
    assert "Expires" not in cookie
    assert value.count(".") == 1, "what is signed, and the signature"
    signed = make_serializer(app)
    assert signed.loads(value).keys() == {BROWSER_KEY}
    assert signed.dumps(signed.loads(value)) == value, "whenever it is made"


def test_a_refusal_sets_no_cookie_and_clears_none(app: Flask) -> None:
    for value in (None, "forged", make_serializer(app).dumps({BROWSER_KEY: "ana"}) + "x"):
        client = app.test_client()
        if value is not None:
            client.set_cookie("companion", value)
        for path in REFUSED:
            refused = client.get(path, base_url=OURS)
            assert refused.status_code >= 400, path
            assert "Set-Cookie" not in refused.headers, path
        assert "Set-Cookie" not in client.post("/api/join/guests", base_url=OURS).headers


def test_a_cookie_of_another_key_is_a_stranger(app: Flask) -> None:
    other = Flask("other")
    other.secret_key = b"x" * 32
    for value in (
        make_serializer(other).dumps({BROWSER_KEY: "ana"}),
        make_serializer(app).dumps(["ana"]),
    ):
        visitor = Visitor(app)
        visitor.client.set_cookie("companion", value)
        assert visitor.get("/").status_code == 200
        found = visitor.client.get_cookie("companion")
        assert found is not None
        assert make_serializer(app).loads(found.value)[BROWSER_KEY] not in ("", "ana")


@pytest.mark.parametrize("now", [86_400.0, 1_577_836_800.0, 2_177_452_800.0])
def test_a_wall_clock_that_jumps_takes_no_seat_and_no_host(
    app: Flask, host: HostsBrowser, monkeypatch: pytest.MonkeyPatch, now: float
) -> None:
    """To 1970, to 2020, and over the end of 32 bits."""
    phone = Visitor(app)
    phone.sits(1)
    monkeypatch.setattr(time, "time", lambda: now)
    assert phone.get("/api/seats/1").status_code == 200
    assert phone.get("/api/seats/2").status_code == 403
    assert host.get("/host").request.path == "/host"
