"""Putting right: the moments that may be struck out or corrected, by whom, and the choices offered.

Laws: a moment that changed nothing of the game cannot be undone, nor can a closed hand after one
was open: what was seen stays seen. A seat takes back its own last moment until something was shown;
all else is the host's. A correction is of the same kind as what it corrects, and is granted only
where the rules grant it at the state before the moment. A hand that was opened is corrected to a
value that the table enters, once everyone has seen all hands of its round.

What is offered, the door grants: what the game offered at that moment, another name of a card
of the box, another answer to a house rule, or the content of a hand. It is worked out from what
everyone has seen, so that it is the same for every viewer. A card is named only if everyone has
seen its face, and what a hand held only once all hands of its round are open.
"""

from collections.abc import Iterator, Sequence
from itertools import product

import msgspec

from companion.core.commitment import NumberChoice, OneChoice, SomeChoice, drop_nothing
from companion.core.errors import JsonObject, Refusal, refusal
from companion.core.events import Entered, Event, Sealed, Started, Value
from companion.core.i18n import N_
from companion.core.sweep import Revealing
from companion.core.table_events import AMENDMENTS, Corrected, Found, Undone
from companion.table.history import (
    HANDS,
    History,
    Moment,
    ReplayedMoment,
    corrected_event,
    refuse_here,
    replay_moments,
)
from companion.table.view import SEALED_EVENTS, is_correctable, reason_against, was_hand_seen

REASONS = {
    "struck": N_("Moment {target} is struck out."),
    "not_undone": N_("Moment {target} cannot be undone."),
    "seen": N_("The choices of this round have been revealed: have everyone seal again instead."),
}
"""The reasons a moment cannot be struck out, by the code of the refusal."""


def check_target(history: History, event: Undone | Corrected) -> Refusal | None:
    """Refuse if there is no such moment, or if it cannot be struck out."""
    moment = history.moment_at(event.target)
    if moment is None:
        text = "There is no moment {n} in this game; the last one is {most}."
        return refusal("no_such_moment", "T.undo", text, n=event.target, most=history.at)
    reason = reason_against(history, moment, isinstance(event, Undone))
    return refusal(reason, "T.undo", REASONS[reason], target=moment.at) if reason else None


def is_own_last(history: History, at: int, seat: int) -> bool:
    """Return whether a seat may take back a moment alone: it is its own, nothing but closed hands
    has come after it, and no one was shown anything by it."""
    moment = history.moment_at(at)
    if moment is None or moment.event.shows or at <= history.decided_at:
        return False
    later = (one for one in history.moments if one.at > at and history.stands(one))
    is_last = all(isinstance(one.event, (Sealed, *AMENDMENTS)) for one in later)
    return is_last and _is_of_seat(moment, seat)


def _is_of_seat(moment: Moment, seat: int) -> bool:
    """Return whether a moment is a seat's own; a reader's report is everyone's."""
    owner = getattr(moment.event, "seat", 0)
    if owner and not isinstance(moment.event, AMENDMENTS):
        return bool(owner == seat)
    device, _, number = moment.via.partition(" ")
    return device == "reader" or number == str(seat)


def check_correction(history: History, event: Corrected) -> Refusal | None:
    """Refuse an event that is no correction of its moment, or could not have happened there."""
    refused = check_target(history, event)
    if refused is not None:
        return refused
    moment, instead = history.moment_at(event.target), corrected_event(history, event)
    assert moment is not None
    if instead is None:
        return _refuse_unlike()
    was = moment.event
    if isinstance(was, HANDS) and isinstance(instead, Entered) and was.seat == instead.seat:
        text = "A revealed choice can be corrected once everyone has revealed theirs."
        is_seen = was_hand_seen(history, moment.at)
        refused = None if is_seen else refusal("unseen", "T.correct", text)
    elif type(instead) is not type(was):
        refused = _refuse_unlike()
    elif isinstance(instead, (Entered, *SEALED_EVENTS)):
        text = "A sealed choice cannot be corrected: have everyone seal again instead."
        refused = refusal("sealed", "T.correct", text)
    elif _changes_players(was, instead):
        text = "A correction of the start leaves the game’s id and its players as they are."
        refused = refusal("start", "T.correct", text)
    if refused is not None:
        return refused
    before = None
    for page in replay_moments(history, moment.at):
        before = page.after
    return refuse_here(history.rules, before, instead)


