"""The first start: from solder to the first game, step by step in the browser.

Laws: pure. What a page shows of it names places, seats and things, never a tag, a pin or a path.
Every step can be left out, done again, and come back to while no game is under way; what was learnt
is kept before it is said.
"""

from companion.first.banks import Banks
from companion.first.buttons import Buttons
from companion.first.kept import Kept
from companion.first.lamps import Lamps
from companion.first.left_out import left_out
from companion.first.news import news
from companion.first.showing import STEPS, Act, Offer, Showing, State, Step
from companion.first.start import FirstStart

__all__ = [
    "STEPS",
    "Act",
    "Banks",
    "Buttons",
    "FirstStart",
    "Kept",
    "Lamps",
    "Offer",
    "Showing",
    "State",
    "Step",
    "left_out",
    "news",
]
