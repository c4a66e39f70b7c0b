"""The tracker of a table: its picture, kept in step with the game, and the events it implies.

Laws: the tracker only proposes. An event that it infers passes the permissions like any other
request, and what the game then accounts for is reported back to it. It is only proposed where the
rules grant it; all else stays a mismatch, for the table to settle.
"""

from collections.abc import Iterable

from msgspec.structs import replace

from companion.core.cards import FIGURE
from companion.core.deck import Deck
from companion.core.events import Event, Started
from companion.core.sensor_events import Arrived, Evidence, PlacedTag, ReaderFound, ReaderLost
from companion.core.table_events import AMENDMENTS, Found, PlaceChosen, Settled, Undone
from companion.games.game_state import GameState
from companion.games.rulebook import AnyRulebook
from companion.tracking import matching
from companion.tracking import sweep as sweeps
from companion.tracking.evidence import apply_evidence, forget_game, is_same_tap
from companion.tracking.laying import serve_tap
from companion.tracking.picture import InferredEvent, Picture, is_card

MATCHINGS = 3
"""A tag that left one place is matched at another one the next time."""

CardsAndTags = tuple[tuple[str | None, ...], tuple[str, ...]]
"""Cards, None for one without a name, and the tags that are known of them."""


class Tracker:
    """The picture of one table, kept in step with the game that is played there."""

    def __init__(
        self,
        rules: AnyRulebook,
        deck: Deck,
        taps: frozenset[int] = frozenset(),
        one_reader: bool = False,
    ) -> None:
        self._rules, self._deck = rules, deck
        self.picture = Picture(pieces=deck.pieces, taps=taps, one_reader=one_reader)

    # What the readers tell.

    def process(self, evidence: Evidence, state: GameState | None) -> None:
        """Apply evidence to the picture, with the deck's own mark for the tag: no other is kept."""
        if isinstance(evidence, PlacedTag):
            evidence = replace(evidence, tag=self._deck.mark(evidence.tag))
        told: list[Evidence] = [evidence]
        if self.picture.one_reader and isinstance(evidence, Arrived):
            self.picture, tap = serve_tap(self._rules, state, self.picture, evidence)
            told = [tap] if tap is not None else []
        elif self.picture.one_reader and isinstance(evidence, ReaderFound | ReaderLost):
            told = [replace(evidence, place=place) for place in sorted(self.picture.taps)]
        for one in told:
            self._process(one, state)

    def _process(self, evidence: Evidence, state: GameState | None) -> None:
        """Apply evidence of a place to the picture."""
        before = self.picture
        if isinstance(evidence, Arrived) and is_same_tap(before, evidence):
            self.picture = before.change([evidence.tag], since=evidence.at, off="")
            return
        picture = apply_evidence(self._rules, state, replace(before, put_back=""), evidence)
        if picture.tags != before.tags:
            picture = sweeps.note_passing(picture, evidence)
        self.picture = picture
        self.update(state)

    def update(self, state: GameState | None) -> None:
        """Match the picture with the game as it stands, until that changes nothing more."""
        tags, sweep = self.picture.tags, self.picture.sweep.place
        if state is None or not (tags or sweep or self._rules.current_sweep(state)):
            return  # Nothing has come to any reader.
        for _ in range(MATCHINGS):
            before = self.picture
            self.picture = matching.match_tags(self._rules, state, before)
            if self.picture == before:
                return

    # What is said.

    def follow_event(
        self, state: GameState | None, event: Event, place: int, tags: tuple[str, ...]
    ) -> None:
        """Account for the tags behind an event, or for how it settled a mismatch."""
        picture = replace(matching.explain_silence(self.picture, event), put_back="")
        match event:
            case PlaceChosen():
                picture = replace(picture, chosen=event.place, is_tap_missed=False)
            case Found() if tags:
                picture = matching.bind_all(picture, place, tags)
            case Undone():
                picture = picture.change(tags, late=False)
            case Settled(way="log"):
                picture = _accept_tags(picture, event.place, tags)
            case Settled():
                by_hand = picture.by_hand - {event.place}
                by_hand |= {event.place} if event.way == "hand" else frozenset()
                picture = replace(picture, by_hand=by_hand)
        if not isinstance(event, AMENDMENTS):
            picture = replace(picture, chosen=0, is_tap_missed=False)
        if not isinstance(event, Started | Undone | Settled):
            picture = matching.bind_tags(picture, place, tags)
            if tags and place == picture.sweep.place:
                picture = sweeps.mark_passed(picture, tags)
        self.picture = picture
        self.update(state)

    def reset_game(self) -> None:
        """Begin a new game: account for nothing yet and accept nothing."""
        self.picture = forget_game(self.picture)

    def change_sticker(self, deck: Deck, old: str, new: str, place: int, in_game: bool) -> None:
        """Go on with a deck in which a new tag, at this place, has come for another one."""
        self._deck = deck
        picture = replace(self.picture, pieces=deck.pieces)
        exchanged = matching.exchange_tag(picture, old, new, place)
        self.picture = exchanged if in_game else matching.forget_tag(picture, new)

    def doubt_sweep(self) -> None:
        """Take a pile that waits for its sweep for doubted: it had not been believed before the
        power cut, and which reader doubted it is not written."""
        sweep = self.picture.sweep
        self.picture = replace(self.picture, sweep=replace(sweep, is_doubted=sweep.place > 0))

    # What follows.

    def next_event(self, state: GameState | None) -> InferredEvent | None:
        """Return the first event that the table shows, the game does not know and the rules
        grant."""
        if state is None or state.phase == "over":
            return None
        rules, picture = self._rules, self.picture
        found = list(rules.tracking.infer_events(state, picture))
        if rules.current_sweep(state) is not None:
            found = [*sweeps.infer_sweep(rules, state, picture), *found]
        return next((fact for fact in found if rules.refuse(state, fact.event) is None), None)

    def cards_at(self, place: int, state: GameState | None) -> CardsAndTags:
        """Return the cards at a place, those that the game knows there first, and their tags.

        Where a reader counts these are the cards that it hears, and the covered ones; where none
        does, those that the game has there, but for those that answered elsewhere.
        """
        picture, expected = self.picture, self._rules.expected_cards(state).get(place, ())
        homed = [name for name in picture.at_home(place) if picture.pieces.get(name) != FIGURE]
        if not picture.is_heard(place):
            gone = [name for name in homed if picture.tag(name).place not in (0, place)]
            cards = list(expected)
            for name in gone:
                thing = picture.pieces.get(name)
                cards.remove(thing if thing in cards else None)
            return tuple(cards), tuple(name for name in homed if name not in gone)
        believed = [name for name in homed if picture.life(name) in ("lying", "covered")]
        here = dict.fromkeys((*believed, *picture.lying(place)))
        tags = [name for name in here if _may_be_card(picture, name)]
        names, first = [picture.pieces.get(name) for name in tags], list[str | None]()
        for card in expected:
            if card is not None and card in names:
                names.remove(card)
                first.append(card)
        return (*first, *names), tuple(tags)


def _may_be_card(picture: Picture, name: str) -> bool:
    """Return whether a tag may be that of a card, and no one asks whether it was taken back."""
    thing = picture.pieces.get(name)
    return (thing is None or is_card(thing)) and not picture.tag(name).again


def _accept_tags(picture: Picture, place: int, tags: Iterable[str]) -> Picture:
    """Report these tags no more as mismatches here, until they are touched."""
    again = [name for name in tags if picture.tag(name).again]
    accepted = picture.accepted | {(place, name) for name in tags if name not in again}
    return replace(picture.change(again, again=False), accepted=accepted)
