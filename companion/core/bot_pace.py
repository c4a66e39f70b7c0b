"""How fast bots play."""

from typing import Literal

Pace = Literal["human", "fast", "still"]
"""Where bots are still they wait."""
