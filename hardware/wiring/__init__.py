"""Wiring profiles: parsing, checks, tables and drawings."""

from hardware.wiring.profile import (
    DEFAULT,
    format_profile,
    load_profile,
    parse_profile,
    profile_names,
)
from hardware.wiring.wires import Address, PinUse, SpiAddress, Wiring

__all__ = [
    "DEFAULT",
    "Address",
    "PinUse",
    "SpiAddress",
    "Wiring",
    "format_profile",
    "load_profile",
    "parse_profile",
    "profile_names",
]
