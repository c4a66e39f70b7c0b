"""Mismatches between the real table and the rules, and the to-dos that name them.

Laws: a to-do names the place and asks what a person there can answer; it names no tag, and no card
that lies face down, but for the robbed ones that should have been shown. It blocks nothing, except
a verdict that depends on it. A mismatch that the table accepted is not
reported again until its tags are touched. A card that is covered, or was laid unheard on others,
is no mismatch.
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
from companion.tracking.mistaken import NONE_MISTAKEN, find_mistaken
from companion.tracking.picture import Arrivals, Forgotten, Picture, PiecesByTag, is_card

MismatchKind = Literal[
    "missing", "unheard", "surplus", "mistaken", "left_over", "elsewhere", "unknown",
    "untimely", "wrong_bank", "double", "forgotten", "unfinished", "differs",
]  # fmt: skip


class Mismatch(NamedTuple):
    """A difference at a place, and the tags concerned; these never leave the Pi."""

    place: int
    kind: MismatchKind
    tags: tuple[str, ...]
    home: int = 0
    who: str = ""
    sweep: Sweep | None = None


class Doubts(NamedTuple):
    """What is doubtful about the table: the mismatches, whether a tap was missed, and the places
    whose reader does not count; None of these while no game is under way."""

    mismatches: tuple[Mismatch, ...] = ()
    is_tap_missed: bool = False
    unheard: frozenset[int] | None = None

    def differ_from(self, told: "Doubts") -> bool:
        """Return whether watchers have something to learn since these were told."""
        if told.unheard is None:
            return self[:2] != told[:2]
        return self != told


class TodoAnswer(msgspec.Struct, frozen=True):
    """An answer to a to-do, and the way to settle it that this answer is."""

    way: SettleWay
    say: Message


class Todo(msgspec.Struct, frozen=True):
    """A gap as everyone may see it: a question to whoever sits at the place, and its answers."""

    place: int
    kind: MismatchKind
    say: Message
    answers: tuple[TodoAnswer, ...]

    @property
    def ways(self) -> tuple[SettleWay, ...]:
        """The ways to settle it."""
        return tuple(answer.way for answer in self.answers)


BY_HAND = N_("Go on without this reader")
TODO_ANSWERS: dict[MismatchKind, tuple[str, str]] = {
    "missing": (N_("Yes, taken away"), N_("No, all is there")),
    "unheard": (N_("No, one was taken away"), N_("No, all is there")),
    "surplus": (N_("Yes, it lies there"), N_("No, leave it out")),
    "mistaken": (N_("The one that the reader sees"), N_("The one that was noted")),
    "left_over": (N_("They stay there"), N_("Leave them out")),
    "elsewhere": (N_("Yes, moved here"), N_("No, it goes back")),
    "unknown": (N_("It is a card of this box"), N_("Leave it out")),
    "untimely": (N_("It counts now"), N_("It does not count")),
    "wrong_bank": (N_("Yes, moved here"), N_("No, tapped by mistake")),
    "double": (N_("Yes, taken back"), N_("No, it lies there")),
    "unfinished": (N_("These are all"), ""),
    "differs": (N_("What was shown is right"), N_("What was laid is right")),
}
"""By kind: what says that the cards are right, and what says that the log is; "" for no such
answer. A card that was forgotten is only tapped."""
TODO_TEXTS: dict[MismatchKind, str] = {
    "missing": N_("{use}: {count} cannot be seen. Taken away?"),
    "unheard": N_(
        "{use}: was a card laid there? The reader cannot see it. Enter it on a phone, or put "
        "back what you lifted."
    ),
    "surplus": N_("{use}: {count} too many. Laid there on purpose?"),
    "mistaken": N_("{use}: the reader sees another card than was noted. Which one lies there?"),
    "left_over": N_("{use} still holds {count}: take them off."),
    "elsewhere": N_("{use}: here lies {count} of {other_use}. Has it moved here?"),
    "untimely": N_(
        "{use}: it is not yet time for the card that was tapped. Tap it again when it is."
    ),
    "wrong_bank": N_("{use}: a card from {other_use} was tapped. Has it moved here?"),
    "double": N_("{use}: a card that is already there was tapped again. Was it taken back?"),
    "forgotten": N_("{use}: hold the new card to the reader once more, or enter it on a phone."),
    "unknown": N_("{use}: an unknown sticker lies there. Take it off."),
    "unfinished": N_("{use}: {n} of {total} cards were shown. Show the others, if there are any."),
    "differs": N_("{use}: {gone} was laid there, {cards} was shown."),
}
MISTAKEN_ELSEWHERE = N_(
    "{use}: the reader sees a card that was entered at {other_use}, where no reader saw it. "
    "Look which card lies there, and put that right in the log."
)
NOT_BELIEVED = N_("{use}: {cards} was shown too, more cards than lie there.")


def find_mismatches(
    rules: AnyRulebook, state: GameState | None, picture: Picture, pieces: PiecesByTag
) -> list[Mismatch]:
    """Return every difference that the table has not accepted, by place."""
    if state is None or state.phase == "over":
        return []
    found = list[Mismatch]()
    game = rules.tracking
    receiving, sweep = game.receiving_places(state), rules.current_sweep(state)
    for place, expected in rules.expected_cards(state).items():
        if sweep is not None and place == sweep.place:
            found += _swept_at(picture, sweep, pieces)
        elif sweep is not None and place in sweep.swept_before:
            continue
        elif picture.is_heard(place) and place in picture.taps:
            found += _tapped_at(picture, place, pieces)
        elif picture.is_heard(place):
            new = picture.new_tags(place)
            mistaken = find_mistaken(rules, state, picture, place, pieces) if new else NONE_MISTAKEN
            found.append(Mismatch(place, "mistaken", mistaken.tags, mistaken.entered_at))
            unread = len(expected) if not mistaken.tags else 0
            found += _silent_at(picture, place, unread, pieces, place in receiving)
            found += _wrong_at(picture, place, pieces, mistaken.tags)
    forgotten = game.find_forgotten(state, Arrivals(picture, pieces))
    if forgotten is not None and picture.taps & receiving:
        found = [_forgotten_card(state, forgotten), *_without_early(found, picture)]
    if state.phase in game.lifting_phases:
        found = _without_lifted(found)
    return [open_ for gap in found if (open_ := _not_accepted(gap, picture)).tags]


def _silent_at(
    picture: Picture, place: int, expected: int, pieces: PiecesByTag, receiving: bool
) -> Iterator[Mismatch]:
    """Yield what should answer here and does not.

    Where a card may just have come, that card may be what silences the one on which it was laid.
    """
    homed = [tag for tag in picture.home_tags(place) if is_card(pieces.get(tag))]
    gone = [t for t in homed if not picture.place_of(t) and not picture.is_covered(t)]
    under = tuple(tag for tag in gone if receiving and tag not in picture.away)
    alone = ("unread 0",) if expected == 1 and not homed else ()
    yield Mismatch(place, "missing", (*(tag for tag in gone if tag not in under), *alone))
    yield Mismatch(place, "unheard", under)


def _wrong_at(
    picture: Picture, place: int, pieces: PiecesByTag, mistaken: Sequence[str] = ()
) -> Iterator[Mismatch]:
    """Yield what answers here and should not, but for the cards whose name was mistaken."""
    here = picture.lying.get(place, ())
    new = [tag for tag in picture.new_tags(place) if tag not in mistaken]
    yield Mismatch(place, "surplus", tuple(tag for tag in new if is_card(pieces.get(tag))))
    unknown = [tag for tag in here if pieces.get(tag) is None and tag in new]
    odd = picture.odd.get(place, "nothing")
    yield Mismatch(place, "unknown", (*unknown, *([f"odd {odd}"] if odd != "nothing" else [])))
    spent = (tag for tag in here if picture.spent.get(tag) == place)
    yield Mismatch(place, "left_over", tuple(spent))
    for tag in here:
        home = picture.home.get(tag, place)
        if home != place and is_card(pieces.get(tag)):
            yield Mismatch(place, "elsewhere", (tag,), home)


def _swept_at(picture: Picture, sweep: Sweep, pieces: PiecesByTag) -> Iterator[Mismatch]:
    """Yield the cards of other places here, and how the sweep stands; all else may lie as it does.

    Its cards are lifted and shown one by one, and what the reader cannot name a phone does.
    """
    if picture.is_heard(sweep.place):
        wrong = _tapped_at if sweep.place in picture.taps else _wrong_at
        yield from (gap for gap in wrong(picture, sweep.place, pieces) if gap.home)
    if sweep.is_through:
        yield Mismatch(sweep.place, "differs", ("swept",), sweep=sweep)
    elif sweep.shown:
        yield Mismatch(sweep.place, "unfinished", ("swept",), sweep=sweep)


def _tapped_at(picture: Picture, place: int, pieces: PiecesByTag) -> Iterator[Mismatch]:
    """Yield what was tapped here and should not have been."""
    new, here = picture.new_tags(place), picture.lying.get(place, ())
    yield Mismatch(place, "untimely", tuple(tag for tag in new if is_card(pieces.get(tag))))
    yield Mismatch(place, "unknown", tuple(tag for tag in new if pieces.get(tag) is None))
    double = (tag for tag in picture.home_tags(place) if tag in picture.double)
    yield Mismatch(place, "double", tuple(double))
    for tag in here:
        home = picture.home.get(tag, place)
        if home != place and is_card(pieces.get(tag)):
            yield Mismatch(place, "wrong_bank", (tag,), home)


def _forgotten_card(state: GameState, forgotten: Forgotten) -> Mismatch:
    """Return the to-do for a card that was laid and not tapped."""
    who = state.players[forgotten.seat - 1].name if forgotten.seat else ""
    return Mismatch(forgotten.place, "forgotten", ("forgotten",), who=who)


def _without_early(mismatches: list[Mismatch], picture: Picture) -> list[Mismatch]:
    """Leave out cards tapped in time, which only wait for the one that was forgotten."""
    return [
        gap
        for gap in mismatches
        if gap.kind != "untimely" or any(tag in picture.late for tag in gap.tags)
    ]


def _without_lifted(mismatches: list[Mismatch]) -> list[Mismatch]:
    """Leave out one missing card: a player may hold it just now."""
    missing = [gap for gap in mismatches if gap.kind == "missing" and gap.tags]
    lifted = len(missing) == 1 and len(missing[0].tags) == 1
    return [gap for gap in mismatches if gap not in missing] if lifted else mismatches


def _not_accepted(mismatch: Mismatch, picture: Picture) -> Mismatch:
    accepted = picture.accepted.get(mismatch.place, frozenset())
    return mismatch._replace(tags=tuple(tag for tag in mismatch.tags if tag not in accepted))


def make_todo(rules: AnyRulebook, mismatch: Mismatch) -> Todo:
    """Return the mismatch in words."""
    noun = rules.tracking.place_name
    who = Message("{who}", {"who": [mismatch.who]})
    facts: dict[str, object] = {
        "use": who if mismatch.who else Message(noun, {"n": mismatch.place}),
        "count": len(mismatch.tags),
    }
    if mismatch.home:
        facts["other_use"] = Message(noun, {"n": mismatch.home})
    if mismatch.sweep is not None:
        return _sweep_todo(mismatch, mismatch.sweep, facts)
    if mismatch.home and mismatch.kind == "mistaken":
        say = Message(MISTAKEN_ELSEWHERE, facts)
        return _ask(mismatch, say, ("log", "hand"))
    ways: tuple[SettleWay, ...] = () if mismatch.kind == "forgotten" else ("cards", "log", "hand")
    return _ask(mismatch, Message(TODO_TEXTS[mismatch.kind], facts), ways)


def _ask(mismatch: Mismatch, say: Message, ways: Iterable[SettleWay]) -> Todo:
    """Return a to-do with its answers."""
    cards, log = TODO_ANSWERS.get(mismatch.kind, ("", ""))
    texts: dict[SettleWay, str] = {"cards": cards, "log": log, "hand": BY_HAND}
    answers = tuple(TodoAnswer(way, Message(texts[way])) for way in ways)
    return Todo(mismatch.place, mismatch.kind, say, answers)


def _sweep_todo(mismatch: Mismatch, sweep: Sweep, facts: dict[str, object]) -> Todo:
    """Return how far a sweep has come, or which cards it found besides those noted."""
    unshown, unbelieved = sweep.difference
    sayable: dict[str, object] = {"n": len(sweep.shown), "total": len(sweep.believed)}
    text = TODO_TEXTS[mismatch.kind]
    if sweep.is_through:
        sayable = {"gone": list(unshown), "cards": list(unbelieved)}
        text = text if unshown else NOT_BELIEVED
    ways: tuple[SettleWay, ...] = ("cards",)
    if sweep.is_through and sweep.is_known:
        ways = ("cards", "log")
    return _ask(mismatch, Message(text, {**facts, **sayable}), ways)


def find_doubt(
    rules: AnyRulebook, state: GameState | None, mismatches: Sequence[Mismatch]
) -> Mismatch | None:
    """Return the first mismatch on which the verdict at hand depends."""
    if not mismatches:
        return None
    stake = rules.corrections.places_at_stake(state)
    return next((gap for gap in mismatches if gap.place in stake or gap.home in stake), None)


def check_agreed_cards(
    rules: AnyRulebook, state: GameState | None, mismatches: Sequence[Mismatch], event: Event
) -> Refusal | None:
    """Refuse to open a hand while a card that decides the round is in doubt."""
    if not isinstance(event, Opened | Entered):
        return None
    gap = find_doubt(rules, state, mismatches)
    if gap is None:
        return None
    text = "First agree on what lies there. {title}"
    return refusal("in_doubt", "T.todo", text, title=make_todo(rules, gap).say)
