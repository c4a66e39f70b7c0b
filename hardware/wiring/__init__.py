"""Wiring profiles: what they say, whether it can be soldered, and how it looks."""

from hardware.wiring.profile import DEFAULT, load, profiles, read
from hardware.wiring.wires import Address, Wiring

__all__ = ["DEFAULT", "Address", "Wiring", "load", "profiles", "read"]
