"""Who goes home, and who takes over: at a simulated table, seen by everyone, the hand by one."""

from collections.abc import Callable, Iterator

import pytest

from companion.app.simulated.simulation import Simulation
from companion.core.commitment import make_seal
from companion.core.events import Sealed
from companion.seating.seats import UNHEARD_SECONDS, Seats
from companion.table.permissions import Author
from tests.seating.test_seats import Hours
from tests.worlds.simulated_hands import deal, simulated
from tests.worlds.visitor import NONCE, UNHURRIED, Visitor
from web.app import create_app
from web.context import AppContext

NAMES = ("Ana", "Ben", "Cleo")
BEN = 2


@pytest.fixture
def clock() -> Hours:
    return Hours()


@pytest.fixture
def seats(clock: Hours) -> Seats:
    return Seats(open_house=True, clock=clock)


@pytest.fixture
def evening(journal, seats: Seats) -> Iterator[Simulation]:
    """Robby Solo for three: every seat chooses a bank at once."""
    evening = simulated(journal, "robby_solo", seats, NAMES)
    deal(evening)
    yield evening
    evening.source.close()


@pytest.fixture
def app(evening: Simulation, seats: Seats):
    context = AppContext(evening.host.table, seats, evening, evening.host)
    return create_app(context, limits=UNHURRIED)


@pytest.fixture
def come(app) -> Callable[..., Visitor]:
    """Somebody comes in with a browser of their own; with a seat, they sit down there."""

    def come(seat: int = 0) -> Visitor:
        visitor = Visitor(app)
        visitor.get("/")
        if seat:
            visitor.sits(seat)
        return visitor

    return come


def until_sealing(evening: Simulation) -> None:
    """Bots lay the banks, until hands are to be closed."""
    while evening.host.table.state.phase != "seal":
        evening.source.poll()
        assert evening.bots.play_one()


def seal(evening: Simulation, seat: int) -> None:
    state = evening.host.table.state
    bank = next(iter(state.banks))
    text = make_seal(state.id, state.hands.round, seat, bank, NONCE)
    assert evening.host.table.request(Sealed(seat, text), Author(seat, f"phone {seat}")) is None


def code(answer) -> str:
    return "" if answer.status_code == 204 else answer.json["code"]


def tell(visitor: Visitor, path: str, **body: object):
    return visitor.tells(path, {"key": f"k{id(body)}", **body})


def test_who_leaves_the_seat_to_a_bot_is_thanked(come):
    ben = come(BEN)
    assert code(tell(ben, "/api/join/seats/2/handover", to="bot")) == ""
    gone = ben.get("/phone/elsewhere")
    assert gone.status_code == 200
    assert "Thank you for playing!" in gone.text


def test_a_closed_hand_stays_with_the_phone_that_can_open_it(come, evening, clock):
    until_sealing(evening)
    ana, ben = come(1), come(BEN)
    seal(evening, BEN)
    assert code(tell(ben, "/api/join/seats/2/handover", to="bot")) == "hand_closed"
    assert code(tell(ben, "/api/join/seats/2/handover", to="newcomer")) == ""
    dora = come()
    assert code(tell(dora, "/api/join/seats/2")) == "hand_closed"
    clock.now += UNHEARD_SECONDS
    ana.get("/phone")
    assert code(tell(ana, "/api/play/1/give", seat=BEN)) == "hand_closed"
    assert evening.host.seats.taken_seats() == {1, BEN}
    assert code(ana.tells("/api/seats/1/requests", anew(evening))) == ""
    assert code(tell(dora, "/api/join/seats/2")) == ""


def anew(evening: Simulation) -> dict[str, object]:
    version = evening.host.table.version
    return {"key": "anew", "version": version, "event": {"event": "resealed"}}
