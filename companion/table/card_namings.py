"""Namings of a card: all moments that speak of the same card, and whether everyone saw its face.

Law: a card counts as seen only if it lay face up, or left its place with a verdict; that it was
noted, or found, shows it to no one.
"""

from collections.abc import Iterator, Sequence

import msgspec

from companion.core.events import Event
from companion.core.sweep import Revealing
from companion.core.table_events import AlsoCorrected, Found
from companion.games.rulebook import AnyRulebook
from companion.table.card_origins import Origin
from companion.table.history import History, ReplayedMoment, refuse_here

Pages = Sequence[ReplayedMoment]
replace = msgspec.structs.replace


def was_card_seen(pages: Pages, page: ReplayedMoment, n: int = 0) -> bool:
    """Return whether everyone has seen the face of the n-th card that a moment laid or named."""
    if isinstance(page.event, Revealing):
        return True
    origin = _origin_of(page, n)
    return origin is not None and any(_is_shown(before, after, origin) for before, after in
                                      _steps(pages, page))  # fmt: skip


def _origin_of(page: ReplayedMoment, n: int = 0) -> Origin | None:
    """Return the origin of the card that a moment points at, or of the n-th that it laid."""
    at = page.moment.at
    pointed = page.after.pointed_origins.get(at)
    return pointed if pointed is not None else (at, n)


def _steps(pages: Pages, first: ReplayedMoment) -> Iterator[tuple[History, ReplayedMoment]]:
    """Yield each moment from this one on, with the game before it."""
    start = pages.index(first)
    for n in range(start, len(pages)):
        yield (pages[n - 1].after if n else pages[n].after), pages[n]


def _is_shown(before: History, page: ReplayedMoment, origin: Origin) -> bool:
    """Return whether a moment leaves this card face up, or takes it off with a verdict."""
    spot = _find_spot(page.after, origin)
    if spot is None:
        was_there = _find_spot(before, origin) is not None
        return was_there and not isinstance(page.event, Found)
    return spot not in page.after.rules.face_down(page.after.state)


def _find_spot(history: History, origin: Origin) -> tuple[int, int] | None:
    """Return place and slot of a card; None if it lies nowhere."""
    for place, cards in history.card_origins.items():
        if origin in cards:
            return place, cards.index(origin) + 1
    return None


# One card, wherever the log speaks of it.


def find_same_card(
    rules: AnyRulebook, pages: Pages, page: ReplayedMoment, now: Event
) -> tuple[AlsoCorrected, ...] | None:
    """Return what the other moments say that speak of the card which is named otherwise now; None
    if one of them could not have said that."""
    names = _find_names(page.event, now)
    if names is None:
        return ()
    was, is_now = names
    if rules.has_unique_cards:
        later = pages[pages.index(page) + 1 :]
        swap = {was: is_now, is_now: was}
        return tuple(_correct(one, renamed) for one in later if (renamed := _swap(one.event, swap)))
    others = (
        _naming_of(pages, page, was)
        if isinstance(page.event, Revealing)
        else _showing_of(pages, page, was)
    )
    found = []
    for before, other in others:
        renamed = _rename(other.event, was, is_now)
        if refuse_here(rules, before.state, renamed) is not None:
            return None
        found.append(_correct(other, renamed))
    return tuple(found)


def _find_names(was: Event, now: Event) -> tuple[object, object] | None:
    """Return the old and the new name of the card that two events differ in, if they do."""
    if isinstance(was, Found) and isinstance(now, Found):
        pairs = zip(was.cards, now.cards, strict=False)
        return next(((old, new) for old, new in pairs if old and new and old != new), None)
    old, new = getattr(was, "card", None), getattr(now, "card", None)
    return (old, new) if old is not None and new is not None and old != new else None


def _correct(page: ReplayedMoment, renamed: Event) -> AlsoCorrected:
    return AlsoCorrected(page.moment.at, msgspec.to_builtins(renamed))


def _rename(event: Event, was: object, now: object) -> Event:
    """Return an event with the other name for the first card that it names so."""
    if isinstance(event, Found):
        cards = list(event.cards)
        cards[cards.index(str(was))] = str(now)
        return replace(event, cards=tuple(cards))
    return replace(event, card=now)


def _swap(event: Event, names: dict[object, object]) -> Event | None:
    """Return an event with two names exchanged; None if it has neither."""
    if isinstance(event, Found):
        cards = tuple(names.get(card, card) for card in event.cards)
        return replace(event, cards=cards) if cards != event.cards else None
    card = getattr(event, "card", None)
    return replace(event, card=names[card]) if card in names else None


def _showing_of(
    pages: Pages, page: ReplayedMoment, was: object
) -> Iterator[tuple[History, ReplayedMoment]]:
    """Yield the showing of a card in the sweep of the place where it lay, if there was one."""
    origin = _origin_of(page)
    for before, later in _steps(pages, page):
        sweep = later.after.rules.current_sweep(before.state) if before.state is not None else None
        spot = None if origin is None else _find_spot(before, origin)
        if sweep is None or spot is None or spot[0] != sweep.place:
            continue
        if isinstance(later.event, Revealing) and getattr(later.event, "card", None) == was:
            yield before, later
            return


def _naming_of(
    pages: Pages, page: ReplayedMoment, was: object
) -> Iterator[tuple[History, ReplayedMoment]]:
    """Yield the moment that gave its name to a card which is shown in a sweep, if there was one."""
    n = pages.index(page)
    before = pages[n - 1].after
    sweep = before.rules.current_sweep(before.state) if before.state is not None else None
    if sweep is None or str(was) not in sweep.believed:
        return
    origin = before.card_origins[sweep.place][sweep.believed.index(str(was))]
    for earlier, one in reversed([*_steps(pages, pages[0])][:n]):
        names = getattr(one.event, "card", None) == was or (
            isinstance(one.event, Found) and str(was) in one.event.cards
        )
        if names and origin in (_origin_of(one), *_origins_of_find(one)):
            yield earlier, one
            return


def _origins_of_find(page: ReplayedMoment) -> tuple[Origin, ...]:
    """Return the origins of all cards that were found at a moment."""
    if not isinstance(page.event, Found):
        return ()
    return tuple((page.moment.at, n) for n in range(len(page.event.cards)))
