"""Devices: the request of a press, the state of a lamp, and the agreement of readers and log.

Laws of lamps: off, nothing to do; on, your turn; slow, your hand is not closed or not open yet;
fast, put something right. A lamp tells only what everyone may know.

Laws of buttons: held, a button calls the judge, or ends the freeze; short, it asks for the one
thing to do, where there is just one, or for the next place, where one reader serves several;
otherwise, and while the host has paused the game, it only highlights the question on the phone.

Laws of readers: "cards" notes what lies there, and at the places it came from, all of it or
nothing; "log" hides the mismatch until a tag moves; "hand" ignores the reader of that place. The
newest card that was taken back, or tapped at a wrong place first, is undone: its turn comes again.
"""

from collections.abc import Sequence

from companion.core.errors import Refusal, refusal
from companion.core.events import Event
from companion.core.sensor_events import ButtonPressed, Lamp
from companion.core.sweep import Sweep
from companion.core.table_events import Found, Frozen, PlaceChosen, Settled, Thawed, Undone
from companion.journal.line import NotedEvent
from companion.table import permissions
from companion.table.history import History, apply_event
from companion.table.permissions import Author
from companion.tracking.laying import next_choice
from companion.tracking.mismatches import Mismatch, find_doubt
from companion.tracking.tracker import Tracker


def wish_of_press(history: History, tracker: Tracker, press: ButtonPressed) -> Event | None:
    """Return the request of this press, or else the next place for the one reader."""
    return event_for_press(history, press) or _place_for_press(history, tracker, press)


def event_for_press(history: History, press: ButtonPressed) -> Event | None:
    """Return the event of this press; None if it only wakes the phone."""
    if history.paused:
        return None
    if press.held:
        return Thawed() if history.frozen else Frozen(press.seat)
    if history.is_over or press.seat not in history.rules.awaited_seats(history.state):
        return None
    return history.rules.button_event(history.state, press.seat)


def _place_for_press(
    history: History, tracker: Tracker, press: ButtonPressed
) -> PlaceChosen | None:
    """Return the next place for the one reader to serve, if this seat is only to lay a card."""
    if press.held or history.paused or history.is_over:
        return None
    rules, state = history.rules, history.state
    is_awaited = press.seat in rules.awaited_seats(state)
    return next_choice(rules, state, tracker.picture) if is_awaited else None


def lamp_state(history: History, mismatches: Sequence[Mismatch], seat: int) -> Lamp:
    rules, state = history.rules, history.state
    if state is None or history.is_over or history.paused or seat > len(state.players):
        return "off"
    if history.frozen:
        return "fast" if seat == history.frozen else "off"
    waited_for = seat in rules.awaited_seats(state)
    if waited_for and state.phase in ("seal", "open"):
        return "fast" if find_doubt(rules, state, mismatches) else "slow"
    if seat == state.active and any(gap.kind != "left_over" for gap in mismatches):
        return "fast"  # What is left over is in nobody's way.
    return "on" if waited_for else "off"


def resolve_mismatch(
    history: History,
    tracker: Tracker,
    mismatches: Sequence[Mismatch],
    event: Settled,
    author: Author,
) -> list[NotedEvent] | Refusal:
    """Return the events that settle the mismatch at a place, or why it cannot be."""
    here = [gap for gap in mismatches if gap.place == event.place]
    sweep = history.rules.current_sweep(history.state)
    if sweep is not None and sweep.place == event.place:
        return _resolve_sweep(history, tracker, sweep, here, event, author)
    if not here and event.way in ("cards", "log"):
        return _refuse_nothing(event)
    if event.way != "cards":
        return [NotedEvent(event, event.place, tuple(tag for gap in here for tag in gap.tags))]
    taken_back = _find_undo(history, tracker, here)
    if taken_back is not None:
        return permissions.check_request(history, taken_back.event, author) or [taken_back]
    homes = sorted({gap.home for gap in here if gap.home and gap.kind == "moved"})
    return _note_cards(history, tracker, (*homes, event.place), author)


def _find_undo(history: History, tracker: Tracker, here: list[Mismatch]) -> NotedEvent | None:
    """Return the undo of the newest placement, if its card was tapped again or elsewhere.

    The tag is noted with it where the card is to be placed anew, at the place of its last tap.
    """
    for gap in here:
        if gap.kind == "moved" and gap.place in tracker.picture.taps:
            home = gap.home or gap.place
            laid = _newest_placement(history, home)
            if laid and [*gap.tags] == tracker.picture.at_home(home)[-1:]:
                return NotedEvent(Undone(laid), gap.place, gap.tags if gap.home else ())
    return None


def _resolve_sweep(
    history: History,
    tracker: Tracker,
    sweep: Sweep,
    here: Sequence[Mismatch],
    event: Settled,
    author: Author,
) -> list[NotedEvent] | Refusal:
    """Return the events that settle the result of a sweep, or end it; or a refusal.

    A card of another place counts as shown once it is noted there no more.
    """
    homes = sorted({gap.home for gap in here if gap.home})
    if homes and event.way == "cards":
        return _note_cards(history, tracker, homes, author)
    events = history.rules.tracking.sweep_events
    settled: Event | None = None
    if event.way == "cards" and sweep.shown:
        settled = Found(sweep.place, sweep.shown)
    elif event.way == "log" and events is not None and sweep.is_through and not homes:
        settled = events.believe_pile(history.state)
    if settled is not None:
        shown = tracker.picture.sweep.counted if isinstance(settled, Found) else ()
        refused = permissions.check_request(history, settled, author)
        return refused or [NotedEvent(settled, event.place, shown)]
    tags = tuple(tag for gap in here if gap.kind != "swept" for tag in gap.tags)
    if not tags and event.way in ("cards", "log"):
        return _refuse_nothing(event)
    return [NotedEvent(event, event.place, tags)]


def _refuse_nothing(event: Settled) -> Refusal:
    text = "At place {place} there is nothing to settle."
    return refusal("nothing_to_do", "T.todo", text, place=event.place)


def _newest_placement(history: History, place: int) -> int:
    """Return the moment that laid the newest card of a place, 0 if the game went on since."""
    at = (history.laid.get(place) or (0,))[-1]
    since = (moment.event for moment in history.moments if moment.at > at)
    return at if all(isinstance(event, Settled | PlaceChosen) for event in since) else 0


def _note_cards(
    history: History, tracker: Tracker, places: Sequence[int], author: Author
) -> list[NotedEvent] | Refusal:
    """Return the cards at these places, or the refusal of the first that is not granted."""
    lying = [(place, *tracker.cards_at(place, history.state)) for place in places]
    noted = [NotedEvent(Found(place, cards), place, tags) for place, cards, tags in lying]
    for event, _, _ in noted:
        refused = permissions.check_request(history, event, author)
        if refused is not None:
            return refused
        history = apply_event(history, event, author.via)
    return noted
