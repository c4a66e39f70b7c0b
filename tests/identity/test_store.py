"""The identity store: what it keeps, what it takes over, and what it does with a broken file."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from companion.core.errors import NotWritten
from companion.seating.identity import MAX_BROWSERS, IdentityStore
from companion.seating.seats import SeatHolder

ANA, BEN = SeatHolder("ana"), SeatHolder("ben", hands="screen")
KEY = bytes(range(32))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "identity.sqlite3"


def filled(path: Path | None) -> IdentityStore:
    """A store with two seats, a host, a language and a key."""
    store = IdentityStore(path)
    store.save_seats({1: ANA, 2: BEN})
    store.add_host("ana", "pass")
    store.save_language("ana", "fr")
    assert store.bind_key("ben", KEY)
    return store


def test_a_late_write_is_refused_and_changes_nothing(path: Path) -> None:
    """A request may still be answered while the companion is being stopped."""
    with closing(filled(path)) as store:
        before = store.state
    with pytest.raises(NotWritten):
        store.save_seats({})
    assert not list(path.parent.glob("*.damaged-*"))
    with closing(IdentityStore(path)) as store:
        assert store.state == before


def test_strangers_with_keys_push_out_neither_seats_nor_host() -> None:
    store = filled(None)
    store.add_host("host", "pass")
    for n in range(MAX_BROWSERS + 20):
        store.bind_key(f"stranger {n}", KEY)
    assert len(store.state.browsers) == MAX_BROWSERS + 4
    assert {"ana", "ben", "screen", "host"} <= {*store.state.browsers}
    assert "stranger 19" not in store.state.browsers
    assert "stranger 20" in store.state.browsers


def test_hosts_of_a_button_end_alone_and_one_that_is_host_already_stays_so(path: Path) -> None:
    with closing(filled(path)) as store:
        for browser in ("ana", "ben"):
            store.add_host(browser, "button")
        assert store.state.hosts == {"ana": "pass", "ben": "button"}
        store.remove_hosts("button")
    with closing(IdentityStore(path)) as store:
        assert store.state.hosts == {"ana": "pass"}
        store.remove_host("ana")
        assert store.state.hosts == {}


def cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def scribble(data: bytes) -> bytes:
    return data[:4096] + b"\xff" * (len(data) - 4096)


def other_tables(_data: bytes) -> bytes:
    with closing(sqlite3.connect(":memory:")) as disk:
        disk.execute("CREATE TABLE elsewhere (n INTEGER)")
        return disk.serialize()


@pytest.mark.parametrize("damage", [cut, scribble, other_tables, lambda _: b"", lambda _: b"x"])
def test_a_broken_file_is_begun_anew_and_stops_no_start(
    path: Path, damage: Callable[[bytes], bytes]
) -> None:
    filled(path).close()
    path.write_bytes(damage(path.read_bytes()))
    with closing(IdentityStore(path)) as store:
        assert [notice.text[:29] for notice in store.notices] == ["The file with seats and host "]
        assert (store.state.seats, store.state.hosts) == ({}, {}), "nothing revoked comes back"
        store.save_seats({1: ANA})
    with closing(IdentityStore(path)) as store:
        assert (store.state.seats, store.notices) == ({1: ANA}, ())