def _refuse_unlike() -> Refusal:
    text = "A correction says what happened instead, with all its fields, and of the same kind."
    return refusal("not_alike", "T.correct", text)


def _changes_players(was: Event, instead: Event) -> bool:
    return any(getattr(was, f, None) != getattr(instead, f, None) for f in ("id", "players"))


# What is offered.

NEAR = 3
"""A number entered anew is offered as a button up to this far from the noted one."""


class Alternative(msgspec.Struct, frozen=True):
    """Another event for a moment: its fields, and those that name it."""

    instead: JsonObject
    label: JsonObject


class HandForm(msgspec.Struct, frozen=True):
    """A hand whose content can be entered: a number for each name, or for "" alone; none of a hand
    that holds one thing, which is `named`."""

    seat: int
    was: dict[str, int]


class PuttingRight(msgspec.Struct, frozen=True):
    """Replacements for a moment: some ways to choose from, or a form; and the card or bank
    that it named, if everyone has seen it. `at` is the moment: a card that is shown is put right
    where it was named first."""

    at: int
    options: tuple[Alternative, ...] = ()
    hand: HandForm | None = None
    named: str | int | None = None


def put_right(history: History, at: int) -> PuttingRight:
    """Return the possible values of `Corrected` for this moment."""
    pages = list(replay_moments(history))
    n = next((n for n, page in enumerate(pages) if page.moment.at == at), None)
    if n is None or check_target(history, Corrected(at, {})) is not None:
        return PuttingRight(at)
    if isinstance(pages[n].event, HANDS):
        return _put_hand_right(history, pages[n])
    if not (is_correctable(pages[n].event) or isinstance(pages[n].event, Started)):
        return PuttingRight(at)
    n = _find_naming(history, pages, n)
    page, at = pages[n], pages[n].moment.at
    named = getattr(page.event, "card", None)
    is_seen = named is not None and was_card_seen(history, pages, n)
    offered = list[Alternative]()
    for one in _possible_ways(history, pages, n, is_seen):
        event = corrected_event(history, Corrected(at, one.instead))
        granted = event is not None and refuse_here(history.rules, page.before, event) is None
        if granted and one not in offered:
            offered.append(one)
    return PuttingRight(at, tuple(offered), named=named if is_seen else None)


def _find_naming(history: History, pages: Sequence[ReplayedMoment], n: int) -> int:
    """Return the earlier moment that named the card revealed here, or else this moment."""
    before, card = pages[n].before, str(getattr(pages[n].event, "card", None))
    sweep = history.rules.current_sweep(before) if before is not None else None
    if sweep is None or not isinstance(pages[n].event, Revealing) or card not in sweep.believed:
        return n
    spot = sweep.place, sweep.believed.index(card) + 1
    earlier = range(n - 1, -1, -1)
    return next((m for m in earlier if pages[m].stands and spot in pages[m].spots), n)


def was_card_seen(
    history: History, pages: Sequence[ReplayedMoment], n: int, which: int = 0
) -> bool:
    """Return whether everyone has seen the face of the card that a moment names, or of that many of
    its cards: it lay face up, or left its place with a verdict."""
    if isinstance(pages[n].event, Revealing):
        return True
    rules, (place, slot) = history.rules, pages[n].spots[which]
    for page in pages[n:]:
        if page is not pages[n] and isinstance(page.event, Found) and page.event.place == place:
            return False
        if page.after is not None and (place, slot) not in rules.face_down(page.after):
            return True
    return False


