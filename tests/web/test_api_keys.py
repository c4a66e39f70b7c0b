"""Keys of programs: what each may, that a cookie adds nothing to it, and figures for Prometheus."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import Client, TestResponse

from companion.app.simulated.simulation import Simulation
from companion.identity.api_keys import ApiKeys
from companion.seating.seats import Seats
from tests.worlds.visitor import OURS, UNHURRIED, Visitor
from web.app import create_app
from web.context import AppContext
from web.rate_limits import Limits, Rate

Asks = Callable[..., TestResponse]
TAP = {"key": "tap-1"}
CALM = {"key": "calm-1", "calm": True}


@pytest.fixture
def keys(tmp_path: Path) -> ApiKeys:
    """What `companion key` has open: another process than the table."""
    return ApiKeys(tmp_path)


@pytest.fixture
def app(evening: Simulation, seats: Seats, limits: Limits, tmp_path: Path) -> Flask:
    context = AppContext(
        evening.host.table, seats, evening.controls, evening.host, api_keys=ApiKeys(tmp_path)
    )
    return create_app(context, limits=limits)


@pytest.fixture
def asks(app: Flask) -> Asks:
    """A program that sends a key, neither Origin nor signature, from elsewhere in the network."""

    def ask(key: str, path: str, body: Any = None, address: str = "192.168.7.9") -> TestResponse:
        method = "GET" if body is None else "POST"
        return Client(app).open(
            path, method=method, json=body, base_url=OURS,
            headers={"Authorization": f"Bearer {key}"} if key else {},
            environ_overrides={"REMOTE_ADDR": address},
        )  # fmt: skip

    return ask


READS = (
    "/api/host/status",
    "/api/host/health",
    "/api/host/records",
    "/api/host/bundle",
    "/metrics",
)


@pytest.mark.parametrize("path", READS)
def test_a_key_reads_what_the_host_reads(path: str, asks: Asks, keys: ApiKeys) -> None:
    for may in ("read", "host"):
        assert asks(keys.make_key(may, may), path).status_code == 200  # type: ignore[arg-type]
    assert asks("", path).status_code == 401
    wrong = asks("tck_nothing", path)
    assert (wrong.status_code, wrong.json["code"]) == (401, "bad_api_key")  # type: ignore[index]


def test_a_key_to_read_changes_nothing(asks: Asks, keys: ApiKeys, evening: Simulation) -> None:
    key = keys.make_key("scores", "read")
    for path, body in (
        ("/api/host/calm", CALM),
        ("/api/host/pin", TAP),
        ("/api/join/seats/1", TAP),
    ):
        refused = asks(key, path, body)
        assert (refused.status_code, refused.json["code"]) == (403, "not_by_key")  # type: ignore[index]
    refused = asks(key, "/api/host/backup", TAP)
    assert (refused.status_code, refused.json["code"]) == (403, "not_by_key")  # type: ignore[index]
    assert not evening.host.table.telling.is_calm


def test_a_key_of_the_host_does_what_the_host_does_but_for_the_pin(
    asks: Asks, keys: ApiKeys, evening: Simulation
) -> None:
    key, before = keys.make_key("lights", "host"), evening.host.pin.generation
    assert asks(key, "/api/host/calm", CALM).status_code == 204
    assert evening.host.table.telling.is_calm
    for path in ("/api/host/pin", "/api/host/session/end-all", "/api/host/session/end"):
        assert asks(key, path, TAP).json["code"] == "not_by_key"  # type: ignore[index]
    assert evening.host.pin.generation == before


def test_a_copied_cookie_beside_a_key_is_worth_nothing(
    visit: Callable[..., Visitor], keys: ApiKeys
) -> None:
    phone = visit(1)
    raw = Client(phone.app)
    cookie = phone.client.get_cookie("companion")
    assert cookie is not None
    raw.set_cookie("companion", cookie.value)
    for may in ("read", "host"):
        headers = {"Authorization": f"Bearer {keys.make_key(may, may)}"}  # type: ignore[arg-type]
        body = {"event": {"event": "tile_turned", "tile": "rob"}, "version": 0, "key": "k"}
        refused = raw.post("/api/seats/1/requests", json=body, base_url=OURS, headers=headers)
        assert (refused.status_code, refused.json["code"]) == (403, "not_by_key")  # type: ignore[index]


def test_a_key_that_is_revoked_counts_no_longer_and_at_once(asks: Asks, keys: ApiKeys) -> None:
    key = keys.make_key("scores", "read")
    assert asks(key, "/api/host/status").status_code == 200
    keys.revoke_key("scores")
    assert asks(key, "/api/host/status").status_code == 401


def test_only_a_hash_is_kept_for_the_owner_alone(keys: ApiKeys, tmp_path: Path) -> None:
    key, file = keys.make_key("scores", "read"), tmp_path / "api_keys.json"
    assert key.encode() not in file.read_bytes()
    assert key.removeprefix("tck_").encode() not in file.read_bytes()
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_damaged_file_holds_no_key(asks: Asks, keys: ApiKeys, tmp_path: Path) -> None:
    key = keys.make_key("scores", "read")
    (tmp_path / "api_keys.json").write_text("[{")
    assert asks(key, "/api/host/status").status_code == 401


class TestQuick:
    """Where programs have to wait."""

    @pytest.fixture
    def limits(self) -> Limits:
        slow = Rate(3, 0.001)
        return Limits(reads=slow, writes=slow, connects=UNHURRIED.connects)

    def test_each_key_has_a_rate_of_its_own(self, asks: Asks, keys: ApiKeys) -> None:
        one, other = keys.make_key("one", "host"), keys.make_key("other", "host")
        got = [asks(one, "/api/host/status").status_code for _ in range(4)]
        assert got == [200, 200, 200, 429]
        assert asks(other, "/api/host/status").status_code == 200
        told = [asks(one, "/api/host/calm", CALM).status_code for _ in range(4)]
        assert told == [204, 204, 204, 429]


def test_prometheus_on_this_machine_needs_no_key(asks: Asks) -> None:
    answer = asks("", "/metrics", address="127.0.0.1")
    assert answer.content_type == "text/plain; version=0.0.4; charset=utf-8"
    lines = [line for line in answer.text.splitlines() if not line.startswith("#")]
    figures = dict(line.rsplit(" ", 1) for line in lines)
    assert figures["companion_game_under_way"] == "1"
    assert figures["companion_game_players"] == "3"
    assert figures['companion_reader_up{place="1"}'] == "1"
    assert all(float(figure) >= 0 for figure in figures.values())


def test_no_name_is_among_the_figures(asks: Asks, evening: Simulation) -> None:
    told = asks("", "/metrics", address="127.0.0.1").text
    state: Any = evening.host.table.state
    assert not [player.name for player in state.players if player.name in told]
