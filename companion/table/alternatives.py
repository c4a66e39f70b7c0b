"""Alternatives: what could have happened at a moment instead, as the table can tell.

Laws: what is offered, the door grants; it is worked out from what everyone has seen, so that it is
the same for every viewer. A card is named only if everyone has seen its face, and what a hand held
only once all hands of its round are open. A card that is named otherwise is named so wherever the
log speaks of it.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Literal

import msgspec

from companion.core.events import Entered, Event, Started, Value
from companion.core.hand_choice import HandChoice, NumberChoice, OneChoice, SomeChoice
from companion.core.json_values import JsonObject
from companion.core.table_events import AlsoCorrected, Corrected, Found
from companion.games.rulebook import Choice, Choices
from companion.table import permissions
from companion.table.card_namings import find_same_card, was_card_seen
from companion.table.history import (
    History,
    ReplayedMoment,
    corrected_event,
    refuse_here,
    replay_moments,
)
from companion.table.permissions import HOST_AUTHOR
from companion.table.undo import HANDS, OWNER_FIELDS, check_target, is_correctable, was_hand_seen


class Alternative(msgspec.Struct, frozen=True):
    """What happened instead, as fields of the event; the fields by which it is called; and what
    other moments say then of the same card."""

    instead: JsonObject
    label: JsonObject
    also: tuple[AlsoCorrected, ...] = ()


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
    that it named, if everyone has seen it."""

    options: tuple[Alternative, ...] = ()
    hand: HandForm | None = None
    named: str | int | None = None


def put_right(history: History, at: int) -> PuttingRight:
    """Return what `Corrected` may say of this moment."""
    found = _find_page(history, at)
    if found is None:
        return PuttingRight()
    if not isinstance(found[1].event, HANDS):
        pages, page, _ = found
        named = getattr(page.event, "card", None)
        is_seen = named is not None and was_card_seen(pages, page)
        return PuttingRight(tuple(_granted_ways(history, *found)), named=named if is_seen else None)
    if not was_hand_seen(history, at):
        return PuttingRight()
    _, page, before = found
    return PuttingRight(tuple(_other_options(page, before)), _hand_form(page, before))


def _granted_ways(
    history: History, pages: list[ReplayedMoment], page: ReplayedMoment, before: History
) -> list[Alternative]:
    """Return every way that the door grants, with what it says of other moments."""
    offered = list[Alternative]()
    for one in _possible_ways(history, pages, page, before):
        also = _follow_card(history, pages, page, one.instead)
        way = msgspec.structs.replace(one, also=also or ())
        known = also is not None and way not in offered
        if known and _is_granted(history, page, before, way):
            offered.append(way)
    return offered


Placed = tuple[list[ReplayedMoment], ReplayedMoment, History]


def _find_page(history: History, at: int) -> Placed | None:
    """Return all moments that count, this one, and the game before it; None if it cannot have
    been otherwise."""
    moment = history.moment_at(at)
    if moment is None or not (is_correctable(moment.event) or isinstance(moment.event, Started)):
        return None
    pages = list(replay_moments(history))
    for n, page in enumerate(pages):
        if page.moment.at == at:
            before = pages[n - 1].after if n else History(history.rules)
            return pages, page, before
    return None


# What could have been seen.


def _possible_ways(
    history: History, pages: Sequence[ReplayedMoment], page: ReplayedMoment, before: History
) -> Iterator[Alternative]:
    """Yield every way to fill the event, but for the one that was noted."""
    if isinstance(page.event, Started):
        yield from _other_house_rules(history, page.event)
        return
    same = msgspec.to_builtins(page.event)
    if isinstance(page.event, Found):
        yield from _other_finds(history, pages, page, same)
        return
    whose = {field: same[field] for field in ("event", *OWNER_FIELDS) if field in same}
    left = _names_left(history, page.event)
    for choice in _list_choices(history, pages, page, before):
        for one in _fill_choice(choice):
            named = one.get("card", same.get("card"))
            if left is not None and named not in (*left, same.get("card")):
                continue
            differs = {field: value for field, value in one.items() if same.get(field) != value}
            if differs:
                yield Alternative(whose | one, differs if [*differs] == ["card"] else one)


def _list_choices(
    history: History, pages: Sequence[ReplayedMoment], page: ReplayedMoment, before: History
) -> Choices:
    rules, state, event = history.rules, before.state, page.event
    if state is None:
        return ()
    row = rules.find_row(state, type(event))
    seat = getattr(event, "seat", state.active)
    offered = row.choices(state, seat) if row is not None else ()
    is_seen = getattr(event, "card", None) is not None and was_card_seen(pages, page)
    return (*offered, *(rules.seen_instead(state, event) if is_seen else ()))


