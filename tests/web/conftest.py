"""A table in a room, and browsers that visit it. Nobody at these tables is in a hurry."""

from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from flask import Flask

from companion.app.simulated.simulation import Simulation
from companion.journal import Journal
from companion.seating.seats import Seats
from tests.web.socket_clients import Cafe, run_story
from tests.worlds.fresh_table import Fresh
from tests.worlds.host_browser import HostsBrowser
from tests.worlds.left_open import closed_later
from tests.worlds.simulated_hands import deal, simulated
from tests.worlds.visitor import UNHURRIED, Visitor
from tests.worlds.watched_table import Watched, seen_at_bank_1
from web.app import create_app
from web.browsers import Limits
from web.context import AppContext
from web.server import viewers


@pytest.fixture(autouse=True)
def no_heartbeat(monkeypatch: pytest.MonkeyPatch) -> None:
    """A story that lasts ten seconds on a busy machine would else hear one in its midst."""
    monkeypatch.setattr(viewers, "HEARTBEAT_SECONDS", 3_600.0)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = closed_later(Journal(tmp_path / "journal.sqlite3"))
    yield journal
    journal.close()


@pytest.fixture
def seats() -> Seats:
    return Seats(open_house=True)


@pytest.fixture
def evening(journal: Journal, seats: Seats) -> Iterator[Simulation]:
    """A simulated table, dealt; the first tile of this shuffle is a Placement."""
    evening = simulated(journal, seats=seats, persons_seat=1)
    deal(evening)
    yield evening
    evening.source.wires.close()


@pytest.fixture
def limits() -> Limits:
    return UNHURRIED


@pytest.fixture
def app(evening: Simulation, seats: Seats, limits: Limits) -> Flask:
    here = AppContext(evening.host.table, seats, evening, evening.host)
    return create_app(here, limits=limits)


@pytest.fixture
def host(app: Flask) -> HostsBrowser:
    """The browser of the host."""
    return HostsBrowser(app).signs_in()


@pytest.fixture
def serve(app: Flask) -> Callable[[Callable[[Cafe], Awaitable[None]]], None]:
    """Run a story against a real server."""
    return partial(run_story, app)


@pytest.fixture
def visit(app: Flask) -> Callable[..., Visitor]:
    """A browser; with a seat, one that sits there."""

    def come(seat: int = 0) -> Visitor:
        visitor = Visitor(app)
        if seat:
            visitor.sits(seat)
        return visitor

    return come


@pytest.fixture
def table_with_ten(tmp_path: Path) -> Watched:
    return seen_at_bank_1(tmp_path / "journal.sqlite3")


@pytest.fixture
def visitor(table_with_ten: Watched) -> Visitor:
    """Somebody who looks at that table."""
    return Visitor(create_app(AppContext(table_with_ten.table)))


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Callable[..., Fresh]]:
    """A table fresh from the soldering iron; in the same folder it is the same table again."""
    tables: list[Fresh] = []

    def stand(folder: str = "", **how: str) -> Fresh:
        if tables:
            tables.pop().shut()
        where = tmp_path / folder
        where.mkdir(exist_ok=True)
        tables.append(Fresh(where, **how))
        return tables[-1]

    yield stand
    for table in tables:
        table.shut()
