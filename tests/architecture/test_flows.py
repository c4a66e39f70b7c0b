"""How many files run on the way of a bid, a page, a card and a case; and what a page asks again.

Calls are counted for Python functions of the product in the thread that traces; what a library does
in between is not counted.
"""

import sys
from collections import Counter
from collections.abc import Callable
from contextlib import closing, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any, Self

import pytest

from companion.cli import main
from tests.worlds.event_story import named_seats
from tests.worlds.paths import ROOT
from tests.worlds.scripted_table import TWO, WiredTable
from tests.worlds.visitor import UNHURRIED, Visitor
from tests.worlds.watched_table import Watched
from web.app import create_app
from web.context import AppContext

SCENERY = f"{ROOT}/tests/"
SIMULATION = ("hardware/simulator/", "hardware/simulated_table.py")
"""Files that stand for the hardware, and are not on the way on a Pi."""
PRODUCT = tuple(f"{ROOT}/{name}/" for name in ("companion", "hardware", "web"))


class CallTrace:
    """Trace the block of a `with` statement."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()

    def __enter__(self) -> Self:
        sys.setprofile(self._note)
        return self

    def __exit__(self, *_failed: object) -> None:
        sys.setprofile(None)

    def _note(self, frame: FrameType, event: str, _arg: Any) -> None:
        if event != "call":
            return
        code, caller = frame.f_code, frame.f_back
        if caller is not None and caller.f_code.co_filename.startswith(SCENERY):
            return  # What a test looks up by itself is not on the way.
        if code.co_filename.startswith(PRODUCT) and code.co_filename.endswith(".py"):
            file = code.co_filename[len(str(ROOT)) + 1 :]
            if file.startswith(SIMULATION):
                return
            self.calls[file] += 1

    def calls_in(self, folder: str) -> int:
        """Count the calls into files below a folder."""
        return sum(n for file, n in self.calls.items() if file.startswith(folder))


class BiddingTable:
    """Two players with phones and a table screen; a ten lies at bank 3, which is being robbed."""

    def __init__(self, folder: Path) -> None:
        self.watched = Watched(folder / "journal.sqlite3", seats=2)
        for bank, thing in enumerate(("5", "5", "10", "x", "x"), 1):
            self.watched.lay(thing, bank)
        seats = named_seats(open_house=True)
        app = create_app(AppContext(self.watched.table, seats), limits=UNHURRIED)
        self.screen = Visitor(app)
        self.phones = [Visitor(app) for _ in range(2)]
        for seat, phone in enumerate(self.phones, 1):
            phone.sits(seat)
        self.watched.do(1, 'tile_turned seat=1 tile="rob"', "bank_chosen seat=1 bank=3")
        self.paint()  # Templates are compiled and fragments cached from here on.

    def paint(self) -> None:
        """Load every page once."""
        self.screen.get("/table")
        for phone in self.phones:
            phone.get("/phone")

    def seal(self, seat: int, coins: int) -> None:
        """Send a seal from the phone of this seat."""
        state = self.watched.state
        answer = self.phones[seat - 1].closes(seat, coins, state.id, state.hands.round)
        assert answer.status_code == 204, answer.text

    def open(self, seat: int, coins: int) -> None:
        """Open the bid from the phone of this seat."""
        answer = self.phones[seat - 1].opens(coins)
        assert answer.status_code == 204, answer.text

    def close(self) -> None:
        """Close the journal."""
        self.watched.journal.close()


def trace_bid() -> CallTrace:
    """Trace the last opening of a robbery, from the request to the pay-out on disk."""
    return _at_bidding_table(lambda _table: None)


def trace_bid_and_screen() -> CallTrace:
    """Trace the same until the table screen is painted, by a program that has done so before."""
    _at_bidding_table(lambda table: table.screen.get("/table"))
    return _at_bidding_table(lambda table: table.screen.get("/table"))


def _at_bidding_table(then: Callable[[BiddingTable], object]) -> CallTrace:
    with TemporaryDirectory() as folder, closing(BiddingTable(Path(folder))) as table:
        table.seal(1, 3)
        table.seal(2, 0)
        table.open(1, 3)
        with CallTrace() as trace:
            table.open(2, 0)
            then(table)
        assert table.watched.state.phase == "refill"
    return trace


def trace_painting() -> CallTrace:
    """Trace the table screen, painted once more after a seal."""
    with TemporaryDirectory() as folder, closing(BiddingTable(Path(folder))) as table:
        table.seal(1, 3)
        table.phones[0].get("/phone")
        with CallTrace() as trace:
            table.screen.get("/table")
    return trace


def trace_phone() -> CallTrace:
    """Trace the page of a phone, loaded once more."""
    with (
        TemporaryDirectory() as folder,
        closing(BiddingTable(Path(folder))) as table,
        CallTrace() as trace,
    ):
        table.phones[0].get("/phone")
    return trace


def trace_tag() -> CallTrace:
    """Trace a card that is put on a reader of a wired table, until it lies in the game.

    A turn is so long that the reader meets the card within one.
    """
    with TemporaryDirectory() as folder, closing(WiredTable(Path(folder), turn=0.4)) as wired:
        for bank in range(1, 5):
            wired.put("5", bank, copy=bank)
        assert wired.host.begin_game(TWO) is None
        wired.until(lambda table: all(bank[0].card == "5" for bank in table.state.banks[:4]))
        wired.put("x", 5)
        with CallTrace() as trace:
            wired.until(lambda table: table.state.banks[4][0].card == "x")
    return trace


def trace_case() -> CallTrace:
    """Trace a case for the judge, from its file to the printed verdict, by a program that has done
    so before."""
    printed = StringIO()
    with TemporaryDirectory() as folder, redirect_stdout(printed):
        main(["judge", "--example", "bankueberfall"])
        case = Path(folder) / "case.json"
        case.write_text(printed.getvalue(), "utf-8")
        main(["judge", str(case)])
        with CallTrace() as trace:
            assert main(["judge", str(case)]) == 0
    return trace


FLOWS = {"bid": (trace_bid, 24), "bid on the screen": (trace_bid_and_screen, 36),
         "phone": (trace_phone, 22), "card": (trace_tag, 48), "case": (trace_case, 16)}  # fmt: skip


@pytest.mark.parametrize("flow", FLOWS)
def test_a_flow_runs_through_few_files(flow: str) -> None:
    trace, most = FLOWS[flow]
    assert 5 < len(trace().calls) <= most


def test_a_second_painting_asks_neither_tracker_nor_permissions() -> None:
    trace = trace_painting()
    assert trace.calls_in("companion/tracking") < 10
    assert trace.calls["companion/table/permissions.py"] == 0
