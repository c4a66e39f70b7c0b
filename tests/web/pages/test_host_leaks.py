"""The host sees no more than any seat: worlds that differ in a secret look the same to the host.

Every byte counts: page, stream, the report of the table's health.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.app.hosting import Runtime
from companion.app.simulated.room import SimulatedRoom
from companion.app.simulated.simulated_table import Lineup
from companion.app.simulated.simulation import build_simulation
from companion.core.commitment import make_seal
from companion.core.events import Opened, Sealed
from companion.core.table_events import Undone
from companion.games import make_rulebook
from companion.host.health import PiStatus
from companion.journal import Journal
from companion.seating.seats import Seats
from tests.worlds.host_browser import AtHome, HostsBrowser
from tests.worlds.stream_text import full_state
from tests.worlds.visitor import Visitor
from tests.worlds.watched_table import NONCE, Watched
from web.app import create_app
from web.context import CONTEXT_KEY, AppContext
from web.rendering.screens import Screen

Story = Callable[[Watched], object]


@pytest.fixture
def seen(tmp_path: Path) -> Iterator[Callable[[Story], dict[str, bytes]]]:
    """What the host sees of a table at which this was done."""
    tables: list[Watched] = []

    def look(story: Story) -> dict[str, bytes]:
        tables.append(Watched(tmp_path / f"{len(tables)}.sqlite3"))
        story(tables[-1])
        table = tables[-1].table
        house = AtHome(table, tables[-1].journal)
        app = create_app(AppContext(table, host=house, backups=house.safe(tmp_path)))
        host = HostsBrowser(app).signs_in()
        here = app.extensions[CONTEXT_KEY]
        with host.client.session_transaction(base_url="http://localhost") as cookie:
            screen = Screen("host", 0, "en", cookie["browser"])
        asked = ("/host", "/host/health", "/healthz", "/api/host/health",
                 "/host/new/bankueberfall")  # fmt: skip
        found = {page: host.get(page).data for page in asked}
        return found | {"stream": full_state(app, here, screen).encode()}

    yield look
    for table in tables:
        table.journal.close()


def robbed(table: Watched, *bids: int) -> Watched:
    for bank in range(1, 6):
        table.settle(bank, "hand")
    table.do(1, 'tile_turned seat=1 tile="rob"', "bank_chosen seat=1 bank=2")
    return table.close(*bids)


def laid(card: str) -> Story:
    return lambda t: t.do(
        1, 'tile_turned seat=1 tile="place"', f'card_placed seat=1 bank=3 card="{card}"'
    )


def spied(card: str) -> Story:
    return lambda t: (
        t.lay(card, 2)
        and t.do(1, 'tile_turned seat=1 tile="spy"', "card_spied seat=1 bank=2 slot=1")
    )


def missing(card: str) -> Story:
    return lambda t: t.lay(card, 2) and t.clear(2)


def bids(*bids: int) -> Story:
    return lambda t: robbed(t, *bids)


def opened(bid: int) -> Story:
    return lambda t: robbed(t, bid, 2, 3).do(1, Opened(1, bid, NONCE))


def undone(bid: int) -> Story:
    return lambda t: (
        robbed(t, bid, 2, 3).do(1, Opened(1, bid, NONCE)).do(2, Undone(t.table.version))
    )


def again(times: int) -> Story:
    def story(table: Watched) -> None:
        robbed(table, 1, 2)
        for bid in range(times):
            table.do(1, Sealed(1, make_seal("g1", 1, 1, bid, NONCE)))

    return story


def woken(*seats: int) -> Story:
    return lambda t: [t.press(seat) for seat in seats]


@pytest.mark.parametrize(
    ("here", "there"),
    [
        (laid("thief"), laid("10")),
        (spied("thief"), spied("10")),
        (missing("thief"), missing("10")),
        (bids(1, 2), bids(7, 9)),
        (opened(1), opened(7)),
        (undone(1), undone(7)),
        (again(0), again(5)),
        (woken(), woken(2)),
    ],
    ids=("laid", "spied", "missing", "bids", "opened", "undone", "closed again", "button"),
)
def test_worlds_that_differ_in_a_secret_look_the_same(seen, here, there):
    assert seen(here) == seen(there)


def test_the_host_sees_what_everyone_may_know(seen):
    here, there = seen(laid("5")), seen(bids(1, 2))
    assert all(here[page] != there[page] for page in ("/host", "stream"))


# The health of a simulated table, whose readers hear every card.


def health_of(path: Path, names: tuple[str, ...], seed: int, pulled: int = 0) -> dict[str, bytes]:
    """What is told of the health of a table at which these were dealt these cards."""
    journal = Journal(path)
    table = build_simulation(
        make_rulebook("bankueberfall"),
        journal,
        SimulatedRoom(),
        Lineup(names, seed),
        Seats(open_house=True),
        runtime=Runtime(read_pi=PiStatus),
    )
    table.bots.deal_again()
    if pulled:
        table.faults.switch_fault("cable", pulled, True)
        table.source.tabletop.pass_time(3.0)
        table.source.poll()
    host = HostsBrowser(
        create_app(AppContext(table.host.table, Seats(), host=table.host))
    ).signs_in()
    page = re.sub(rb"<dd>\d{4}-\d\d-\d\d \d\d:\d\d</dd>", b"", host.get("/host/health").data)
    found = {"/healthz": Visitor(host.app).get("/healthz").data, "/host/health": page}
    table.source.close()
    journal.close()
    return found


def test_the_health_of_a_table_tells_of_no_card_and_of_nobody(tmp_path: Path):
    here = health_of(tmp_path / "1", ("Ana", "Ben", "Cleo"), 7)
    assert here == health_of(tmp_path / "2", ("Maximilian", "Yan", "Zoë"), 8)
    broken = health_of(tmp_path / "3", ("Ana", "Ben", "Cleo"), 7, pulled=2)
    assert all(here[page] != broken[page] for page in here)
