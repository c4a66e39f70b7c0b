"""What is remembered of the first start, in the data folder and at hand.

Law: what was found is remembered for as long as the wires are those in which it was found.
"""

from pathlib import Path

import msgspec

from companion.app import state_files
from companion.app.wired import learnt
from companion.setup import Kept
from hardware.errors import WiringError
from hardware.wiring import Wiring


class Memory:
    """What was chosen and found, as it is on disk."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.kept = state_files.chosen(folder)

    def keep(self, kept: Kept) -> None:
        """Remember this from now on."""
        state_files.keep_chosen(self._folder, kept)
        self.kept = kept

    def settle(self, wiring: Wiring) -> None:
        """The table is wired so now: where that is not what was learnt, nothing has been found."""
        try:
            known = learnt(self._folder)
        except WiringError:
            known = None  # Somebody has written in it since the start, which says so next time.
        if known is None or not known.leads_as(wiring):
            self.kept = msgspec.structs.replace(self.kept, found={})

    def found(self, profile: str) -> Kept:
        """The same for a wiring of this profile: what was found in another counts no longer."""
        if self.kept.profile == profile:
            return self.kept
        return msgspec.structs.replace(self.kept, profile=profile, found={})
