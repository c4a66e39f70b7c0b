"""Wiring profiles: what they say, whether it can be soldered, and how it looks."""

from hardware.wiring.profile import DEFAULT, load, profiles, read
from hardware.wiring.wires import Address, Use, Wiring
from hardware.wiring.writing import written

__all__ = ["DEFAULT", "Address", "Use", "Wiring", "load", "profiles", "read", "written"]
