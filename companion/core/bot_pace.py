"""How fast bots play."""

from typing import Literal

Pace = Literal["slow", "human", "fast", "still"]
"""Where bots are still they wait."""
