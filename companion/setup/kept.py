"""What was chosen in the browser, and how far the first start has come.

Law: a choice counts until something is said on the command line or in the config; the box that was
chosen, until another game has been played since.
"""

import msgspec

from companion.setup.steps import Step


class Kept(msgspec.Struct, frozen=True):
    """As it stands in the data folder; empty where nothing was chosen."""

    language: str = ""
    game: str = ""
    after: str = ""
    """The id of the game that had been played last when this box was chosen."""
    set_up: bool = False
    done: tuple[Step, ...] = ()
    """The steps that were gone through."""
    found: dict[Step, tuple[int, ...]] = {}
    """The places and seats that were found to be what they are called now."""
    profile: str = ""
    """The wiring of which that was found."""

    def with_done(self, step: Step) -> "Kept":
        """The same, this step gone through."""
        return self if step in self.done else msgspec.structs.replace(self, done=(*self.done, step))

    def with_found(self, step: Step, numbers: tuple[int, ...]) -> "Kept":
        """The same, these places or seats found at this step."""
        return msgspec.structs.replace(self, found={**self.found, step: numbers})
