"""The pages: Flask answers what is asked, Tornado holds the sockets and the streams.

One blueprint is one module and one folder of templates. The pages know the table by its views
and its door; see `screens` for what they show, `guard` for who may ask.
"""

import secrets
from collections.abc import Callable, Sequence

from flask import Flask

from companion.house import House
from companion.table import Table
from web import api, guard, host, join, judge, packed, painting, phone, play, screens, share, table
from web.hosts import Hosts
from web.limits import LIMITS, USUAL, Limits, Patience
from web.once import Once
from web.room import ROOM, Pieces, Room, Tongue
from web.seats import Seats

PAGES = (join, phone, share, table, play, judge, host)


def create_app(  # noqa: PLR0913 - each part may be left out.
    at: Table,
    seats: Seats | None = None,
    pieces: Pieces | None = None,
    *,
    house: House | None = None,
    language: str = "en",
    hosts: Sequence[str] = guard.LOOPBACK,
    key: bytes = b"",
    addresses: Callable[[], Sequence[str]] = tuple,
    limits: Limits = USUAL,
) -> Flask:
    """The pages of one table; `pieces` if the table is simulated, `key` to know browsers again,
    `addresses` to type, the number first. Without a `house` there are no pages of a host.
    """
    app = Flask(__name__, static_folder=None)
    app.secret_key = key or secrets.token_bytes(32)
    there = (at, seats or Seats(), pieces, Tongue(language), Once(), addresses)
    app.extensions[ROOM] = Room(*there, house, Hosts(house.pin) if house else None)
    app.extensions[LIMITS] = Patience(limits)
    guard.guard(app, hosts)
    packed.packs(app)
    painting.teach(app)
    screens.teach(app)
    for page in PAGES:
        app.register_blueprint(page.blueprint)
    api.teach(app)
    return app
