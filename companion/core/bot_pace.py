"""How fast bots play, and why: the words of it."""

from typing import Literal, NamedTuple

from companion.core.i18n import Message

Pace = Literal["slow", "human", "fast", "still"]
"""Where bots are still they wait."""


class BotReason(NamedTuple):
    """Why a bot closed its hand as it did in a round; told once the game is over."""

    name: str
    round: int
    why: Message
