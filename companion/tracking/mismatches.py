"""Mismatches: where the tags on the table differ from the cards that the rules expect.

Laws: a mismatch blocks nothing, except a verdict that depends on it. One that the table accepted is
not reported again until its tags are touched. A card that is covered, or was laid unheard on
others, is no mismatch. Where as many cards answer new at a place as the game has there without a
tag, they are those, and one of the two names is mistaken. Where a card is awaited, and the rules
cannot have the one that answers because all of its name are noted already, one of them that no
reader heard was entered wrong; a restart finds the same, though the card that answers came before
it. Where that was is told only while no card on the table lies face down.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

import msgspec

from companion.core.errors import Refusal, refusal
from companion.core.events import Entered, Event, Opened
from companion.core.i18n import N_, Message
from companion.core.sweep import Sweep
from companion.core.table_events import SettleWay
from companion.games.game_state import GameState
from companion.games.rulebook import AnyRulebook
from companion.tracking.picture import Picture


class Question(NamedTuple):
    """A question that a person at a place can answer, and its answers: that the cards are right, or
    that the log is; "" for none."""

    text: str
    cards: str = ""
    log: str = ""


BY_HAND = N_("Go on without this reader")
TAKEN_AWAY = Question(N_("{use}: was a card taken away?"), N_("Yes"), N_("No, all is there"))
UNHEARD = Question(
    N_(
        "{use}: was a card laid there? The reader cannot see it. Enter it on a phone, or put "
        "back what you lifted."
    ),
    N_("No, one was taken away"),
    N_("No, all is there"),
)
FORGOTTEN = Question(
    N_("{use}: hold the new card to the reader once more, or enter it on a phone.")
)
SURPLUS = Question(
    N_("{use}: {count} too many. Laid there on purpose?"),
    N_("Yes, it lies there"),
    N_("No, leave it out"),
)
UNKNOWN_STICKER = Question(
    N_("{use}: an unknown sticker lies there. Take it off."),
    N_("It is a card of this box"),
    N_("Leave it out"),
)
UNTIMELY = Question(
    N_("{use}: it is not yet time for the card that was tapped. Tap it again when it is."),
    N_("It counts now"),
    N_("It does not count"),
)
MISTAKEN = Question(
    N_("{use}: the reader sees another card than was noted. Which one lies there?"),
    N_("The one that the reader sees"),
    N_("The one that was noted"),
)
MISTAKEN_ELSEWHERE = Question(
    N_(
        "{use}: the reader sees a card that was entered at “{other_use}”, where no reader saw it. "
        "Look which card lies there, and put that right in the log."
    ),
    "",
    N_("The one that was noted"),
)
LEFT_OVER = Question(
    N_("{use}: {count} still there, to be taken off."), N_("They stay there"), N_("Leave them out")
)
MOVED = Question(N_("{use}: has a card moved here from “{other_use}”?"), N_("Yes"), N_("No"))
OTHERS_SHOWN = Question(
    N_("{use}: {gone} was laid there, {cards} was shown."),
    N_("What was shown is right"),
    N_("What was laid is right"),
)
MORE_SHOWN = OTHERS_SHOWN._replace(
    text=N_("{use}: {cards} was shown too, more cards than lie there.")
)


MismatchKind = Literal["missing", "unheard", "surplus", "left_over", "moved", "swept"]
"""A card of this place is silent; one was laid there that is not heard; one is there that the game
has nowhere, or has there no more, or has elsewhere; the cards that are swept differ."""


class Mismatch(NamedTuple):
    """A difference at a place, and its tags, which never leave the Pi; `home` is the other place
    concerned. At place 0 the seat at turn knows the place."""

    place: int
    kind: MismatchKind
    tags: tuple[str, ...]
    ask: Question
    home: int = 0


def find_mismatches(
    rules: AnyRulebook, state: GameState | None, picture: Picture
) -> list[Mismatch]:
    """Return every difference that the table has not accepted, by place."""
    if state is None or state.phase == "over":
        return []
    found, sweep = list[Mismatch](), rules.current_sweep(state)
    for place in rules.expected_cards(state):
        if sweep is not None and place == sweep.place:
            found += _moved_to(picture, place) if picture.is_heard(place) else ()
            found += _swept_at(sweep)
        elif picture.is_heard(place) and (sweep is None or place not in sweep.swept_before):
            found += _heard_at(rules, state, picture, place)
    find_forgotten = rules.tracking.find_forgotten
    forgotten = find_forgotten(state, picture) if find_forgotten is not None else None
    if forgotten is not None and picture.taps & rules.tracking.receiving_places(state):
        # What was tapped in time only waits for the card that was forgotten.
        found = [
            gap
            for gap in found
            if gap.ask is not UNTIMELY or any(picture.tag(t).late for t in gap.tags)
        ]
        found.insert(0, Mismatch(forgotten, "unheard", ("forgotten",), FORGOTTEN))
    if state.phase in rules.tracking.lifting_phases:
        found = _without_lifted(found)
    return [open_ for gap in found if (open_ := _not_accepted(picture, gap)).tags]


def _heard_at(
    rules: AnyRulebook, state: GameState, picture: Picture, place: int
) -> Iterator[Mismatch]:
    """Yield the missing and the surplus tags of a place. A place whose cards are tapped beside it
    has neither missing nor leftover tags."""
    is_tap, mistaken = place in picture.taps, tuple[str, ...]()
    if not is_tap:
        mistaken, entered_at = _find_mistaken(rules, state, picture, place)
        ask = MISTAKEN_ELSEWHERE if entered_at else MISTAKEN
        yield Mismatch(place, "surplus", mistaken, ask, entered_at)
        yield from _silent_at(rules, state, picture, place, is_mistaken=bool(mistaken))
    new = [name for name in picture.arrived(place) if name not in mistaken]
    ask = UNTIMELY if is_tap else SURPLUS
    yield Mismatch(place, "surplus", tuple(filter(picture.is_card, new)), ask)
    unknown = [name for name in new if name not in picture.pieces]
    unknown += [f"odd {picture.odd[place]}"] if picture.is_odd(place) else []
    yield Mismatch(place, "surplus", tuple(unknown), UNKNOWN_STICKER)
    gone = (name for name in picture.lying(place) if picture.life(name) == "gone")
    yield Mismatch(place, "left_over", () if is_tap else tuple(gone), LEFT_OVER)
    again = (name for name in picture.at_home(place) if picture.tag(name).again)
    yield Mismatch(place, "moved", tuple(again), TAKEN_AWAY)
    yield from _moved_to(picture, place)


def _silent_at(
    rules: AnyRulebook, state: GameState, picture: Picture, place: int, *, is_mistaken: bool
) -> Iterator[Mismatch]:
    """Yield tags that should answer here and do not.

    Where a card may just have come, that card may be what silences the one on which it was laid.
    """
    homed = picture.cards_at_home(place)
    silent = [name for name in homed if not picture.tag(name).place]
    gone = [name for name in silent if picture.life(name) != "covered"]
    receiving = place in rules.tracking.receiving_places(state)
    under = [name for name in gone if receiving and picture.life(name) == "lifted"]
    missing = [name for name in gone if name not in under]
    if not homed and not is_mistaken and len(rules.expected_cards(state)[place]) == 1:
        missing.append("unread 0")
    yield Mismatch(place, "missing", tuple(missing), TAKEN_AWAY)
    yield Mismatch(place, "unheard", tuple(under), UNHEARD)


def _moved_to(picture: Picture, place: int) -> Iterator[Mismatch]:
    """Yield the cards of other places that lie here, or were tapped here."""
    for name in picture.lying(place):
        if picture.life(name) == "elsewhere" and picture.is_card(name):
            yield Mismatch(place, "moved", (name,), MOVED, picture.tag(name).home)


def _swept_at(sweep: Sweep) -> Iterator[Mismatch]:
    """Yield the differences once all cards were shown. Until then cards are lifted one by one, and
    phones name those that the reader cannot, so nothing is wrong."""
    if sweep.is_through:
        ask = OTHERS_SHOWN if sweep.difference.unshown else MORE_SHOWN
        ask = ask if sweep.is_known else ask._replace(log="")
        yield Mismatch(sweep.place, "swept", ("swept",), ask)


def _without_lifted(mismatches: list[Mismatch]) -> list[Mismatch]:
    """Leave out one missing card: a player may hold it just now."""
    missing = [gap for gap in mismatches if gap.kind == "missing" and gap.tags]
    is_one_held = len(missing) == 1 and len(missing[0].tags) == 1
    return [gap for gap in mismatches if gap not in missing] if is_one_held else mismatches


def _not_accepted(picture: Picture, mismatch: Mismatch) -> Mismatch:
    open_ = (tag for tag in mismatch.tags if (mismatch.place, tag) not in picture.accepted)
    return mismatch._replace(tags=tuple(open_))


# Cards that were noted under another name than the reader hears.


def _find_mistaken(
    rules: AnyRulebook, state: GameState, picture: Picture, place: int
) -> tuple[tuple[str, ...], int]:
    """Return the new tags whose cards were noted here under a wrong name, and 0; or a new tag whose
    card was entered at another place, and that place."""
    new = tuple(filter(picture.is_card, picture.arrived(place)))
    if not new:
        return (), 0
    cards = rules.expected_cards(state)
    is_noted = len(new) == len(cards[place]) - len(picture.cards_at_home(place))
    for name in () if rules.face_down(state) else new:
        if is_noted or _is_refused(rules, state, picture, name):
            for other, lying in cards.items():
                if other != place and _is_any_untagged(picture, other, lying, picture.pieces[name]):
                    return (name,), other
    return (new, 0) if is_noted else ((), 0)


def _is_any_untagged(picture: Picture, place: int, cards: Sequence[str | None], thing: str) -> bool:
    """Return whether a card of this name was noted at a place and no tag stands for it."""
    homed = [picture.pieces[name] for name in picture.cards_at_home(place)]
    return [*cards].count(thing) > homed.count(thing)


def _is_refused(rules: AnyRulebook, state: GameState, picture: Picture, name: str) -> bool:
    """Return whether a card is awaited where it answers, and the rules refuse it all the same."""
    as_new = picture.change([name], late=False)
    implied = rules.tracking.infer_events(state, as_new)
    refused = [rules.refuse(state, fact.event) for fact in implied if fact.tag == name]
    return bool(refused) and None not in refused


# What people are told, and what waits for them.


class TodoAnswer(msgspec.Struct, frozen=True):
    """An answer to a to-do, and its way of settling it."""

    way: SettleWay
    say: Message


class Todo(msgspec.Struct, frozen=True):
    """A mismatch as everyone may see it: a question to the player at the place, and its answers."""

    place: int
    kind: MismatchKind
    say: Message
    answers: tuple[TodoAnswer, ...]


def make_todo(rules: AnyRulebook, state: GameState, mismatch: Mismatch) -> Todo:
    """Return the mismatch in words."""
    place, kind, tags, ask, home = mismatch
    facts: dict[str, object] = {"count": len(tags)}
    name_place, public = rules.tracking.name_place, rules.public_view(state)
    if place:
        facts["use"] = name_place(public, place)
    else:
        facts["use"] = Message("{who}", {"who": [state.players[state.active - 1].name]})
    if home:
        facts["other_use"] = name_place(public, home)
    sweep = rules.current_sweep(state) if kind == "swept" else None
    if sweep is not None:
        facts |= {"gone": [*sweep.difference.unshown], "cards": [*sweep.difference.unbelieved]}
    texts: Iterable[tuple[SettleWay, str]] = (("cards", ask.cards), ("log", ask.log))
    answers = [TodoAnswer(way, Message(text)) for way, text in texts if text]
    if answers and sweep is None:
        answers.append(TodoAnswer("hand", Message(BY_HAND)))
    return Todo(place, kind, Message(ask.text, facts), tuple(answers))


def find_doubt(
    rules: AnyRulebook, state: GameState | None, mismatches: Sequence[Mismatch]
) -> Mismatch | None:
    """Return the first mismatch that the verdict at hand depends on; in a game with sweeps, the
    sweep settles it later."""
    if not mismatches or state is None:
        return None
    stake = rules.places_at_stake(state)
    if state.sweeping:
        sweep = rules.current_sweep(state)
        stake = () if sweep is None else (sweep.place,)
    return next((gap for gap in mismatches if gap.place in stake or gap.home in stake), None)


def check_agreed_cards(
    rules: AnyRulebook, state: GameState | None, mismatches: Sequence[Mismatch], event: Event
) -> Refusal | None:
    """Refuse to open a hand while a card that decides the round is in doubt."""
    gap = find_doubt(rules, state, mismatches) if isinstance(event, Opened | Entered) else None
    if state is None or gap is None:
        return None
    text = "First agree on what lies there. {title}"
    return refusal("in_doubt", "T.todo", text, title=make_todo(rules, state, gap).say)
