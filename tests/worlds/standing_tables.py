"""Tables in any state of any game: a real journal and the requests that led there."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

from flask import Flask

from companion.core.deck import Deck
from companion.core.events import Event
from companion.core.table_events import Ended, Frozen
from companion.games import make_rulebook
from companion.host.health import Health, JournalHealth
from companion.host.host import Host
from companion.host.table_source import Poller
from companion.journal import Journal
from companion.seating.seats import Seats
from companion.table.permissions import HOST_AUTHOR, Author
from companion.table.table import Table
from tests.worlds.host_browser import safe_of
from tests.worlds.left_open import closed_later
from tests.worlds.rulebook_players import Evening
from tests.worlds.visitor import OURS, UNHURRIED
from web.app import create_app
from web.browsers import BROWSER_KEY, make_serializer
from web.context import CONTEXT_KEY, AppContext

SEATS = {"bankueberfall": 3, "banque_fatale": 3, "robby_solo": 4}
STARTED = {"robby_solo": {"junior": True}}
READER = Author(0, "reader 1")
NEVER, FROZEN, ENDED = "never begun", "frozen", "ended"
LAST = {FROZEN: (Frozen(1), Author(1, "phone 1")), ENDED: (Ended(), HOST_AUTHOR)}


@cache
def played(game: str) -> Evening:
    """A whole game, the same each time."""
    return Evening(game, Random(game), SEATS[game], **STARTED.get(game, {})).play()


def states(game: str) -> dict[str, int]:
    """The states in which a table is worth a look: by name, after so many events.

    Every phase as it was first reached with a verdict on the table, if there ever was one.
    """
    found: dict[str, int] = {}
    for after, state in enumerate(played(game).states[1:], 1):
        if state.phase not in found or (state.verdict and not _told(game, found[state.phase])):
            found[state.phase] = after
    some = max(found.values()) // 2
    return {NEVER: 0, **found, FROZEN: some, ENDED: some}


def _told(game: str, after: int) -> bool:
    return played(game).states[after].verdict is not None


def table(path: Path, game: str, name: str) -> Table:
    """A table of this game in this state."""
    rules, evening = make_rulebook(game), played(game)
    standing = Table(rules, closed_later(Journal(path)), Deck({}), lambda: 0.0)
    play_on(standing, evening.events[: states(game)[name]])
    if name in LAST:
        assert standing.request(*LAST[name]) is None
    return standing


def play_on(standing: Table, events: Sequence[Event]) -> None:
    """These happen; the first one of a game starts it."""
    for event in events:
        if not standing.version:
            assert standing.start(event, HOST_AUTHOR) is None  # type: ignore[arg-type]
        else:
            assert any(standing.request(event, one) is None for one in _authors(event)), event


def _authors(event: Event) -> tuple[Author, ...]:
    """Whoever may state this: its own seat, or a reader, or the table."""
    seat = getattr(event, "seat", 0)
    return (Author(seat, f"phone {seat}"), READER) if seat else (READER, HOST_AUTHOR)


FROM = {"Origin": OURS, "Accept-Encoding": "identity"}
MINE = 1
"""The seat of the player."""
ODD: tuple[Any, ...] = (None, True, -1, 10**30, "", "red", [], {"red": -1})
"""What stands where something else should."""
WAYS = ("cards", "log", "hand", "reader")


def wish(view: Any, random: Random) -> dict[str, Any]:
    """A request that a seat may make as things stand, or that could be amended."""
    asked = [{"event": may.do, **one} for may in view.may for one in may.choices or ({},)]
    chosen = dict(random.choice([*asked, *asked, {"event": "passed"}]))
    for name, value in chosen.items():
        if isinstance(value, tuple) and value:
            chosen[name] = random.choice(value)
    moment = random.randint(0, view.at + 1)
    amended: list[dict[str, Any]] = [
        {"event": "undone", "target": moment},
        {"event": "corrected", "target": moment, "instead": {"seat": MINE, **chosen}},
        {"event": "settled", "place": random.randint(0, 9), "way": random.choice(WAYS)},
        {"event": random.choice(["frozen", "thawed", "resealed", "ended"])},
        {"event": "sealed", "seal": f"{random.getrandbits(256):064x}"},
        {"event": "opened", "value": random.choice(ODD), "nonce": "a" * 32},
    ]
    return chosen if random.random() < 0.5 else random.choice(amended)


def cookie(app: Flask, browser: str) -> str:
    """The signed cookie of a browser of this name."""
    return str(make_serializer(app).dumps({BROWSER_KEY: browser}))


def served(path: Path, game: str, state: str) -> Flask:
    """The pages of a table in this state, with a house; nobody is told to wait."""
    at = table(path, game, state)
    seats, safe = Seats(open_house=True), safe_of(at, path.parent)
    here = AppContext(at, seats, host=house_of(at, seats, path), backups=safe)
    return create_app(here, limits=UNHURRIED)


def house_of(at: Table, seats: Seats, path: Path) -> Host:
    """The host service of this table, which has no wires, and is always as well."""
    journal = closed_later(Journal(path.with_suffix(".house")))
    health = Health("1", "3", "five", (), (), JournalHealth(False, 5.0, 2**33), 60.0)
    source: Any = SimpleNamespace(
        table=at,
        poller=Poller(at, lambda: (), lambda _seat, _lamp: None, 0),
        deck=None,
        simulated=False,
        change_box=lambda rules: at.choose_box(rules, None),
        lay_out=lambda _started: None,
        put_away=lambda: None,
        poll=lambda: None,
    )
    monitor: Any = SimpleNamespace(read_health=lambda: health, lights=())
    return Host(source, journal, seats, health_monitor=monitor)


def host_cookie(app: Flask) -> str:
    """The cookie of a browser that plays from the first seat and is the host."""
    here = app.extensions[CONTEXT_KEY]
    if here.table.view():
        assert here.seats.take_seat(MINE, "host") is None
    here.host.sessions.admit_by_pass("host")
    return cookie(app, "host")
