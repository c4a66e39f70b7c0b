"""The wizard's steps for the box: enrol its stickers, and check that everything is there.

Law: both do what `companion enrol` does at a terminal, with the same pure walk and check and the
same deck.
"""

import secrets
from datetime import date

import msgspec

from companion import enrol
from companion.app.physical_table import PhysicalTable
from companion.app.settings import deck_path
from companion.app.setup.running_step import RunningStep
from companion.app.state_files import say_without_folder
from companion.core.deck import MARK_BYTES, Deck, count_missing, list_pieces
from companion.core.errors import Malformed, Refusal
from companion.core.i18n import Message, message
from companion.core.sensor_events import ButtonPressed, Evidence, Lamp
from companion.enrol import Walk
from companion.enrol.deck_file import save_deck
from companion.enrol.walk import WalkStep
from companion.host.host import Host
from companion.setup import SetupView, WizardAction, describe_news

replace = msgspec.structs.replace


class StickerStep(RunningStep):
    """Enrolment of the stickers of the box."""

    def __init__(self, source: PhysicalTable) -> None:
        rules = source.table.rules
        self._source, self._box = source, rules.box
        self._path = deck_path(rules.box.game, source.folder)
        refused = source.change_box(
            rules
        )  # What is on disk counts, also if `companion enrol` wrote it.
        deck = source.deck or Deck({}, secrets.token_hex(MARK_BYTES))
        self._enrolled, self._failed = deck, refused is not None
        walk = Walk({} if refused else rules.box.tagged_pieces(), deck)
        for evidence in source.table.reports.current_evidence():
            walk, _ = enrol.take_evidence(walk, evidence)
        self._walk, said = enrol.begin_walk(walk)
        self._says = refused.say if refused is not None else describe_news(walk, self._walk, said)

    @property
    def number_of_kind(self) -> int:
        """The number, within its kind, of the thing that is asked for."""
        return self._walk.asked[1] if self._walk.asked else 1

    def add_to_view(self, view: SetupView) -> SetupView:
        """Add the thing that is asked for, and what is still to come."""
        walk, left = self._walk, count_missing(self._walk.holds, self._walk.deck.things.values())
        total, may = sum(walk.holds.values()), {*view.may}
        may |= {"skip"} if walk.asked else set()
        may |= {"undo"} if walk.steps else set()
        may |= {"renew"} if walk.trouble == "known" else set()
        may |= {"again"} if walk.steps or walk.deck.things else set()
        complete = message("The deck is complete: {total} of {total}.", total=total)
        over = (
            message("Not enrolled yet: {things}.", things=list_pieces(left)) if left else complete
        )
        return replace(
            view,
            asks=walk.instruction if walk.asked else over if total else None,
            says=self._says,
            trouble=self._failed or bool(walk.trouble or walk.odd),
            thing=walk.asked[0] if walk.asked else "",
            slot=walk.asked_slot,
            done=len(walk.deck.things),
            total=total,
            missing=tuple(list_pieces(left)),
            may=frozenset(may),
        )

    def take_evidence(self, evidence: Evidence) -> tuple[bool, bool]:
        """Take in evidence: a short press takes back, a long one leaves out."""
        walk, said = enrol.take_evidence(self._walk, evidence)
        changed = walk != self._walk or said is not None
        try:
            if changed:
                self._save_and_update(walk, said)
        except Malformed as error:
            self._failed, self._says = True, say_without_folder(error)
        return changed, isinstance(evidence, ButtonPressed)

    def lamp(self, _seat: int) -> Lamp:
        return self._walk.lamp

    def apply_action(self, action: WizardAction) -> bool:
        """Leave out, take back, make new, or forget every sticker; all of it can be taken back."""
        if action == "again":
            walk = self._walk
            steps = (*walk.steps, WalkStep(walk.deck, walk.skipped))
            empty = replace(walk, deck=Deck({}, walk.deck.salt), skipped=(), steps=steps, latest="")
            self._save_and_update(empty, None)
            return True
        does = {"undo": enrol.undo_step, "skip": enrol.skip_thing, "renew": enrol.renew_sticker}[
            action
        ]
        self._save_and_update(*does(self._walk))
        return True

    def _save_and_update(self, walk: Walk, said: Message | None) -> None:
        """Save the deck, then show the walk; the last news stays until there are others."""
        before = self._walk
        if walk.deck != before.deck:
            save_deck(self._path, walk.deck, self._box, date.today().isoformat())
        self._walk, self._failed = walk, False
        if said is not None:
            self._says = describe_news(before, walk, said)

    def leave(self) -> Refusal | None:
        """Give the deck to the table, if it has changed."""
        as_it_was = self._walk.deck == self._enrolled
        return None if as_it_was else self._source.change_box(self._source.table.rules)


class BoxCheckStep(RunningStep):
    """The check of the host: everything of the box passes a reader once."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._refused = host.start_box_check()

    def add_to_view(self, view: SetupView) -> SetupView:
        """Add what is missing."""
        checked = self._host.box_check()
        if checked is None:
            says = self._refused.say if self._refused else None
            may = view.may | {"again"}
            return replace(view, says=says, trouble=says is not None, may=may)
        sweep = message("Lay everything on any reader, in any order, or sweep it over.")
        never = (
            message("Not enrolled yet: {things}.", things=checked.never) if checked.never else None
        )
        return replace(
            view,
            asks=never if checked.done else sweep,
            says=checked.says if checked.odd or checked.done else None,
            trouble=checked.odd,
            done=checked.seen,
            total=checked.total,
            missing=checked.missing,
            may=view.may | {"again"},
        )

    def take_evidence(self, _evidence: Evidence) -> tuple[bool, bool]:
        """Leave it: the host's check has taken it in already, and buttons belong to the game."""
        return False, False

    def run_due_work(self) -> bool:
        """Begin the check once readers that were just set up have reported."""
        waits = self._refused is not None and self._refused.code == "no_readers"
        if not waits or not self._host.table.reports.is_listening:
            return False
        self._refused = self._host.start_box_check()
        return True

    def lamp(self, _seat: int) -> Lamp:
        checked = self._host.box_check()
        if checked is None or (checked.done and not checked.odd):
            return "off"
        return "fast" if checked.odd else "on"

    def apply_action(self, action: WizardAction) -> bool:
        """Begin the check again; no other action makes sense."""
        if action == "again":
            self._refused = self._host.start_box_check()
        return action == "again"

    def leave(self) -> Refusal | None:
        self._host.stop_box_check()
        return None
