"""Three ways through the product, traced: a sealed bid, a card on a reader, a case for the judge.

tests/architecture/test_flows.py limits how many files they run through.
"""

from collections.abc import Callable
from contextlib import closing, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.cli import main
from tests.worlds.call_trace import CallTrace
from tests.worlds.named_keys import named_seats
from tests.worlds.visitor import UNHURRIED, Visitor
from tests.worlds.watched_table import Watched
from tests.worlds.wired_table import TWO, WiredTable
from web.app import create_app
from web.context import AppContext


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
