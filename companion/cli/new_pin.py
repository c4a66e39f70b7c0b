"""A new PIN by holding a button: whoever can do that stands at the table.

Law: only right after a start, so that somebody who calls the judge later does not sign the host
out; the table's screen shows the new digits for a while, and then nobody finds them any more.
"""

from companion.pin import Pin

AT_BOOT, SHOWN = 15.0, 120.0
"""Seconds after the start in which a held button makes a new PIN; for which a screen shows it."""


class NewPin:
    """The chance to make a new PIN, and the digits while they are shown."""

    def __init__(self, pin: Pin, since: float) -> None:
        self._pin, self._since = pin, since
        self._made: tuple[str, float] | None = None

    def held(self, now: float) -> bool:
        """A button was held; whether that made a new PIN."""
        if now - self._since > AT_BOOT:
            return False
        self._made = self._pin.renew(), now + SHOWN
        return True

    def shown(self, now: float) -> str | None:
        """The digits, for as long as they are shown."""
        made = self._made
        return made[0] if made and now < made[1] else None

    def over(self, now: float) -> bool:
        """Whether they have just been shown for long enough; then they are forgotten."""
        if self._made is None or now < self._made[1]:
            return False
        self._made = None
        return True
