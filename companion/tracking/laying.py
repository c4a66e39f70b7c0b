"""How a card is laid just now: where its reader lies beside the place, it is held to that reader.

Laws: it is said for each place as the wiring profile and the game have it. A reader under its place
notices a card by itself, so nothing is said where all of them are such.
"""

from companion.core.i18n import N_, Message
from companion.games.game_state import GameState
from companion.games.rulebook import AnyRulebook
from companion.tracking.picture import Picture

LAY_AT = N_("{use}: hold the card to the reader beside it, then lay it down.")
LAY = N_("Hold the card to the reader beside its place, then lay it down.")
LAY_AT_SOME = N_("Hold the card to the reader beside {things}; elsewhere just lay it down.")
MEANT = N_("Hold the card that is meant to the reader beside its place.")
MEANT_AT_SOME = N_(
    "Hold the card that is meant to the reader beside {things}; elsewhere lift it and put it back."
)


def describe_laying(
    rules: AnyRulebook, state: GameState | None, picture: Picture
) -> Message | None:
    """Return what to do with a card now at the places whose reader lies beside them; None if there
    are none."""
    if state is None or picture.one_reader or rules.current_sweep(state) is not None:
        return None
    game = rules.tracking
    moving = game.moving_places.get(state.phase, frozenset())
    places, is_laid = game.receiving_places(state) | moving, True
    if not places and state.phase in game.lifting_phases:
        places, is_laid = frozenset(rules.expected_cards(state)), False
    heard = sorted(place for place in places if picture.is_heard(place))
    beside = [place for place in heard if place in picture.taps]
    names = [game.name_place(place) for place in beside]
    if not beside:
        return None
    if len(heard) > len(beside):
        return Message(LAY_AT_SOME if is_laid else MEANT_AT_SOME, {"things": names})
    if is_laid and len(names) == 1:
        return Message(LAY_AT, {"use": names[0]})
    return Message(LAY if is_laid else MEANT)
