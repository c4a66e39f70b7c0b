"""Alternatives: what could have happened at a moment instead, as the table can tell.

Laws: what is offered, the door grants; it is worked out from what everyone has seen, so that it is
the same for every viewer. A card is named only if everyone has seen its face, and what a hand held
only once all hands of its round are open.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Literal

import msgspec

from companion.core.events import Entered, Event, Started, Value
from companion.core.hand_choice import NumberChoice, OneChoice, SomeChoice
from companion.core.json_values import JsonObject
from companion.core.sweep import Revealing
from companion.core.table_events import Corrected, Found
from companion.games.game_state import GameState
from companion.table.history import (
    History,
    ReplayedMoment,
    corrected_event,
    refuse_here,
    replay_moments,
)
from companion.table.undo import HANDS, OWNER_FIELDS, check_target, is_correctable, was_hand_seen


class Alternative(msgspec.Struct, frozen=True):
    """What happened instead, as fields of the event, and the fields by which it is called."""

    instead: JsonObject
    label: JsonObject


NEAR = 3
"""A number that is entered anew is offered as a button up to so far from what was noted."""


class NearValue(msgspec.Struct, frozen=True):
    """A value that a hand may have held instead: with another number of one name."""

    name: str
    n: int
    value: Value


class HandForm(msgspec.Struct, frozen=True):
    """A hand whose content is entered anew: a number, or a number for each name; and the nearest
    other values, each for one button, whether or not the seat owned as much: that is not told."""

    seat: int
    kind: Literal["number", "some"]
    was: dict[str, int]
    near: tuple[NearValue, ...] = ()


class PuttingRight(msgspec.Struct, frozen=True):
    """What a moment can say instead: one of some ways, or what is filled into a form; and the card
    that it named, if everyone has seen it. `at` is the moment: a card that is shown is put right
    where it was named first."""

    at: int
    options: tuple[Alternative, ...] = ()
    hand: HandForm | None = None
    named: str | int | None = None


def put_right(history: History, at: int) -> PuttingRight:
    """Return what `Corrected` may say of this moment."""
    pages = list(replay_moments(history))
    n = next((n for n, page in enumerate(pages) if page.moment.at == at), None)
    if n is None or check_target(history, Corrected(at, {})) is not None:
        return PuttingRight(at)
    if not (is_correctable(pages[n].event) or isinstance(pages[n].event, Started)):
        return PuttingRight(at)
    if isinstance(pages[n].event, HANDS):
        return _put_hand_right(history, pages[n])
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
    """Return the moment that named the card first which a moment shows, or this moment."""
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


# What could have been seen.


def _possible_ways(
    history: History, pages: Sequence[ReplayedMoment], n: int, is_seen: bool
) -> Iterator[Alternative]:
    """Yield every way to fill the event, but for the one that was noted."""
    event, before = pages[n].event, pages[n].before
    same = msgspec.to_builtins(event)
    if isinstance(event, Started):
        yield from _other_house_rules(history, event)
    elif isinstance(event, Found):
        yield from _other_finds(history, pages, n)
    else:
        whose = {field: same[field] for field in ("event", *OWNER_FIELDS) if field in same}
        for one in _fill_choices(history, before, event, is_seen):
            differs = {field: value for field, value in one.items() if same.get(field) != value}
            if differs:
                yield Alternative(whose | one, differs if [*differs] == ["card"] else one)


def _fill_choices(
    history: History, before: GameState | None, event: Event, is_seen: bool
) -> Iterator[JsonObject]:
    """Yield what the game offered at that moment, with its open fields filled in all ways; and the
    event with every other card, if everyone has seen it."""
    row = None if before is None else history.rules.find_row(before, type(event))
    if before is not None and row is not None:
        for choice in row.choices(before, getattr(event, "seat", before.active)):
            values = [value if isinstance(value, tuple) else (value,) for value in choice.values()]
            yield from (dict(zip(choice, way, strict=True)) for way in product(*values))
    if is_seen and isinstance(getattr(event, "card", None), str):
        said = msgspec.to_builtins(event)
        where = {name: said[name] for name in said.keys() - {"event", *OWNER_FIELDS}}
        yield from ({**where, "card": name} for name in history.rules.box.tagged_pieces())


def _other_finds(
    history: History, pages: Sequence[ReplayedMoment], n: int
) -> Iterator[Alternative]:
    """Yield what was found, with one card exchanged for each other one of the box."""
    same = msgspec.to_builtins(pages[n].event)
    for which, was in enumerate(same["cards"]):
        if was is None or not was_card_seen(history, pages, n, which):
            continue
        for name in history.rules.box.tagged_pieces():
            if name != was:
                cards = [*same["cards"][:which], name, *same["cards"][which + 1 :]]
                yield Alternative({**same, "cards": cards, "reason": ""}, {"card": name})


def _other_house_rules(history: History, begun: Started) -> Iterator[Alternative]:
    """Yield the beginning with another answer to one house rule."""
    same, box = msgspec.to_builtins(begun), history.rules.box
    agreed = box.default_house_rules() | begun.house_rules
    for name, answers in box.house_rules.items():
        for answer in answers:
            if answer != agreed[name]:
                label = {"house_rule": {"name": name, "value": answer}}
                yield Alternative({**same, "house_rules": {**agreed, name: answer}}, label)


# Hands.


def _put_hand_right(history: History, page: ReplayedMoment) -> PuttingRight:
    """Return what a hand may have held instead: a button for each bank, if every hand could have
    held the same ones, or the form of a number."""
    at, before, event = page.moment.at, page.before, page.event
    if before is None or not was_hand_seen(history, at):
        return PuttingRight(at)
    seat, value = event.seat, event.value  # type: ignore[attr-defined]
    choices = [history.rules.hand_choice(before, n + 1) for n in range(len(before.players))]
    match choices[seat - 1]:
        case OneChoice(options=options) if all(one == choices[0] for one in choices):
            return PuttingRight(at, tuple(_entered(seat, one) for one in options if one != value))
        case NumberChoice(least=least):
            held = value if isinstance(value, int) else 0
            others = range(max(held - NEAR, least), held + NEAR + 1)
            near = tuple(NearValue("", n, n) for n in others if n != held)
            return PuttingRight(at, hand=HandForm(seat, "number", {"": held}, near))
        case SomeChoice(most=most):
            had = value if isinstance(value, dict) else {}
            was = {name: had.get(name, 0) for name in most}
            return PuttingRight(at, hand=HandForm(seat, "some", was, tuple(_near_some(was))))
    return PuttingRight(at)


def _entered(seat: int, value: Value) -> Alternative:
    return Alternative(msgspec.to_builtins(Entered(seat, value)), {"bank": value})


def _near_some(was: dict[str, int]) -> Iterator[NearValue]:
    """Yield what was held with one piece more or fewer of one name."""
    for name, held in was.items():
        for n in (held - 1, held + 1):
            if n >= 0:
                value = {each: count for each, count in (was | {name: n}).items() if count}
                yield NearValue(name, n, value)
