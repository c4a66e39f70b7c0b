"""What a stream sends to a viewer that has seen nothing yet, and something new to send."""

from flask import Flask

from companion.app.simulated.simulation import Simulation
from companion.core.table_events import Frozen, Thawed
from companion.table.permissions import Author
from web.context import AppContext
from web.rendering.scene import Found, Screen
from web.server.broadcast import draw_state


def full_state(app: Flask, context: AppContext, screen: Screen) -> str:
    """The whole state of a screen."""
    return draw_state(app, context, screen, None, Found()).html


def make_news(evening: Simulation) -> None:
    """Call the judge, or let the game go on: everyone has something new to see."""
    now = Thawed() if evening.host.table.history.frozen else Frozen(1)
    assert evening.host.table.request(now, Author(1, "phone 1")) is None
