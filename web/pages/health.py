"""The health of the table, for its host: every light with what to do, every reader, the machine.

Law: built from the report of the table's health, which tells nothing of a game and of nobody; a
colour never stands alone, a shape and a word go with it.
"""

from typing import Any

from flask import Blueprint, Response

from companion.core.i18n import N_
from companion.host.health import House, TableHealth
from companion.host.report import build_report
from companion.host.status import NAMES, worst_colour
from web.context import AppContext, require_host
from web.rendering.screens import Screen, adds, dismissed, my_screen, places, show

blueprint = Blueprint("health", __name__, url_prefix="/host", template_folder="templates")

WORDS = {
    "green": N_("well"),
    "amber": N_("look after it"),
    "red": N_("put it right now"),
}
"""What a colour means."""
SAID = {
    "green": N_("All is well."),
    "amber": N_("The table goes on. Something wants looking after."),
    "red": N_("Something has to be put right now."),
}
"""The same of the whole table."""
CONDITIONS = {
    "well": ("green", N_("hears well")),
    "ailing": ("amber", N_("does not answer every time")),
    "offline": ("red", N_("does not answer")),
}
"""How a reader is, in a colour and in words."""
JUST_NOW, MINUTE, HOUR = 5.0, 60.0, 3600.0


@blueprint.before_request
def only_with_a_house() -> None:
    """Nobody looks after a table where nobody is at home."""
    require_host()


@blueprint.get("/health")
def page() -> Response:
    """How the table is, for whoever is signed in."""
    return show(my_screen("health"))


def glance(at_home: House) -> dict[str, Any]:
    """The lights as they were a moment ago."""
    lights = at_home.health_lights()
    return {"lights": lights, "light": worst_colour(lights), "named": NAMES, "words_of": WORDS}


@adds("health")
def facts(here: AppContext, screen: Screen) -> dict[str, Any]:
    """Lights, readers, machine; nothing for a host who signed out."""
    if here.host is None or dismissed(here, screen):
        return {"view": None, "dismissed": True}
    view, health = here.table.view(), here.host.read_health()
    return {
        **glance(here.host),
        "view": None,
        "said": SAID,
        "health": build_report(health),
        "heard": _heard(health),
        "conditions": CONDITIONS,
        "places": places(here.game, view) if view else {},
    }


def _heard(health: TableHealth) -> dict[int, tuple[str, int]]:
    """When each reader was last heard: a sentence, and its number."""
    return {reader.place: _ago(reader.heard) for reader in health.readers}


def _ago(seconds: float | None) -> tuple[str, int]:
    if seconds is None:
        return N_("never"), 0
    if seconds < JUST_NOW:
        return N_("just now"), 0
    if seconds < 2 * MINUTE:
        return N_("{n} s ago"), round(seconds)
    if seconds < 2 * HOUR:
        return N_("{n} min ago"), round(seconds / MINUTE)
    return N_("{n} h ago"), round(seconds / HOUR)