def _names_left(history: History, event: Event) -> tuple[object, ...] | None:
    """Return the names of which the box holds one more than everyone has seen by now, None if the
    game does not say; a card that was seen as often as there are of it is not this one as well."""
    now = () if history.state is None else history.rules.seen_instead(history.state, event)
    return tuple(name for choice in now for name in choice.get("card", ())) if now else None


def _fill_choice(choice: Choice) -> Iterator[JsonObject]:
    """Yield the choice with its open fields filled in all ways."""
    values = [value if isinstance(value, tuple) else (value,) for value in choice.values()]
    for way in product(*values):
        yield dict(zip(choice, way, strict=True))


def _other_finds(
    history: History, pages: Sequence[ReplayedMoment], page: ReplayedMoment, same: JsonObject
) -> Iterator[Alternative]:
    """Yield what was found, with one card exchanged for each other one of the box."""
    cards = list(same["cards"])
    for n, was in enumerate(cards):
        if was is None or not was_card_seen(pages, page, n):
            continue
        for name in history.rules.box.tagged_pieces():
            if name != was:
                others = [*cards[:n], name, *cards[n + 1 :]]
                yield Alternative({**same, "cards": others, "reason": ""}, {"card": name})


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


def _hand_choice(before: History, seat: int) -> HandChoice | None:
    return None if before.state is None else before.rules.hand_choice(before.state, seat)


def _other_options(page: ReplayedMoment, before: History) -> list[Alternative]:
    """Return what else a hand could have held, if every hand could have held the same."""
    assert before.state is not None
    seats = range(1, len(before.state.players) + 1)
    choices = [_hand_choice(before, seat) for seat in seats]
    first, was = choices[0], page.event.value  # type: ignore[attr-defined]
    if not isinstance(first, OneChoice) or any(choice != first for choice in choices):
        return []
    seat = page.event.seat  # type: ignore[attr-defined]
    return [
        Alternative(entered_fields(seat, value), {"bank": value})
        for value in first.options
        if value != was
    ]


def entered_fields(seat: int, value: Value) -> JsonObject:
    """Return the fields of a correction by which the table enters what a hand held."""
    fields: JsonObject = msgspec.to_builtins(Entered(seat, value))
    return fields


def _hand_form(page: ReplayedMoment, before: History) -> HandForm | None:
    """Return the form by which what a hand held is entered anew; None if it is not a number."""
    seat, value = page.event.seat, page.event.value  # type: ignore[attr-defined]
    match _hand_choice(before, seat):
        case NumberChoice(least=least):
            held = value if isinstance(value, int) else 0
            others = range(max(held - NEAR, least), held + NEAR + 1)
            near = tuple(NearValue("", n, n) for n in others if n != held)
            return HandForm(seat, "number", {"": held}, near)
        case SomeChoice(most=most):
            had = value if isinstance(value, dict) else {}
            was = {name: had.get(name, 0) for name in most}
            return HandForm(seat, "some", was, tuple(_near_some(was)))
    return None


def _near_some(was: dict[str, int]) -> Iterator[NearValue]:
    """Yield what was held with one piece more or fewer of one name."""
    for name, held in was.items():
        for n in (held - 1, held + 1):
            if n >= 0:
                value = {each: count for each, count in (was | {name: n}).items() if count}
                yield NearValue(name, n, value)


# What is granted, and what follows from it.


def _follow_card(
    history: History, pages: Sequence[ReplayedMoment], page: ReplayedMoment, fields: JsonObject
) -> tuple[AlsoCorrected, ...] | None:
    """Return what other moments say of the same card then; None if one of them cannot."""
    now = corrected_event(history, page.moment.at, fields)
    if now is None:
        return None
    return find_same_card(history.rules, pages, page, now)


def _is_granted(history: History, page: ReplayedMoment, before: History, one: Alternative) -> bool:
    """Return whether the host would be granted this correction, naming no hidden card."""
    event = Corrected(page.moment.at, one.instead, also=one.also)
    instead = corrected_event(history, event.target, event.instead)
    if instead is None or refuse_here(history.rules, before.state, instead) is not None:
        return False
    return check_target(history, event) is None and not permissions.check_hidden_card(
        history, event, HOST_AUTHOR
    )
