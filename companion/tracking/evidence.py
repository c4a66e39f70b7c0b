"""Changes of the picture by evidence: a tag that comes, falls silent or is tapped, a reader lost.

At some places the reader lies beside the pile, and a card is held over it as it is laid. Laws of
these taps: silence means nothing there, so nothing is ever missing. A card lies where it was tapped
last, until the game or another tap says otherwise. A tap at a moment when no card is laid there
places nothing later on. A tap where a card of that name was entered is taken for that one, until
the same card is heard elsewhere. What lies on a reader that is switched on is no tap, and what is
heard as a lost one returns may have been there before. An unknown sticker is asked about until a
known card is tapped there after it.
"""

from msgspec.structs import replace

from companion.core.cards import FIGURE
from companion.core.sensor_events import (
    Arrived,
    Evidence,
    FellSilent,
    Left,
    Odd,
    ReaderFound,
    ReaderLost,
)
from companion.games.game_state import GameState
from companion.games.rulebook import AnyRulebook
from companion.tracking.picture import NEVER, Picture, Tag

CATCHING_UP, HELD_ON = 2.0, 0.5
"""Seconds in which a reader that was lost, once found, tells of what has been lying there, and of a
card that was held over it beside its place all along."""
SETTLING = 1.5
"""Seconds that a card takes to come down on a pile that may silence it, or to be taken off."""
BOUNCE = 1.5
"""Seconds after its last answer in which a card that answers again is still the same tap."""
OF_READERS = ("taps", "deaf", "found", "odd", "one_reader")
"""Fields of a picture about the readers; no game changes them."""


def apply_evidence(
    rules: AnyRulebook, state: GameState | None, picture: Picture, evidence: Evidence
) -> Picture:
    """Return the picture after one more piece of evidence."""
    match evidence:
        case Arrived():
            return _forget_second_taps(rules, state, _add_tag(rules, state, picture, evidence))
        case FellSilent(tag=name, place=place, since=since) if place in picture.taps:
            off = picture.tag(name).off if name in picture.pieces else "lifted"
            silent = picture.change([name], since=since, off=off)
            return _forget_second_taps(rules, state, silent)
        case Left(place=place) | FellSilent(place=place) if place not in picture.taps:
            return _silence_tag(picture, evidence)
        case ReaderLost() | ReaderFound():
            return _note_reader(picture, evidence)
        case Odd(place=place, what=what) if place not in picture.taps:
            accepted = frozenset(one for one in picture.accepted if one[0] != place)
            return replace(picture, odd={**picture.odd, place: what}, accepted=accepted)
    return picture


def is_same_tap(picture: Picture, tap: Arrived) -> bool:
    """Return whether a card answers again that is still held over the reader beside a place."""
    tag = picture.tag(tap.tag)
    is_there = tag.place == tap.place and tap.place in picture.taps
    return is_there and tap.at - tag.since <= BOUNCE


def _add_tag(
    rules: AnyRulebook, state: GameState | None, picture: Picture, evidence: Arrived
) -> Picture:
    """Add a tag that a reader reports, or that was tapped.

    It is late if it may have lain there before, or came when it was not awaited. What is still
    taken off, or may have been lying there, is not laid again.
    """
    name, place, now = evidence.tag, evidence.place, evidence.at
    tag, is_tap, is_deaf = picture.tag(name), place in picture.taps, place in picture.deaf
    is_known_there = is_deaf if is_tap else tag.place == place
    if is_known_there:
        return picture
    is_card, is_figure = picture.is_card(name), picture.pieces.get(name) == FIGURE
    if tag.guess and tag.home != place:  # It was another card that was entered there.
        tag = replace(tag, home=0, guess=False)
    is_elsewhere = tag.home not in (0, place)
    is_strange = is_elsewhere and place != picture.sweep.place
    tracking = rules.tracking
    awaited = tracking.piles if state is None else tracking.receiving_places(state)
    is_untimely = is_card and place not in awaited and (is_strange or is_tap)
    is_found = now - picture.found.get(place, NEVER) <= (HELD_ON if is_tap else CATCHING_UP)
    is_lifting = not is_tap and not tag.place and now - tag.since <= SETTLING
    is_again = is_tap and is_card and tag.home == place and tag.place in (0, place)
    is_gone = tag.gone == place and (tag.in_pile or is_lifting)
    come = replace(
        tag,
        place=place,
        since=now,
        off="elsewhere" if is_elsewhere else "",
        late=is_untimely or is_found,
        again=is_again and not is_found,
    )
    if is_tap and is_card:
        picture = _drop_unknown_taps(picture, place)
    if (is_again if is_tap else tag.off) and tag.home == place and picture.is_heard(place):
        picture = replace(picture, put_back=name)
    rest = {other: known for other, known in picture.tags.items() if tag.home or other != name}
    if is_deaf or is_gone or is_found:
        return replace(picture, tags={**rest, name: come})
    anew = replace(come, home=0 if is_figure else tag.home, gone=0, in_pile=False)
    return _touch(replace(picture, tags={**rest, name: anew}), name)


def _drop_unknown_taps(picture: Picture, place: int) -> Picture:
    """Return the picture without the unknown stickers that were tapped here and taken away."""
    here = picture.lying(place)
    unknown = [t for t in here if t not in picture.pieces and picture.tag(t).off == "lifted"]
    return picture.change(unknown, place=0, off="")


