"""Blinking of the lamps as a function of time: pure.

Law: all lamps blink together, so that a glance over the table tells slow from fast. Fast stays
below three flashes a second, which is safe for people with photosensitive epilepsy.
"""

from companion.core.sensor_events import Lamp

SLOW, FAST = 1.6, 0.4
"""Seconds a blink takes, half of them lit."""


def is_lit(lamp: Lamp, now: float) -> bool:
    """Return whether a lamp in this mode is lit at this moment."""
    if lamp in ("off", "on"):
        return lamp == "on"
    period = SLOW if lamp == "slow" else FAST
    return now % period < period / 2
