"""The health page of the host: every status light with advice, every reader, the Raspberry Pi.

Laws: the health of a table holds nothing of a game and no names, and sizes and times are rounded:
how many lines the journal has would tell that a hand was closed again. A colour never stands alone,
a shape and a word go with it.
"""

import time
from collections.abc import Mapping

from companion.core.i18n import N_, Message
from companion.games.open_table import count_open_places
from companion.host.health import Colour, Health, Light
from companion.host.status import NAMES, worst_colour
from web.rendering.blocks import Block, Layout, SignedOut, lay_out
from web.rendering.scene import Facts, GameScene, Scene, of
from web.rendering.screens import is_signed_out

COLOUR_WORDS = {
    "green": N_("fine"),
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


class StatusLights(Facts, frozen=True):
    """The lights as they were last checked."""

    lights: tuple[Light, ...] = of(lambda s: s.host.health_lights())
    light: Colour = of(lambda s: worst_colour(s.host.health_lights()))
    """The worst colour of them."""
    named: Mapping[str, str] = of(lambda _: NAMES)
    colour_words: Mapping[str, str] = of(lambda _: COLOUR_WORDS)


class HealthFacts(Facts, frozen=True):
    """Lights, readers and machine."""

    said: Mapping[str, str]
    health: Health
    clock: str
    conditions: Mapping[str, tuple[str, str]]
    places: Mapping[int, Message]
    status_lights: StatusLights


def health_facts(scene: Scene) -> HealthFacts | SignedOut:
    """Return a signed-in host's facts of the table's health."""
    context = scene.context
    if context.host is None or is_signed_out(context, scene.screen):
        return SignedOut()
    health = context.host.read_health()
    name_place = scene.rules.tracking.name_place
    public = scene.public if isinstance(scene, GameScene) else None
    places = 0 if public is None else count_open_places(public)
    return HealthFacts(
        said=COLOUR_SENTENCES,
        health=health,
        clock=time.strftime("%Y-%m-%d %H:%M"),
        conditions=CONDITIONS,
        places={n: name_place(public, n) for n in range(1, places + 1)},
        status_lights=StatusLights.find(scene),
    )


lay_out("health", Layout(Block("health/page.html"), Block("health/live.html", health_facts)))
