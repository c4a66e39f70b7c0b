"""Views of the set-up pages, the gaps of each step, and the change to another box or wiring.

Laws: what is shown is built field by field; it names boxes, wirings and what is still to be done,
and knows no tag. What was found counts for as long as the wires are those in which it was found. A
wiring that config or command line name cannot be changed in the browser; where another one cannot
be opened, the reason is one sentence and the one before stays.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from companion.app.physical_table import PhysicalTable
from companion.app.wires import load_unlearnt_wiring, save_wiring
from companion.core.deck import count_missing, list_pieces
from companion.core.errors import NotWritten, Refusal, refusal
from companion.core.i18n import N_, Message, message
from companion.core.sensor_events import PlaceMode
from companion.games import make_rulebook
from companion.host.health import BoxCheckProgress
from companion.host.settings import TableSettings
from companion.setup.steps import SavedSetup, SetupView, WiringOffer, WizardStep
from companion.setup.walk import Walk
from companion.tracking.game_tracking import tap_places
from hardware.advice import CONFIG_FILE
from hardware.rc522.stock import NO_SPI
from hardware.wiring import Wiring, load_profile, profile_names
from hardware.wiring.profile import TITLES

replace = msgspec.structs.replace


def list_wirings(fixed_profile: str | None) -> tuple[WiringOffer, ...]:
    """List every wiring that may be chosen, or only the one that is fixed."""
    found = [load_profile(name) for name in ([fixed_profile] if fixed_profile else profile_names())]
    return tuple(
        WiringOffer(
            wiring.name,
            Message(wiring.title) if wiring.title in TITLES else wiring.title,
            len(wiring.readers),
            len(wiring.buttons),
        )
        for wiring in found
    )


def wires_of(wiring: Wiring) -> Mapping[WizardStep, Mapping[int, object]]:
    """Return the wires that each step finds, by place or seat."""
    readers = {} if wiring.by_turns else wiring.readers
    return {"banks": readers, "buttons": wiring.buttons, "lamps": wiring.lamps}


def needless_steps(wiring: Wiring) -> frozenset[WizardStep]:
    """Return the steps without anything to set up in this wiring."""
    cards: tuple[WizardStep, ...] = () if wiring.readers else ("stickers", "check")
    return frozenset({*cards, *(step for step, wires in wires_of(wiring).items() if not wires)})


def change_box(
    source: PhysicalTable, settings: TableSettings, game: str, after: str
) -> Refusal | None:
    """Put the box of this game on the table until another game than the one of the id `after` was
    played; the check of another box is still to be done."""
    before = source.table.rules
    is_other = game != before.box.game
    refused = source.change_box(make_rulebook(game)) if is_other else None
    if refused is not None:
        return refused

    def chosen(saved: SavedSetup) -> SavedSetup:
        done = tuple(step for step in saved.done if step != "check" or not is_other)
        return replace(replace(saved, done=done).with_done("box"), game=game, after=after)

    try:
        settings.change(chosen)
    except NotWritten:  # Then the box does not change either.
        source.change_box(before)
        raise
    return None


def change_wiring(
    source: PhysicalTable, profile: str, offers: Iterable[WiringOffer]
) -> Refusal | None:
    """Open the wiring of this profile and save it; the current one keeps its learnt cables."""
    if profile not in [offer.profile for offer in offers]:
        return refusal("no_wiring", "T.host", "There is no such wiring.")
    wires = source.wires
    same = Path(wires.wiring.learnt_from).stem == profile
    if same and wires.trouble is None:
        return None
    wiring = wires.wiring if same else load_unlearnt_wiring(profile)
    before = wires.wiring
    refused = source.rewire(wiring)
    if refused is None:
        try:
            save_wiring(source.folder, wiring)
        except NotWritten:  # Then the wires do not change either.
            source.rewire(before)
            raise
        return None
    if refused.say.text != NO_SPI:
        return refused
    text = "{file} lacks what this wiring needs; write {several} into it, then restart the Pi."
    return refusal("no_wires", "T.host", text, file=CONFIG_FILE, several=wiring.config_lines())


NOT_FOUND: Mapping[WizardStep, str] = {
    "banks": N_("Places whose reader was not found: {numbers}."),
    "buttons": N_("Seats whose button was not found: {numbers}."),
    "lamps": N_("Seats whose lamp was not found: {numbers}."),
}


def list_left_undone(source: PhysicalTable, saved: SavedSetup) -> dict[WizardStep, Message]:
    """Return the gaps of each step: wires that were not found, pieces without stickers, and the
    check of the box."""
    wiring = source.wires.wiring
    found, needless = dict[WizardStep, Message](), needless_steps(wiring)
    for step, wires in wires_of(wiring).items():
        left = sorted({*wires} - {*wiring.found.get(step, ())})
        if left:
            found[step] = Message(NOT_FOUND[step], {"numbers": left})
    if "stickers" in needless:
        return found
    deck, pieces = source.deck, source.table.rules.box.tagged_pieces()
    never = count_missing(pieces, deck.things.values() if deck else ())
    if never:
        found["stickers"] = message("Not enrolled yet: {things}.", things=list_pieces(never))
    if "check" not in saved.done:
        found["check"] = message("The box was not checked.")
    return found


def show_walk(
    view: SetupView, walk: Walk, source: PhysicalTable, modes: Mapping[int, PlaceMode]
) -> SetupView:
    """Return the view with the current question, the last result, and the missing parts."""
    can = {
        "skip": walk.asked is not None,
        "undo": walk.before is not None,
        "renew": walk.may_renew,
        "again": bool(walk.found or walk.left_out),
    }
    view = replace(
        view,
        asks=walk.instruction if walk.wanted else None,
        says=walk.news,
        trouble=walk.in_trouble,
        good=walk.good and not walk.in_trouble,
        done=len(walk.found),
        total=len(walk.wanted),
        may=frozenset(action for action, makes_sense in can.items() if makes_sense),
    )
    if walk.kind == "stickers":
        missing = tuple(list_pieces(walk.missing))
        return replace(view, thing=walk.asked or "", slot=walk.slot, missing=missing)
    asked = 0 if walk.kind == "lamps" else walk.asked or 0
    view = replace(view, asked=asked, found=walk.states())
    if walk.kind != "banks":
        return view
    beside = tap_places(source.table.rules.tracking, modes)
    chosen = tuple((n, "tap" if n in beside else "presence") for n in walk.wanted)
    silent = sum(reader.word == "offline" for reader in source.reader_conditions())
    text = "Readers that do not answer: {n}. Check their cables, or leave them out."
    return replace(view, modes=chosen, missing=(message(text, n=silent),) if silent else ())


def show_check(
    view: SetupView, checked: BoxCheckProgress | None, refused: Refusal | None
) -> SetupView:
    """Return the view with the parts to be checked, or the reason no check has begun."""
    view = replace(view, may=frozenset({"again"}))
    if checked is None:
        says = refused.say if refused else None
        return replace(view, says=says, trouble=says is not None)
    sweep = message("Lay everything on any reader, in any order, or sweep it over.")
    never = message("Not enrolled yet: {things}.", things=checked.never)
    over = never if checked.never else None
    return replace(
        view,
        asks=over if checked.done else sweep,
        says=checked.says if checked.odd or checked.done else None,
        trouble=checked.odd,
        good=checked.done and not checked.odd,
        done=checked.seen,
        total=checked.total,
        missing=checked.missing,
    )
