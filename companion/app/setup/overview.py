"""The tasks and gaps of a wiring at each step of the set-up.

Law: everything here names boxes, wirings and what is still to be done, and knows no tag.
"""

from collections.abc import Iterable, Mapping

from companion.app.physical_table import PhysicalTable
from companion.core.deck import count_missing
from companion.core.i18n import N_, Message, message
from companion.setup.steps import WiringOffer, WizardStep
from hardware.wiring import Wiring, load_profile, profile_names
from hardware.wiring.profile import TITLES

NOT_FOUND: Mapping[WizardStep, str] = {
    "banks": N_("Places whose reader was not found: {numbers}."),
    "buttons": N_("Seats whose button was not found: {numbers}."),
    "lamps": N_("Seats whose lamp was not found: {numbers}."),
}


def list_wirings(fixed_profile: str | None) -> tuple[WiringOffer, ...]:
    """List every wiring that may be chosen, or only the one that is fixed."""
    found = [load_profile(name) for name in ([fixed_profile] if fixed_profile else profile_names())]
    titles = [Message(one.title) if one.title in TITLES else one.title for one in found]
    return tuple(
        WiringOffer(one.name, title, len(one.readers), len(one.buttons))
        for one, title in zip(found, titles, strict=True)
    )


def wires_of(wiring: Wiring) -> Mapping[WizardStep, Mapping[int, object]]:
    """Return the wires that each step finds, by place or seat."""
    readers = {} if wiring.by_turns else wiring.readers
    return {"banks": readers, "buttons": wiring.buttons, "lamps": wiring.lamps}


def needless_steps(wiring: Wiring) -> frozenset[WizardStep]:
    """Return the steps without anything to set up in this wiring."""
    cards: tuple[WizardStep, ...] = () if wiring.readers else ("stickers", "check")
    return frozenset({*cards, *(step for step, wires in wires_of(wiring).items() if not wires)})


def list_left_undone(source: PhysicalTable, done: Iterable[str]) -> dict[WizardStep, Message]:
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
        found["stickers"] = message("Pieces without a sticker: {n}.", n=sum(never.values()))
    if "check" not in done:
        found["check"] = message("The box was not checked.")
    return found
