"""One reader for all places by turns: for which place a card is tapped.

Laws: a tap counts where the game expects a card next. Where several places may get one, a person
chooses first; a tap before that counts nowhere, and everyone is told. A card that the game has
somewhere already is meant where it lies, unless cards are moved just now or a place was chosen for
it. What was chosen holds for one event of the game.
"""

from collections.abc import Iterable, Mapping

import msgspec

from companion.core.cards import FIGURE, TILE
from companion.core.errors import Refusal, refusal
from companion.core.i18n import N_, Message
from companion.core.sensor_events import Arrived, Evidence, ReaderFound, ReaderLost
from companion.core.table_events import PlaceChosen
from companion.games.game_state import GameState
from companion.games.rulebook import AnyRulebook
from companion.tracking.picture import EIGHTH_SPOT, Picture, PiecesByTag
from companion.tracking.taps import BOUNCE

replace = msgspec.structs.replace

TAP_FOR = N_("{use}: hold the card to the reader now.")
TAP_MEANT = N_("Hold the card that is meant to the reader; it knows where the card lies.")
CHOOSE = N_("Choose where the card is laid, then hold it to the reader.")
CHOOSE_FIRST = N_(
    "A card was held to the reader before a place was chosen: choose one, then hold it there again."
)
NOT_NOW = N_(
    "A card was held to the reader while none is awaited. Hold it there again when it is laid."
)


class Listening(msgspec.Struct, frozen=True):
    """For which place the one reader waits, 0 for none; or the places to choose one of."""

    say: Message
    place: int = 0
    choices: Mapping[int, Message] = {}


def possible_places(
    rules: AnyRulebook, state: GameState | None, picture: Picture
) -> tuple[int, ...]:
    """Return the places that may get the next card."""
    if state is None or state.phase == "over":
        return ()
    game, sweep = rules.tracking, rules.current_sweep(state)
    if sweep is not None:
        return _heard(picture, {sweep.place})
    moving = game.moving_places.get(state.phase, frozenset())
    places = _heard(picture, game.receiving_places(state) | moving)
    if places or state.phase in game.lifting_phases:
        return places
    return _heard(picture, _dealt_places(rules, state))[:1]


def _dealt_places(rules: AnyRulebook, state: GameState) -> list[int]:
    """Return the places whose first card has no name yet, before anything else was laid.

    Later a tap that comes too early would be taken for a card that was entered without a name.
    """
    cards = rules.expected_cards(state)
    turned = sum(rules.tracking.count_turned_tiles(state).values())
    if turned or any(len(lying) > 1 for lying in cards.values()):
        return []
    return [place for place, lying in cards.items() if lying == (None,)]


def _heard(picture: Picture, places: Iterable[int]) -> tuple[int, ...]:
    return tuple(place for place in sorted(places) if picture.is_heard(place))


def place_of_tap(
    rules: AnyRulebook, state: GameState | None, picture: Picture, tap: Arrived, piece: str
) -> int:
    """Return the place for which a card was tapped; 0 if it counts nowhere."""
    if piece.startswith(TILE):
        return EIGHTH_SPOT
    lying, home = picture.place_of(tap.tag), picture.home.get(tap.tag, 0)
    if lying and tap.at - picture.came.get(tap.tag, float("-inf")) <= BOUNCE:
        return lying
    places = possible_places(rules, state, picture)
    if picture.chosen in places:
        return picture.chosen
    if home and not _may_move(rules, state):
        return home
    return places[0] if len(places) == 1 else home


def _may_move(rules: AnyRulebook, state: GameState | None) -> bool:
    """Return whether a card may come from one place to another now, or is shown in a sweep."""
    game = rules.tracking
    return state is not None and (
        bool(game.moving_places.get(state.phase)) or rules.current_sweep(state) is not None
    )


def serve_tap(
    rules: AnyRulebook, state: GameState | None, picture: Picture, tap: Arrived, pieces: PiecesByTag
) -> tuple[Picture, Arrived | None]:
    """Return a tap with the place for which it counts; None and a note if it counts nowhere."""
    if tap.place in picture.blind:
        return picture, tap
    piece = pieces.get(tap.tag, "")
    place = place_of_tap(rules, state, picture, tap, piece)
    if not place:
        return replace(picture, is_tap_missed=state is not None and piece != FIGURE), None
    return replace(picture, is_tap_missed=False), replace(tap, place=place)


def spread_report(picture: Picture, report: Evidence) -> list[Evidence]:
    """Return what is lost or found of the one reader as news of every place that it serves."""
    if isinstance(report, ReaderFound | ReaderLost):
        return [replace(report, place=place) for place in sorted(picture.taps)]
    return [report]


def refuse_choice(
    rules: AnyRulebook, state: GameState | None, picture: Picture, place: int
) -> Refusal | None:
    """Return why the one reader cannot wait for a card at this place now."""
    if not picture.one_reader:
        text = "Every place of this table has a reader of its own, or none."
        return refusal("no_one_reader", "T.todo", text)
    if place in possible_places(rules, state, picture):
        return None
    text = "No card is laid at place {place} now."
    return refusal("not_awaited", "T.todo", text, place=place)


def next_choice(
    rules: AnyRulebook, state: GameState | None, picture: Picture
) -> PlaceChosen | None:
    """Return the place that comes after the chosen one, where several may get the next card."""
    places = possible_places(rules, state, picture) if picture.one_reader else ()
    if len(places) < 2:
        return None
    return PlaceChosen(next((place for place in places if place > picture.chosen), places[0]))


def describe_listening(
    rules: AnyRulebook, state: GameState | None, picture: Picture
) -> Listening | None:
    """Return what everyone is told of the one reader; None if it waits for nothing."""
    if state is None or state.phase == "over":
        return None
    game = rules.tracking
    places = possible_places(rules, state, picture)
    names = {place: game.name_place(place) for place in places}
    place = picture.chosen if picture.chosen in places else 0
    place = places[0] if len(places) == 1 else place
    choices = names if len(places) > 1 else {}
    if place:
        return Listening(Message(TAP_FOR, {"use": names[place]}), place, choices)
    if choices:
        return Listening(Message(CHOOSE_FIRST if picture.is_tap_missed else CHOOSE), 0, choices)
    if picture.is_tap_missed:
        return Listening(Message(NOT_NOW))
    is_heard = any(picture.is_heard(at) for at in rules.expected_cards(state))
    return (
        Listening(Message(TAP_MEANT)) if is_heard and state.phase in game.lifting_phases else None
    )
