"""Asking: what many operations are asked with, and an example of it.

Law: every write has a key of its own, by which a second copy of it counts as the first; what is
asked of the game names the version of the view that it answers.
"""

from typing import Annotated, Any

from msgspec import Meta, Struct

from web.context import Pace

Version = Annotated[int, Meta(ge=0, le=10**9)]
Key = Annotated[str, Meta(pattern="^[A-Za-z0-9-]{1,64}$")]


class Asked(Struct, frozen=True, forbid_unknown_fields=True):
    """A request: the event that is asked for, the version of the view it answers, its own key."""

    event: dict[str, Any]
    version: Version
    key: Key


class Tapped(Struct, frozen=True, forbid_unknown_fields=True):
    """A button that says all there is to say."""

    key: Key


class Spoken(Struct, frozen=True, forbid_unknown_fields=True):
    """A language is chosen."""

    key: Key
    language: str


class Paced(Struct, frozen=True, forbid_unknown_fields=True):
    """How fast bots play."""

    key: Key
    pace: Pace


ASKED = {"event": {"event": "bank_chosen", "bank": 3}, "version": 17, "key": "6f2c1a"}
TAPPED = {"key": "6f2c1a"}
PACED = {"key": "6f2c1a", "pace": "slow"}
SPOKEN = {"key": "6f2c1a", "language": "de"}
