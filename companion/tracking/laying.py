"""Places for the next card, and the advice to people about it.

Laws: where readers lie beside their places people are told how a card is laid; where all lie under
them, which notice it by themselves, nothing is said. One reader may serve all places by turns: a
tap counts where the game expects a card next. Where several places may get one, a person chooses
first; a tap before that counts nowhere, and everyone is told. A card that the game has somewhere
already is meant where it lies, unless cards are moved just now or a place was chosen for it. What
was chosen holds for one event of the game.
"""

from collections.abc import Iterable, Mapping

import msgspec
from msgspec.structs import replace

from companion.core.cards import FIGURE, TILE
from companion.core.errors import Refusal, refusal
from companion.core.i18n import N_, Message
from companion.core.sensor_events import Arrived
from companion.core.table_events import PlaceChosen
from companion.games.game_state import GameState
from companion.games.rulebook import AnyRulebook
from companion.tracking.evidence import is_same_tap
from companion.tracking.matching import count_turned_tiles, takes_card
from companion.tracking.picture import EIGHTH_SPOT, Picture, is_card

LAY = N_("Hold the card to the reader beside its place, then lay it down.")
MEANT = N_("Hold the chosen card to the reader.")
TAP_FOR = N_("{use}: hold the card to the reader now.")
CHOOSE = N_("Choose where the card is laid, then hold it to the reader.")
CHOOSE_FIRST = N_(
    "A card was held to the reader before a place was chosen: choose one, then hold it there again."
)
NOT_NOW = N_(
    "A card was held to the reader while none is awaited. Hold it there again when it is laid."
)


def open_places(rules: AnyRulebook, state: GameState, picture: Picture) -> tuple[int, ...]:
    """Return the places with a reader that would take the next card."""
    cards = {name for name in picture.pieces.values() if is_card(name)}

    def is_open(place: int) -> bool:
        return any(takes_card(rules, state, picture, place, card) for card in cards)

    return tuple(filter(is_open, _heard(picture, rules.tracking.receiving_places(state))))


def _heard(picture: Picture, places: Iterable[int]) -> tuple[int, ...]:
    return tuple(place for place in sorted(places) if picture.is_heard(place))


def _liftable_places(rules: AnyRulebook, state: GameState, picture: Picture) -> tuple[int, ...]:
    """Return the places where a reader counts and a card may be meant now."""
    is_meant = state.phase in rules.tracking.lifting_phases
    return _heard(picture, rules.expected_cards(state)) if is_meant else ()


def describe_laying(
    rules: AnyRulebook, state: GameState | None, picture: Picture
) -> Message | None:
    """Return the sentence on a card at the places whose reader lies beside them; None if no card
    comes to one of them now, and none is meant there."""
    if state is None or picture.one_reader or rules.current_sweep(state) is not None:
        return None
    places = open_places(rules, state, picture)
    if picture.taps.intersection(places):
        return Message(LAY)
    lying = () if places else _liftable_places(rules, state, picture)
    return Message(MEANT) if picture.taps.intersection(lying) else None


# One reader for all places by turns.


class Listening(msgspec.Struct, frozen=True):
    """The place that the one reader waits for, 0 for none; or the places to choose one of."""

    say: Message
    place: int = 0
    choices: Mapping[int, Message] = {}


def possible_places(
    rules: AnyRulebook, state: GameState | None, picture: Picture
) -> tuple[int, ...]:
    """Return the places for the next card at a table with one reader; elsewhere none."""
    if not picture.one_reader or state is None or state.phase == "over":
        return ()
    sweep = rules.current_sweep(state)
    if sweep is not None:
        return _heard(picture, {sweep.place})
    places = open_places(rules, state, picture)
    if places or state.phase in rules.tracking.lifting_phases:
        return places
    return _heard(picture, _dealt_places(rules, state))[:1]


def _dealt_places(rules: AnyRulebook, state: GameState) -> list[int]:
    """Return the places whose first card has no name yet, before anything else was laid.

    Later a tap that comes too early would be taken for a card that was entered without a name.
    """
    cards = rules.expected_cards(state)
    turned = count_turned_tiles(state).values()
    if any(turned) or any(len(lying) > 1 for lying in cards.values()):
        return []
    return [place for place, lying in cards.items() if lying == (None,)]


def serve_tap(
    rules: AnyRulebook, state: GameState | None, picture: Picture, tap: Arrived
) -> tuple[Picture, Arrived | None]:
    """Return a tap with the place it counts for; None and a note if it counts nowhere."""
    if tap.place in picture.deaf:
        return picture, tap
    place = _place_of_tap(rules, state, picture, tap)
    if not place:
        is_missed = state is not None and picture.pieces.get(tap.tag) != FIGURE
        return replace(picture, is_tap_missed=is_missed), None
    return replace(picture, is_tap_missed=False), replace(tap, place=place)


def _place_of_tap(
    rules: AnyRulebook, state: GameState | None, picture: Picture, tap: Arrived
) -> int:
    """Return the place that a card was tapped for; 0 if it counts nowhere."""
    if picture.pieces.get(tap.tag, "").startswith(TILE):
        return EIGHTH_SPOT
    tag = picture.tag(tap.tag)
    if is_same_tap(picture, replace(tap, place=tag.place)):
        return tag.place
    places = possible_places(rules, state, picture)
    if picture.chosen in places:
        return picture.chosen
    is_moved = state is not None and (
        state.phase in rules.tracking.lifting_phases or rules.current_sweep(state) is not None
    )
    return places[0] if len(places) == 1 and (is_moved or not tag.home) else tag.home


def refuse_choice(
    rules: AnyRulebook, state: GameState | None, picture: Picture, place: int
) -> Refusal | None:
    """Return the reason the one reader cannot wait for a card at this place now."""
    if place in possible_places(rules, state, picture):
        return None
    text = "No card is laid at place {place} now."
    return refusal("not_awaited", "T.todo", text, place=place)


def next_choice(
    rules: AnyRulebook, state: GameState | None, picture: Picture
) -> PlaceChosen | None:
    """Choose the next of several places for a card; None if there are fewer than two."""
    places = possible_places(rules, state, picture)
    if len(places) < 2:
        return None
    return PlaceChosen(next((place for place in places if place > picture.chosen), places[0]))


def describe_listening(
    rules: AnyRulebook, state: GameState | None, picture: Picture
) -> Listening | None:
    """Return the public sentence on the one reader; None if it waits for nothing."""
    if state is None or state.phase == "over":
        return None
    places = possible_places(rules, state, picture)
    public = rules.public_view(state)
    names = {place: rules.tracking.name_place(public, place) for place in places}
    place = places[0] if len(places) == 1 else picture.chosen
    choices = names if len(places) > 1 else {}
    if place in names:
        return Listening(Message(TAP_FOR, {"use": names[place]}), place, choices)
    if choices:
        return Listening(Message(CHOOSE_FIRST if picture.is_tap_missed else CHOOSE), 0, choices)
    if picture.is_tap_missed:
        return Listening(Message(NOT_NOW))
    return Listening(Message(MEANT)) if _liftable_places(rules, state, picture) else None