def _touch(picture: Picture, name: str) -> Picture:
    """Return the picture with nothing accepted of a tag."""
    accepted = frozenset(one for one in picture.accepted if one[1] != name)
    return replace(picture, accepted=accepted)


def _note_reader(picture: Picture, evidence: ReaderLost | ReaderFound) -> Picture:
    """Stop listening to a reader, or begin again: its tags may have come in between.

    A reader that was lost has still to report it; one that was just switched on has done so.
    """
    place, found = evidence.place, dict(picture.found)
    if isinstance(evidence, ReaderLost):
        return replace(picture, deaf=picture.deaf | {place}, found={**found, place: NEVER})
    if place in found:
        found[place] = max(found[place], evidence.at)
    picture = replace(picture, deaf=picture.deaf - {place}, found=found)
    return picture.change(picture.lying(place), late=True)


def _silence_tag(picture: Picture, evidence: Left | FellSilent) -> Picture:
    name, place = evidence.tag, evidence.place
    tag = picture.tag(name)
    if tag.place != place:
        return picture
    is_at_home = tag.home == place
    off = "lifted" if is_at_home and _is_lifted(picture, evidence) else tag.off
    is_figure = picture.pieces.get(name) == FIGURE  # It counts anew each time that it comes.
    home = 0 if is_at_home and is_figure else tag.home
    silent = picture.change([name], place=0, since=evidence.at, off=off, home=home)
    return _touch(silent, name)


def _is_lifted(picture: Picture, evidence: Left | FellSilent) -> bool:
    """Return whether a tag that is no longer heard at home was taken off it.

    It was not if it lies under a card that the game got later, if it came down on others just now,
    where two stickers may silence each other, or if another piece came down on it just then: the
    figure, or a card that was looked at and put back.
    """
    name, place = evidence.tag, evidence.place
    if isinstance(evidence, Left) or not picture.is_card(name):
        return True
    came, last = picture.tag(name).since, evidence.since
    if last - came <= SETTLING and _has_other_cards(picture, place, name):
        return False
    if picture.select(lambda one: one.place == place and came < one.since >= last - SETTLING):
        return False
    homed = picture.at_home(place)
    later = homed[homed.index(name) + 1 :]
    covers = [picture.tag(top) for top in later if picture.is_card(top)]
    return not any(tag.place == place or not (tag.place or tag.off) for tag in covers)


def _has_other_cards(picture: Picture, place: int, name: str) -> bool:
    """Return whether cards besides this one lie at a place, heard or not, gone or not."""
    if place in picture.piles:
        return True

    def is_here(tag: Tag) -> bool:
        is_gone = tag.gone == place and (tag.place > 0 or tag.in_pile)
        return is_gone or place in (tag.home, tag.place)

    return any(other != name and picture.is_card(other) for other in picture.select(is_here))


def _forget_second_taps(rules: AnyRulebook, state: GameState | None, picture: Picture) -> Picture:
    """Return the picture without second taps of cards where they lay already, unless cards are
    being tapped to be looked at."""
    looking = (*rules.tracking.lifting_phases, "over")
    if state is None or rules.current_sweep(state) is not None or state.phase in looking:
        return picture.change(picture.select(lambda tag: tag.again), again=False)
    return picture


def forget_game(picture: Picture) -> Picture:
    """Return the picture for a new game: everything there has come, except taps for the last game,
    and nothing is accepted. Figure and tiles mean nothing until they are touched."""

    def is_old(tag: Tag) -> bool:
        return tag.place in picture.taps and bool(tag.home or tag.gone or tag.off == "lifted")

    lying = {
        name: Tag(place=tag.place, since=tag.since, late=not picture.is_card(name))
        for name, tag in picture.tags.items()
        if tag.place and not is_old(tag)
    }
    readers = {field: getattr(picture, field) for field in OF_READERS}
    return Picture(picture.pieces, lying, **readers)


class ReaderReports:
    """The last report of every reader on itself and on its tags, for another tracker, which hears
    them as if the readers were switched on.

    Law: a tag is kept as its reader sent it, because every deck makes other marks of it; only for
    as long as it lies there, and never written or shown.
    """

    def __init__(self) -> None:
        self._last: dict[tuple[str, str | int], Evidence] = {}

    def record(self, evidence: Evidence) -> None:
        """Remember this report and drop those that it replaces."""
        match evidence:
            case Arrived(tag=tag):
                self._last.pop(("tag", tag), None)
                self._last["tag", tag] = evidence
            case Left(tag=tag, place=place) | FellSilent(tag=tag, place=place):
                last = self._last.get(("tag", tag))
                if isinstance(last, Arrived) and last.place == place:
                    del self._last["tag", tag]
            case Odd(place=place):
                self._last["odd", place] = evidence
            case ReaderFound(place=place) | ReaderLost(place=place):
                self._last["reader", place] = evidence

    def clear(self) -> None:
        """Forget all reports, because the readers were exchanged."""
        self._last.clear()

    def current_evidence(self) -> list[Evidence]:
        """Return all reports as evidence: first the tags, then the listening readers."""
        told = self._last.items()
        return [one for kind in ("tag", "odd", "reader") for (of, _), one in told if of == kind]

    @property
    def is_listening(self) -> bool:
        """Return whether there is a reader that can be heard."""
        return any(isinstance(one, ReaderFound) for one in self._last.values())
