"""The stickers of the box, and the check that everything is there.

Law: both are what `companion enrol` does at a terminal, heard by the same pure walk and check, and
kept in the same deck.
"""

import secrets
from datetime import date

import msgspec

from companion import enrol
from companion.app.physical_table import PhysicalTable
from companion.app.settings import deck_path
from companion.app.setup.find_wires_step import Stage, Told
from companion.app.state_files import say_without_folder
from companion.core.deck import MARK_BYTES, Deck, count_missing, list_pieces
from companion.core.errors import Malformed, Refusal
from companion.core.i18n import Message, message
from companion.core.sensor_events import ButtonPressed, Evidence, Lamp
from companion.enrol import Walk
from companion.enrol.deck_file import save
from companion.enrol.walk import Step as Taken
from companion.setup import Act, Showing, news

replace = msgspec.structs.replace


class Stickers(Stage):
    """Which sticker is on which thing of the box."""

    def __init__(self, real: PhysicalTable) -> None:
        rules = real.table.rules
        self._real, self._box = real, rules.box
        self._path = deck_path(rules.box.game, real.folder)
        refused = real.change_box(rules)  # What is on disk counts, whoever wrote it.
        deck = real.deck(rules) or Deck({}, secrets.token_hex(MARK_BYTES))
        self._enrolled, self._failed = deck.things, refused is not None
        walk = Walk({} if refused else rules.box.tagged_pieces(), deck)
        for evidence in real.table.reports.current_evidence():
            walk, _ = enrol.heard(walk, evidence)
        self._walk, said = enrol.begin(walk)
        self._says = refused.say if refused is not None else news(walk, self._walk, said)

    @property
    def nth(self) -> int:
        """Which of its kind the thing is that is asked for."""
        return self._walk.asked[1] if self._walk.asked else 1

    def shown(self, showing: Showing) -> Showing:
        """The thing that is asked for, and what is still to come."""
        walk, left = self._walk, count_missing(self._walk.holds, self._walk.deck.things.values())
        total, may = sum(walk.holds.values()), {*showing.may}
        may |= {"skip"} if walk.asked else set()
        may |= {"undo"} if walk.steps else set()
        may |= {"renew"} if walk.trouble == "known" else set()
        may |= {"again"} if walk.steps or walk.deck.things else set()
        complete = message("The deck is complete: {total} of {total}.", total=total)
        over = (
            message("Not enrolled yet: {things}.", things=list_pieces(left)) if left else complete
        )
        return replace(
            showing,
            asks=walk.next if walk.asked else over if total else None,
            says=self._says,
            trouble=self._failed or bool(walk.trouble or walk.odd),
            thing=walk.asked[0] if walk.asked else "",
            done=len(walk.deck.things),
            total=total,
            missing=tuple(list_pieces(left)),
            may=frozenset(may),
        )

    def heard(self, evidence: Evidence) -> tuple[bool, bool]:
        """A short press takes back, a long one leaves out, as at the terminal."""
        walk, said = enrol.heard(self._walk, evidence)
        changed = walk != self._walk or said is not None
        if changed:
            self._becomes(walk, said)
        return changed, isinstance(evidence, ButtonPressed)

    def lamp(self, _seat: int) -> Lamp:
        """What every lamp shows."""
        return self._walk.lamp

    def act(self, do: Act) -> Told:
        """Beginning again forgets every sticker of the box, and can be taken back."""
        if do == "again":
            walk = self._walk
            steps = (*walk.steps, Taken(walk.deck.things, walk.skipped))
            empty = replace(walk, deck=Deck({}, walk.deck.salt), skipped=(), steps=steps, latest="")
            self._becomes(empty, None)
            return True
        does = {"undo": enrol.undo, "skip": enrol.skip, "renew": enrol.renew}[do]
        self._becomes(*does(self._walk))
        return True

    def _becomes(self, walk: Walk, said: Message | None) -> None:
        """First on disk, then said; what was said stays, until there is news or calm."""
        before = self._walk
        try:
            if walk.deck.things != before.deck.things:
                save(self._path, walk.deck, self._box, date.today().isoformat())
        except Malformed as error:
            self._failed, self._says = True, say_without_folder(error)
            return
        self._walk, self._failed = walk, False
        if said is not None:
            self._says = news(before, walk, said)

    def leave(self) -> Refusal | None:
        """The eyes of the table know from now on what was enrolled."""
        as_it_was = self._walk.deck.things == self._enrolled
        return None if as_it_was else self._real.change_box(self._real.table.rules)


class Check(Stage):
    """Whether everything of the box comes by a reader once; the same check as the host's."""

    def __init__(self, real: PhysicalTable) -> None:
        self._real = real
        self._refused = real.start_box_check()

    def shown(self, showing: Showing) -> Showing:
        """What is missing."""
        checked = self._real.box_check()
        if checked is None:
            says = self._refused.say if self._refused else None
            may = showing.may | {"again"}
            return replace(showing, says=says, trouble=says is not None, may=may)
        sweep = message("Lay everything on any reader, in any order, or sweep it over.")
        never = (
            message("Not enrolled yet: {things}.", things=checked.never) if checked.never else None
        )
        return replace(
            showing,
            asks=never if checked.done else sweep,
            says=checked.says if checked.odd or checked.done else None,
            trouble=checked.odd,
            done=checked.seen,
            total=checked.total,
            missing=checked.missing,
            may=showing.may | {"again"},
        )

    def heard(self, _evidence: Evidence) -> tuple[bool, bool]:
        """The check has heard it already, and asks for no button."""
        return False, False

    def turn(self) -> bool:
        """Readers that were just set up tell a little later that they listen."""
        waits = self._refused is not None and self._refused.code == "no_readers"
        if not waits or not self._real.table.reports.is_listening:
            return False
        self._refused = self._real.start_box_check()
        return True

    def lamp(self, _seat: int) -> Lamp:
        """What every lamp shows."""
        checked = self._real.box_check()
        if checked is None or (checked.done and not checked.odd):
            return "off"
        return "fast" if checked.odd else "on"

    def act(self, do: Act) -> Told:
        """Begin the check again."""
        if do == "again":
            self._refused = self._real.start_box_check()
        return do == "again"

    def leave(self) -> Refusal | None:
        """Check no longer."""
        self._real.stop_box_check()
        return None
