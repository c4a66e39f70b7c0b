"""The steps of the first start at which something is sensed, each as long as it is under way.

Laws: what is found is on disk before it is shown; what cannot be written has not been found. A step
that is left hands over what it learnt: the wires to the table, the deck to its eyes.
"""

import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Literal

import msgspec

from companion import enrol
from companion.cli.places import deck_path
from companion.cli.real import Real
from companion.cli.wired import keep_wiring, profile_of
from companion.deck import MARK_BYTES, Deck, counted, missing
from companion.deck_file import load, save
from companion.enrol import Walk
from companion.enrol.walk import Step as Taken
from companion.errors import Malformed
from companion.evidence import Evidence, Lamp, Pressed
from companion.first import Act, Banks, Buttons, Kept, Lamps, Showing
from companion.first.tour import Tour, toured
from companion.texts import Say, say
from hardware.wiring import Wiring

Wire = Literal["banks", "buttons", "lamps"]
Told = bool
"""Whether a step takes what a person says."""
replace = msgspec.structs.replace


def unlearnt(wiring: Wiring, profile: str) -> Wiring:
    """A profile as the beginning of what is learnt of it."""
    return replace(wiring, learnt_from=profile)


class Stage(ABC):
    """One step that is under way."""

    @abstractmethod
    def shown(self, showing: Showing) -> Showing:
        """What the page shows of it."""

    @abstractmethod
    def heard(self, evidence: Evidence) -> tuple[bool, bool]:
        """Take in what was noticed: whether that changed anything, and whether it ends here."""

    @abstractmethod
    def lamp(self, seat: int) -> Lamp:
        """What the lamp of a seat shows, as the wires are now."""

    @abstractmethod
    def act(self, do: Act) -> Told:
        """Leave out, take back, make new, begin again."""

    def lamp_at(self, _seat: int) -> Told:
        """Somebody says at which seat a lamp shines."""
        return False

    @abstractmethod
    def leave(self) -> None:
        """It is over for now."""


class Learning(Stage):
    """Which wire leads where: places, buttons or lamps."""

    def __init__(self, step: Wire, real: Real, kept: Kept, keep: Callable[[Kept], None]) -> None:
        self._step, self._real, self._kept, self._keep = step, real, kept, keep
        known = kept.found.get(step, ()) if kept.profile == self._profile else ()
        self._walk = self._begin(toured(self._numbers, known))

    @property
    def _profile(self) -> str:
        return profile_of(self._real.wires.wiring)

    @property
    def _numbers(self) -> tuple[int, ...]:
        wiring = self._real.wires.wiring
        wires = {"banks": wiring.readers, "buttons": wiring.buttons, "lamps": wiring.lamps}
        return tuple(wires[self._step])

    def _begin(self, tour: Tour) -> Banks | Buttons | Lamps:
        if self._step == "banks":
            walk = Banks(tour, Deck({}, secrets.token_hex(MARK_BYTES)))
            return walk.begun(self._real.table.reports.again())
        return Buttons(tour) if self._step == "buttons" else Lamps(tour)

    def shown(self, showing: Showing) -> Showing:
        """The place or seat that is asked for, and those that were found."""
        walk, found = self._walk, self._walk.found()
        may = {*showing.may}
        may |= {"skip"} if walk.asked else set()
        may |= {"undo", "again"} if walk.tour.steps else set()
        return replace(
            showing,
            asks=walk.asks,
            says=walk.says,
            trouble=walk.trouble,
            asked=0 if self._step == "lamps" else walk.asked,
            found=found,
            done=sum(how == "found" for _, how in found),
            total=len(found),
            missing=self._silent() if self._step == "banks" else (),
            may=frozenset(may),
        )

    def _silent(self) -> tuple[Say, ...]:
        silent = sum(condition.word == "offline" for condition in self._real.conditions())
        text = "Readers that do not answer: {n}. Look after their cables, or leave them out."
        return (say(text, n=silent),) if silent else ()

    def heard(self, evidence: Evidence) -> tuple[bool, bool]:
        """Presses end here where buttons or lamps are asked for."""
        changed = self._becomes(self._walk.heard(evidence))
        return changed, isinstance(evidence, Pressed) and self._step != "banks"

    def lamp(self, seat: int) -> Lamp:
        """What the walk shows."""
        return self._walk.lamp(seat)

    def lamp_at(self, seat: int) -> Told:
        """At the lamps it is the answer."""
        if not isinstance(self._walk, Lamps) or not self._walk.asked:
            return False
        self._becomes(self._walk.seen(seat))
        return True

    def act(self, do: Act) -> Told:
        """Leave out, take back, or begin again."""
        steps = self._walk.tour.steps
        if do == "again" and steps:
            self._becomes(self._begin(Tour(self._walk.tour.numbers)))
        elif do == "undo" and steps:
            self._becomes(self._walk.undo())
        elif do == "skip" and self._walk.asked:
            self._becomes(self._walk.skip())
        else:
            return False
        return True

    def _becomes(self, walk: Banks | Buttons | Lamps) -> bool:
        """The walk goes on, what it found on disk first; whether anything changed."""
        before = self._walk
        if walk == before:
            return False
        try:
            if walk.learnt != before.learnt:
                self._write(walk, forgets=len(walk.learnt) < len(before.learnt))
            self._walk = walk
        except Malformed as error:
            self._walk = replace(before, trouble=True, says=error.say)
        return True

    def _write(self, walk: Banks | Buttons | Lamps, *, forgets: bool) -> None:
        """What was found last may be lost by a power cut, but never said of another wire."""
        kept = self._kept if self._kept.profile == self._profile else replace(self._kept, found={})
        kept = replace(kept, profile=self._profile)
        kept = kept.with_found(self._step, tuple(sorted(walk.learnt)))
        if forgets:
            self._note(kept)
        keep_wiring(self._real.folder, self._learnt(walk))
        self._note(kept)

    def _note(self, kept: Kept) -> None:
        self._keep(kept)
        self._kept = kept

    def _learnt(self, walk: Banks | Buttons | Lamps) -> Wiring:
        wiring, found = unlearnt(self._real.wires.wiring, self._profile), walk.learnt
        match self._step:
            case "banks":
                return wiring.learnt(places=found)
            case "buttons":
                return wiring.learnt(buttons=found)
        return wiring.learnt(lamps=found)

    def leave(self) -> None:
        """The wires are what was learnt of them."""
        learnt = self._learnt(self._walk)
        if any(number != called for number, called in self._walk.learnt.items()):
            self._real.rewire(learnt)


