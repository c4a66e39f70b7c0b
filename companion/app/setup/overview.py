"""The overview: what the page shows of the whole first start, whichever step it is at.

Law: built field by field; it names boxes, wirings and what is still to be done, and knows no tag.
"""

from collections.abc import Iterable, Sequence

from companion.app.physical_table import Real
from companion.app.setup.memory import Memory
from companion.app.setup.wirings import spared
from companion.app.wired import profile_of
from companion.core.deck import counted, missing
from companion.core.i18n import Say, say
from companion.games import RULEBOOKS, rulebook
from companion.setup import STEPS, Offer, Showing, State, Step, left_out


def overview(real: Real, memory: Memory, here: Step, profiles: Sequence[Offer]) -> Showing:
    """How far it has come, and what one may choose; nothing yet of what the step itself shows."""
    past, needless = memory.kept.done, spared(real.wires.wiring)

    def state(step: Step) -> State:
        if step == here:
            return "now"
        if step in needless:
            return "spared"
        return "done" if step in past else "open"

    return Showing(
        step=here,
        steps=tuple((step, state(step)) for step in STEPS),
        may=frozenset() if here == "done" else frozenset({"next"}),
        games=tuple((game, rulebook(game).box.title) for game in RULEBOOKS),
        game=real.table.rules.box.game,
        profiles=tuple(profiles),
        profile=real.wiring,
        set_up=memory.kept.set_up,
    )


def left_undone(real: Real, memory: Memory) -> tuple[Say, ...]:
    """What is still to be done, whenever somebody wants to."""
    wiring, rules = real.wires.wiring, real.table.rules
    numbers: dict[Step, Iterable[int]] = {
        "banks": wiring.readers,
        "buttons": wiring.buttons,
        "lamps": wiring.lamps,
    }
    deck = real.deck(rules)
    left = missing(rules.box.tagged(), deck.things.values() if deck else ())
    said = say("Not enrolled yet: {things}.", things=counted(left))
    stickers = (said,) if left and wiring.readers else ()
    return (*left_out(memory.found(profile_of(wiring)), numbers), *stickers)
