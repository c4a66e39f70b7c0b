"""A strategy: what a bot does in each phase of a game, and with what character.

Laws: a strategy is data. Each game names its own in `strategies.py`: `strong` and `weak`, the two
strengths of our bots, and simple ones, against which these are measured.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from companion.bots.decisions import BotView, Decision
from companion.core.bot_pace import Strength

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


def our_strategies(acts: Acts) -> dict[str, Strategy]:
    """Return the two strengths of our bots in a game, and the ends of their style."""
    strong = Strategy(acts, "our bots, each with a style of its own")
    return {
        "strong": strong,
        "weak": strong._replace(about="our bots, as beginners play", strength="weak"),
        "careful": strong._replace(about="strong, and careful", style=0.0),
        "bold": strong._replace(about="strong, and bold", style=1.0),
    }
