"""Wiring profiles: what they say, whether it can be soldered, and how it looks."""

from hardware.wiring.profile import DEFAULT, load_profile, profile_names, parse_profile
from hardware.wiring.wires import Address, PinUse, Wiring
from hardware.wiring.writing import format_profile

__all__ = ["DEFAULT", "Address", "PinUse", "Wiring", "load_profile", "profile_names", "parse_profile", "format_profile"]