def _possible_ways(
    history: History, pages: Sequence[ReplayedMoment], n: int, is_seen: bool
) -> Iterator[Alternative]:
    """Yield the ways to fill the event that the game offered at that moment, and every other name
    of a card in it that everyone has seen."""
    page, same = pages[n], msgspec.to_builtins(pages[n].event)
    if isinstance(page.event, Started):
        yield from _other_house_rules(history, page.event)
    elif isinstance(page.event, Found):
        yield from _other_finds(history, pages, n)
    else:
        whose = {field: same[field] for field in ("event", "seat") if field in same}
        where = {field: same[field] for field in same.keys() - whose.keys()}
        ways = _offered_ways(history, page)
        if is_seen and isinstance(where.get("card"), str):
            ways += [{**where, "card": name} for name in history.rules.box.tagged_pieces()]
        for way in ways:
            differs = {field: value for field, value in way.items() if same.get(field) != value}
            if differs:
                yield Alternative(whose | way, differs if [*differs] == ["card"] else way)


def _other_house_rules(history: History, begun: Started) -> Iterator[Alternative]:
    """Yield the beginning with another answer to one house rule."""
    same, box = msgspec.to_builtins(begun), history.rules.box
    agreed = box.default_house_rules() | begun.house_rules
    for name, answers in box.house_rules.items():
        for answer in answers:
            if answer != agreed[name]:
                label = {"house_rule": {"name": name, "value": answer}}
                yield Alternative({**same, "house_rules": {**agreed, name: answer}}, label)


def _other_finds(
    history: History, pages: Sequence[ReplayedMoment], n: int
) -> Iterator[Alternative]:
    """Yield the found cards with one exchanged for each other one of the box."""
    same = msgspec.to_builtins(pages[n].event)
    for which, was in enumerate(same["cards"]):
        if was is None or not was_card_seen(history, pages, n, which):
            continue
        for name in history.rules.box.tagged_pieces():
            if name != was:
                cards = [*same["cards"][:which], name, *same["cards"][which + 1 :]]
                yield Alternative({**same, "cards": cards, "reason": ""}, {"card": name})


def _offered_ways(history: History, page: ReplayedMoment) -> list[JsonObject]:
    """Return the choices of the row at that moment, with their open fields filled in all ways."""
    if page.before is None:
        return []
    seat = getattr(page.event, "seat", page.before.active)
    row = history.rules.find_row(page.before, type(page.event))
    choices = row.offered_choices(page.before, seat) if row else ()
    return [
        dict(zip(choice, way, strict=True))
        for choice in choices
        for way in product(*(v if isinstance(v, tuple) else (v,) for v in choice.values()))
    ]


def _put_hand_right(history: History, page: ReplayedMoment) -> PuttingRight:
    """Return the form that corrects a hand: a button for each bank, if every hand could have held
    the same ones, or the form of a number."""
    at, before, event = page.moment.at, page.before, page.event
    if before is None or not isinstance(event, HANDS) or not was_hand_seen(history, at):
        return PuttingRight(at)
    seat, value = event.seat, event.value
    choices = [history.rules.hand_choice(before, n + 1) for n in range(len(before.players))]
    match choices[seat - 1]:
        case OneChoice(options=options) if all(one == choices[0] for one in choices):
            ways = [_entered(seat, one, {"bank": one}) for one in options if one != value]
            return PuttingRight(at, tuple(ways), HandForm(seat, {}), str(value))
        case NumberChoice(least=least):
            held = value if isinstance(value, int) else 0
            near = range(max(held - NEAR, least), held + NEAR + 1)
            ways = [_entered(seat, n, {"name": "", "number": n}) for n in near if n != held]
            return PuttingRight(at, tuple(ways), HandForm(seat, {"": held}))
        case SomeChoice(most=most):
            had = value if isinstance(value, dict) else {}
            was = {name: had.get(name, 0) for name in most}
            ways = [
                _entered(seat, drop_nothing(was | {name: n}), {"name": name, "number": n})
                for name, held in was.items()
                for n in (held - 1, held + 1)
                if n >= 0
            ]
            return PuttingRight(at, tuple(ways), HandForm(seat, was))
    return PuttingRight(at)


def _entered(seat: int, value: Value, label: JsonObject) -> Alternative:
    return Alternative(msgspec.to_builtins(Entered(seat, value)), label)
