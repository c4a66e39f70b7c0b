"""The overview: what the page shows of the whole first start, whichever step it is at.

Law: built field by field; it names boxes, wirings and what is still to be done, and knows no tag.

What is remembered of the first start, in the data folder and at hand.

Law: what was found is remembered for as long as the wires are those in which it was found.

Which wirings one may choose, and how another one comes to the table.

Law: a wiring that config or command line name is not for the browser to change; what keeps another
one from being opened is said in one sentence, and the one before stays.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from shlex import quote

import msgspec

from companion.app import state_files
from companion.app.physical_table import PhysicalTable
from companion.app.wires import load_learnt_wiring, load_unlearnt_wiring, profile_of, save_wiring
from companion.core.deck import count_missing, list_pieces
from companion.core.errors import Refusal, refusal
from companion.core.i18n import Message, message
from companion.games import RULEBOOKS, make_rulebook
from companion.setup import (
    STEPS,
    SavedSetup,
    SetupView,
    StepState,
    WiringOffer,
    WizardStep,
    describe_left_out,
)
from hardware.advice import CONFIG_FILE
from hardware.errors import WiringError
from hardware.rc522.stock import NO_DEVICE
from hardware.wiring import Wiring, load_profile, profile_names
from hardware.wiring.profile import TITLES


class SetupMemory:
    """What was chosen and found, as it is on disk."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.saved = state_files.load_choices(folder)

    def save(self, saved: SavedSetup) -> None:
        """Remember this from now on."""
        state_files.save_choices(self._folder, saved)
        self.saved = saved

    def forget_if_rewired(self, wiring: Wiring) -> None:
        """The table is wired so now: where that is not what was learnt, nothing has been found."""
        try:
            known = load_learnt_wiring(self._folder)
        except WiringError:
            known = None  # Somebody has written in it since the start, which says so next time.
        if known is None or not known.leads_same(wiring):
            self.saved = msgspec.structs.replace(self.saved, found={})

    def for_profile(self, profile: str) -> SavedSetup:
        """The same for a wiring of this profile: what was found in another counts no longer."""
        if self.saved.profile == profile:
            return self.saved
        return msgspec.structs.replace(self.saved, profile=profile, found={})


def list_wirings(fixed_profile: str | None) -> tuple[WiringOffer, ...]:
    """Every wiring that one may have; the one that is said, where one is."""
    found = [load_profile(name) for name in ([fixed_profile] if fixed_profile else profile_names())]
    return tuple(
        WiringOffer(
            wiring.name,
            Message(wiring.title) if wiring.title in TITLES else wiring.title,
            len(wiring.readers),
            len(wiring.buttons),
            fixed=fixed_profile is not None,
        )
        for wiring in found
    )


def needless_steps(wiring: Wiring) -> frozenset[WizardStep]:
    """The steps for which a wiring has nothing."""
    none: dict[WizardStep, bool] = {
        "banks": not wiring.readers,
        "buttons": not wiring.buttons,
        "lamps": not wiring.lamps,
        "stickers": not wiring.readers,
        "check": not wiring.readers,
    }
    return frozenset(step for step, nothing in none.items() if nothing)


def change_wiring(
    real: PhysicalTable, profile: str, offers: Iterable[WiringOffer]
) -> Refusal | None:
    """Have this wiring at the table; what was learnt of it stays, if it is the one already."""
    if profile not in [offer.profile for offer in offers]:
        if profile not in profile_names():
            return refusal("no_wiring", "T.host", "There is no such wiring.")
        text = "The wiring is said in the config of this table, and can be changed there only."
        return refusal("fixed_wiring", "T.host", text)
    wires = real.wires
    same = Path(profile_of(wires.wiring)).stem == profile
    if same and wires.trouble is None:
        return None
    wiring = wires.wiring if same else load_unlearnt_wiring(profile)
    refused = real.rewire(wiring)
    if refused is None:
        save_wiring(real.folder, wiring)
        return None
    if refused.say.text not in NO_DEVICE:
        return refused
    text = "{file} lacks what this wiring needs; type: {command}, then restart the Pi."
    command = f"sudo systemd/install --profile {quote(profile_of(wiring))}"
    return refusal("no_wires", "T.host", text, file=CONFIG_FILE, command=command)


def make_overview(
    real: PhysicalTable, memory: SetupMemory, step: WizardStep, profiles: Sequence[WiringOffer]
) -> SetupView:
    """How far it has come, and what one may choose; nothing yet of what the step itself shows."""
    past, needless = memory.saved.done, needless_steps(real.wires.wiring)

    def state(step: WizardStep) -> StepState:
        if step == step:
            return "now"
        if step in needless:
            return "spared"
        return "done" if step in past else "open"

    return SetupView(
        step=step,
        steps=tuple((step, state(step)) for step in STEPS),
        may=frozenset() if step == "done" else frozenset({"next"}),
        games=tuple((game, make_rulebook(game).box.title) for game in RULEBOOKS),
        game=real.table.rules.box.game,
        profiles=tuple(profiles),
        profile=real.wiring,
        set_up=memory.saved.set_up,
    )


def list_left_undone(real: PhysicalTable, memory: SetupMemory) -> tuple[Message, ...]:
    """What is still to be done, whenever somebody wants to."""
    wiring, rules = real.wires.wiring, real.table.rules
    numbers: dict[WizardStep, Iterable[int]] = {
        "banks": wiring.readers,
        "buttons": wiring.buttons,
        "lamps": wiring.lamps,
    }
    deck = real.deck
    left = count_missing(rules.box.tagged_pieces(), deck.things.values() if deck else ())
    said = message("Not enrolled yet: {things}.", things=list_pieces(left))
    stickers = (said,) if left and wiring.readers else ()
    return (*describe_left_out(memory.for_profile(profile_of(wiring)), numbers), *stickers)
