"""The password of the table's own Wi-Fi: who is told, and that no other network hears of it."""

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from companion.hotspot.addresses import TABLE_ADDRESS
from companion.hotspot.network import Wifi
from companion.seating.identity import IdentityStore
from tests.worlds.scripted_table import ScriptedTable
from tests.worlds.stream_text import full_state
from tests.worlds.visitor import PlacedMachine
from web.app import create_app
from web.context import CONTEXT_KEY, AppContext
from web.rendering.screens import requested_screen

OURS, CAFE, NAMED = f"http://{TABLE_ADDRESS}:80/", "http://192.168.1.20:80/", "http://pi.local:80/"
WIFI = Wifi("Table 3", "4071-9926-0383-5518")
LOOPBACK, GUEST, STRANGER = "127.0.0.1", "10.71.0.7", "192.168.1.33"
FOLLOWED = ("table", "judge", "join")


@pytest.fixture
def put(tmp_path) -> Callable[..., Flask]:
    """A table with a host; with a hotspot, or in the Wi-Fi of the café alone."""
    identity = IdentityStore()

    def table(wifi: Wifi | None) -> Flask:
        (tmp_path / f"{wifi}").mkdir()
        made, own = ScriptedTable(tmp_path / f"{wifi}"), [OURS] if wifi else []
        hosts = ("192.168.1.20", "pi.local", *([TABLE_ADDRESS] if wifi else []))
        here = AppContext(
            made.table,
            host=made.host,
            machine=PlacedMachine(*own, CAFE, NAMED, wifi=wifi, hosts=hosts),
            identity=identity,
        )
        return create_app(here)

    return table


def asks(app: Flask, path: str, address: str, base: str = "http://localhost", **heads: str) -> Any:
    return app.test_client().get(
        path, base_url=base, environ_base={"REMOTE_ADDR": address}, headers=heads
    )


def streamed(app: Flask, page: str, address: str, base: str) -> bytes:
    where = {"REMOTE_ADDR": address}
    with app.test_request_context("/", base_url=base, environ_base=where):
        screen = requested_screen(page)
    return full_state(app, app.extensions[CONTEXT_KEY], screen).encode()


def heard(app: Flask, address: str, base: str) -> dict[str, bytes]:
    """Return the bytes that a visitor there can read, by page, stream and API."""
    rules = [one for one in app.url_map.iter_rules() if "GET" in one.methods and not one.arguments]
    told = {one.rule: asks(app, one.rule, address, base).data for one in rules}
    return told | {f"stream {page}": streamed(app, page, address, base) for page in FOLLOWED}


@pytest.mark.parametrize("base", ["http://192.168.1.20", "http://pi.local", "http://localhost"])
def test_another_network_does_not_even_hear_that_there_is_a_hotspot(put, base):
    with_one, without = put(WIFI), put(None)
    assert heard(with_one, STRANGER, base) == heard(without, STRANGER, base)
    at_the_pi = heard(with_one, LOOPBACK, "http://localhost")
    shows = [page for page, told in at_the_pi.items() if WIFI.password.encode() in told]
    assert shows == ["/table", "stream table"]


@pytest.mark.parametrize(
    ("address", "base", "told"),
    [
        (LOOPBACK, "http://localhost", True),
        (GUEST, f"http://{TABLE_ADDRESS}", True),
        (GUEST, "http://pi.local", True),
        (LOOPBACK, "http://192.168.1.20", False),
        (LOOPBACK, "http://pi.local", False),
        (STRANGER, f"http://{TABLE_ADDRESS}", False),
        (STRANGER, "http://localhost", False),
        ("::ffff:192.168.1.33", "http://localhost", False),
    ],
)
def test_the_screen_tells_it_at_the_pi_and_in_its_own_wifi(put, address, base, told):
    page = asks(put(WIFI), "/table", address, base).text
    assert (WIFI.password in page, WIFI.name in page, OURS in page) == (told, told, told)


@pytest.mark.parametrize(
    "head", ["X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Forwarded", "Via"]
)
def test_forwarded_headers_can_only_hide_the_wifi_password(put, head):
    app = put(WIFI)
    assert WIFI.password in asks(app, "/table", LOOPBACK).text
    assert WIFI.password not in asks(app, "/table", LOOPBACK, **{head: STRANGER}).text
    for says in (LOOPBACK, GUEST):
        assert WIFI.password not in asks(app, "/table", STRANGER, **{head: says}).text
