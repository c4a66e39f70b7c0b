"""The health page of the host: every status light with advice, every reader, the Raspberry Pi.

Laws: the health of a table holds nothing of a game and no names, and sizes and times are rounded:
how many lines the journal has would tell that a hand was closed again. A colour never stands alone,
a shape and a word go with it.
"""

import time

from flask import Blueprint, Response

from companion.core.i18n import N_
from companion.host.health import TableHealth
from companion.host.host import Host
from companion.host.status import MIB, NAMES, worst_colour
from web.context import AppContext, require_host
from web.rendering.screens import (
    Facts,
    Screen,
    is_signed_out,
    place_names,
    provides_facts,
    render_screen,
    requested_screen,
)

blueprint = Blueprint("health", __name__, url_prefix="/host", template_folder="templates")

COLOUR_WORDS = {
    "green": N_("well"),
    "amber": N_("needs attention"),
    "red": N_("fix it now"),
}
"""The word for each colour of a light."""
COLOUR_SENTENCES = {
    "green": N_("All is well."),
    "amber": N_("You can play on. Something needs attention."),
    "red": N_("Something needs fixing now."),
}
"""The sentence for the worst colour of the table."""
CONDITIONS = {
    "well": ("green", N_("reads well")),
    "ailing": ("amber", N_("does not answer every time")),
    "offline": ("red", N_("does not answer")),
}
"""The colour and the words for each condition of a reader."""
JUST_NOW, MINUTE, HOUR = 5.0, 60.0, 3600.0


@blueprint.before_request
def check_host() -> None:
    """Send 404 if this app runs without a host."""
    require_host()


@blueprint.get("/health")
def show_health() -> Response:
    """Show the status lights and readers to a signed-in host."""
    return render_screen(requested_screen("health"))


def status_facts(host: Host) -> Facts:
    """Return the lights as they were last checked, for a template."""
    lights = host.health_lights()
    return {
        "lights": lights,
        "light": worst_colour(lights),
        "named": NAMES,
        "colour_words": COLOUR_WORDS,
    }


@provides_facts("health")
def health_facts(context: AppContext, screen: Screen) -> Facts:
    """Return lights, readers and machine; nothing for a host who signed out."""
    if context.host is None or is_signed_out(context, screen):
        return {"view": None, "signed_out": True}
    view, health = context.table.view(), context.host.read_health()
    return {
        **status_facts(context.host),
        "view": None,
        "said": COLOUR_SENTENCES,
        "health": health,
        "journal_mb": -(-health.journal.size // MIB) or 1,
        "clock": time.strftime("%Y-%m-%d %H:%M"),
        "minutes": round(health.uptime // MINUTE),
        "heard": _last_heard(health),
        "conditions": CONDITIONS,
        "places": place_names(context.table.rules, view) if view else {},
    }


def _last_heard(health: TableHealth) -> dict[int, tuple[str, int]]:
    """Return each reader's last time heard: a sentence, and its number."""
    return {reader.place: _describe_age(reader.heard) for reader in health.readers}


def _describe_age(seconds: float | None) -> tuple[str, int]:
    if seconds is None:
        return N_("never"), 0
    if seconds < JUST_NOW:
        return N_("just now"), 0
    if seconds < 2 * MINUTE:
        return N_("{n}\u00a0s ago"), round(seconds)
    if seconds < 2 * HOUR:
        return N_("{n}\u00a0min ago"), round(seconds / MINUTE)
    return N_("{n}\u00a0h ago"), round(seconds / HOUR)
