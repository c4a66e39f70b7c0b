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
from web.rendering.blocks import Block, Layout, lay_out
from web.rendering.scene import Facts, GameScene, Scene, of
from web.rendering.screens import for_host

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


def name_places(scene: Scene) -> Mapping[int, Message]:
    """Return the names of the places of the game on the table."""
    if not isinstance(scene, GameScene):
        return {}
    name_place, public = scene.rules.tracking.name_place, scene.public
    return {n: name_place(public, n) for n in range(1, count_open_places(public) + 1)}


class HealthFacts(Facts, frozen=True):
    """Lights, readers and machine."""

    said: Mapping[str, str] = of(lambda _: COLOUR_SENTENCES)
    health: Health = of(lambda s: s.host.read_health())
    clock: str = of(lambda _: time.strftime("%Y-%m-%d %H:%M"))
    conditions: Mapping[str, tuple[str, str]] = of(lambda _: CONDITIONS)
    places: Mapping[int, Message] = of(name_places)
    status_lights: StatusLights = of(StatusLights.find)


lay_out(
    "health", Layout(Block("health/page.html"), Block("health/live.html", for_host(HealthFacts)))
)
