"""The saved set-up of a table: what was chosen and found, on disk and in memory.

Laws: there is one of it in a running companion, through which the pages and the wizard save alike.
A change is made to the newest choices, one after the other, so that two people who choose at the
same moment both get what they chose; and it counts only once it is on disk.
"""

from collections.abc import Callable
from pathlib import Path
from threading import Lock

import msgspec

from companion.app import state_files
from companion.app.wires import load_learnt_wiring
from companion.floor.table_on_floor import FloorPlace
from companion.setup.steps import SavedSetup
from hardware.errors import WiringError
from hardware.wiring import Wiring

replace = msgspec.structs.replace


class SetupMemory:
    """The choices and finds of one data folder; they may be changed from any thread."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._lock = folder, Lock()
        self.saved = state_files.load_choices(folder)

    def change(self, change: Callable[[SavedSetup], SavedSetup]) -> None:
        """Write what this makes of the newest choices, then keep it in memory; NotWritten if the
        disk does not take it."""
        with self._lock:
            changed = change(self.saved)
            state_files.save_choices(self._folder, changed)
            self.saved = changed

    def save_language(self, language: str) -> None:
        """Save the language that the host has chosen, also while a game is under way."""
        self.change(lambda saved: replace(saved, language=language))

    def save_calm(self, is_calm: bool) -> None:
        """Save whether the host wants the table calm, also while a game is under way."""
        self.change(lambda saved: replace(saved, calm=is_calm))

    def save_shows_names(self, shown: bool) -> None:
        """Save whether the host wants names shown to everyone in the network."""
        self.change(lambda saved: replace(saved, shows_names=shown))

    def save_place(self, place: FloorPlace) -> None:
        """Save the name that the host has given the table, also while a game is under way."""
        self.change(lambda saved: replace(saved, name=place.name, place=place.place))

    def forget_if_rewired(self, wiring: Wiring) -> None:
        """Forget the finds if the table is wired otherwise than was learnt."""
        try:
            known = load_learnt_wiring(self._folder)
        except WiringError:
            known = None  # The file was changed since the start; the next start reports it.
        if known is None or not known.leads_same(wiring):
            with self._lock:
                self.saved = replace(self.saved, found={})
