"""A table in a given state of a given game with its pages, and what a seat there may wish for."""

from pathlib import Path
from random import Random
from typing import Any

from flask import Flask

from companion.journal import Journal
from companion.seating.seats import Seats
from tests.worlds.host_browser import AtHome
from tests.worlds.left_open import closed_later
from tests.worlds.standing_tables import table
from tests.worlds.visitor import OURS, UNHURRIED
from web.app import create_app
from web.browsers import BROWSER_KEY, make_serializer
from web.context import CONTEXT_KEY, AppContext

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
    house = AtHome(at, closed_later(Journal(path.with_suffix(".house"))))
    here = AppContext(at, Seats(open_house=True), host=house, backups=house.safe(path.parent))
    return create_app(here, limits=UNHURRIED)


def host_cookie(app: Flask) -> str:
    """The cookie of a browser that plays from the first seat and is the host."""
    here = app.extensions[CONTEXT_KEY]
    if here.table.view():
        assert here.seats.take_seat(MINE, "host") is None
    here.host.sessions.admit_by_pass("host")
    return cookie(app, "host")