class Stickers(Stage):
    """Which sticker is on which thing of the box."""

    def __init__(self, real: Real) -> None:
        self._real, self._box = real, real.table.rules.box
        self._path = deck_path(self._box.game, real.folder)
        deck = Deck({}, secrets.token_hex(MARK_BYTES))
        with suppress(Malformed):  # A deck that cannot be read is no box that can be laid.
            deck = load(self._path, self._box) if self._path.exists() else deck
        self._says: Say | None = None
        self._failed = False
        self._enrolled = deck.things
        self._walk = self._begin(Walk(self._box.tagged(), deck))

    def _begin(self, walk: Walk) -> Walk:
        for evidence in self._real.table.reports.again():
            walk, _ = enrol.heard(walk, evidence)
        walk, self._says = enrol.begin(walk)
        return walk

    @property
    def nth(self) -> int:
        """Which of its kind the thing is that is asked for."""
        return self._walk.asked[1] if self._walk.asked else 1

    def shown(self, showing: Showing) -> Showing:
        """The thing that is asked for, and what is still to come."""
        walk, left = self._walk, missing(self._walk.holds, self._walk.deck.things.values())
        total, may = sum(walk.holds.values()), {*showing.may}
        may |= {"skip"} if walk.asked else set()
        may |= {"undo"} if walk.steps else set()
        may |= {"renew"} if walk.trouble == "known" else set()
        may |= {"again"} if walk.steps or walk.deck.things else set()
        complete = say("The deck is complete: {total} of {total}.", total=total)
        over = say("Not enrolled yet: {things}.", things=counted(left)) if left else complete
        return replace(
            showing,
            asks=walk.next if walk.asked else over,
            says=self._says,
            trouble=self._failed or bool(walk.trouble or walk.odd),
            thing=walk.asked[0] if walk.asked else "",
            done=len(walk.deck.things),
            total=total,
            missing=tuple(counted(left)),
            may=frozenset(may),
        )

    def heard(self, evidence: Evidence) -> tuple[bool, bool]:
        """A short press takes back, a long one leaves out, as at the terminal."""
        walk, said = enrol.heard(self._walk, evidence)
        changed = walk != self._walk or said is not None
        self._becomes(walk, said)
        return changed, isinstance(evidence, Pressed)

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

    def _becomes(self, walk: Walk, said: Say | None) -> None:
        """First on disk, then said."""
        try:
            if walk.deck.things != self._walk.deck.things:
                save(self._path, walk.deck, self._box, date.today().isoformat())
            self._walk, self._failed = walk, False
        except Malformed as error:
            facts = {**error.say.facts, "field": Path(error.field).name}
            self._failed, said = True, Say(error.say.text, facts)
        self._says = said or self._says

    def leave(self) -> None:
        """The eyes of the table know from now on what was enrolled."""
        if self._walk.deck.things != self._enrolled:
            self._real.lay(self._real.table.rules)


class Check(Stage):
    """Whether everything of the box comes by a reader once; the same check as the host's."""

    def __init__(self, real: Real) -> None:
        self._real = real
        self._refused = real.check()

    def shown(self, showing: Showing) -> Showing:
        """What is missing."""
        checked = self._real.checked()
        if checked is None:
            says = self._refused.say if self._refused else None
            may = showing.may | {"again"}
            return replace(showing, says=says, trouble=says is not None, may=may)
        sweep = say("Lay everything on any reader, in any order, or sweep it over.")
        return replace(
            showing,
            asks=None if checked.done else sweep,
            says=checked.says,
            trouble=checked.odd,
            done=checked.seen,
            total=checked.total,
            missing=(*checked.missing, *checked.never),
            may=showing.may | {"again"},
        )

    def heard(self, evidence: Evidence) -> tuple[bool, bool]:
        """The check has heard it already."""
        return False, isinstance(evidence, Pressed)

    def lamp(self, _seat: int) -> Lamp:
        """What every lamp shows."""
        checked = self._real.checked()
        if checked is None or (checked.done and not checked.odd):
            return "off"
        return "fast" if checked.odd else "on"

    def act(self, do: Act) -> Told:
        """Begin the check again."""
        if do == "again":
            self._refused = self._real.check()
        return do == "again"

    def leave(self) -> None:
        """Check no longer."""
        self._real.stop_check()
