"""A strategy: what a bot does in each phase of a game, and with what character.

Laws: a strategy is data. Each game names its own in `strategies.py`: `strong` and `weak`, the two
strengths of our bots, and simple ones, against which these are measured. One from outside is found
as `module:name`.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import NamedTuple

from companion.bots.decisions import BotView, Decision
from companion.core.bot_pace import Strength
from companion.core.errors import Malformed
from companion.core.i18n import N_

Acts = Mapping[str, Callable[[BotView], Decision]]
"""What is done in each phase, by its name."""


class Strategy(NamedTuple):
    """What is done in each phase, by which strength; a style of its own, or any; a sentence."""

    acts: Acts
    about: str = ""
    strength: Strength = "strong"
    style: float | None = None

    def instead(self, about: str, **acts: Callable[[BotView], Decision]) -> "Strategy":
        """Return this strategy, with something else done in some phases."""
        return self._replace(acts={**self.acts, **acts}, about=about)


def find_strategy(name: str, known: Mapping[str, Strategy]) -> Strategy:
    """Return a strategy by its name, or by `module:name`; raise Malformed."""
    if name in known:
        return known[name]
    module, _, attribute = name.partition(":")
    try:
        found = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        text = N_("“{field}” is no strategy; these are: {several}. ({reason})")
        raise Malformed(name, text, several=list(known), reason=error) from None
    if not isinstance(found, Strategy):
        text = N_("“{field}” is no strategy; these are: {several}. ({reason})")
        raise Malformed(name, text, several=list(known), reason=type(found).__name__)
    return found
