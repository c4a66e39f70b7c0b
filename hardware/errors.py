"""What can be wrong with wires, in one sentence each.

Law: a sentence names the pin, the place or the profile, and ends with what to type or to touch.
"""


class WiringError(ValueError):
    """A wiring profile that cannot be built, or that does not exist."""


class NotConnected(OSError):
    """A device that this machine does not offer, or does not offer to us."""
