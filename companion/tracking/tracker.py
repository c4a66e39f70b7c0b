"""The stateful tracker of a table, and the last reports of its readers.

Laws: the tracker only proposes. An event that it infers passes the permissions like any other
request, and what the game then accounts for is reported back to it. It is only proposed where the
rules grant it; all else stays a mismatch, for the table to settle. Reports keep a tag as its
reader sent it, because every deck makes other marks of it; only for as long as it lies there, and
never written or shown. Replayed, they are what readers send after they are switched on: first what
lies there, then that they listen.
"""

from collections.abc import Iterable, Iterator

import msgspec

from companion.core.deck import Deck
from companion.core.errors import Refusal
from companion.core.events import Deciding, Event, Started
from companion.core.sensor_events import (
    Arrived,
    Evidence,
    FellSilent,
    Left,
    Odd,
    ReaderFound,
    ReaderLost,
)
from companion.core.sweep import Sweep
from companion.core.table_events import (
    AMENDMENTS,
    Found,
    PlaceChosen,
    Settled,
    SettleWay,
    Undone,
)
from companion.games.game_state import GameState
from companion.games.rulebook import AnyRulebook
from companion.tracking.exchange import exchange_tag, forget_tag
from companion.tracking.lying_cards import (
    CardsAndTags,
    ignore_left_pieces,
    list_cards,
    note_decided,
    write_left_pieces,
)
from companion.tracking.matching import bind_all, bind_tags, expected_table, match_tags
from companion.tracking.mismatches import Doubts, Mismatch, find_mismatches
from companion.tracking.one_reader import next_choice, refuse_choice, serve_tap, spread_report
from companion.tracking.picture import (
    Arrivals,
    InferredEvent,
    Picture,
    PiecesByTag,
    apply_evidence,
    explain_silence,
)
from companion.tracking.sweep import (
    covered_slots,
    is_undoubted,
    mark_passed,
    note_covered,
    note_passing,
    uncounted_cards,
)
from companion.tracking.taps import apply_tap, forget_old_taps, is_second_tap

replace = msgspec.structs.replace
PlacedTag = Arrived | Left | FellSilent


class ReaderReports:
    """The last word of every reader about itself and about what lies there."""

    def __init__(self) -> None:
        self._lying: dict[str, Arrived] = {}
        self._odd: dict[int, Odd] = {}
        self._readers: dict[int, ReaderFound | ReaderLost] = {}

    def record(self, evidence: Evidence) -> None:
        """Remember this report and drop those that it replaces."""
        match evidence:
            case Arrived(tag=tag):
                self._lying.pop(tag, None)
                self._lying[tag] = evidence
            case Left(tag=tag, place=place) | FellSilent(tag=tag, place=place):
                if tag in self._lying and self._lying[tag].place == place:
                    del self._lying[tag]
            case Odd(place=place):
                self._odd[place] = evidence
            case ReaderFound(place=place) | ReaderLost(place=place):
                self._readers[place] = evidence

    def clear(self) -> None:
        """Forget all reports, because the readers were exchanged."""
        self._lying.clear()
        self._odd.clear()
        self._readers.clear()

    def current_evidence(self) -> list[Evidence]:
        """Return all reports as evidence, in the order in which they came."""
        return [*self._lying.values(), *self._odd.values(), *self._readers.values()]

    @property
    def is_listening(self) -> bool:
        """Return whether there is a reader that can be heard."""
        return any(isinstance(news, ReaderFound) for news in self._readers.values())


def infer_next_event(
    rules: AnyRulebook, state: GameState | None, picture: Picture, pieces: PiecesByTag
) -> InferredEvent | None:
    """Return the first event that the picture implies and the rules grant."""
    if state is None or state.phase == "over":
        return None
    implied = rules.tracking.infer_events(state, Arrivals(picture, pieces))
    for fact in (*_infer_sweep(rules, state, picture, pieces), *implied):
        if rules.refuse(state, fact.event) is None:
            return fact
    return None


def _infer_sweep(
    rules: AnyRulebook, state: GameState, picture: Picture, pieces: PiecesByTag
) -> Iterator[InferredEvent]:
    """Yield each card that came to the swept place, and the whole pile if nothing is in doubt."""
    sweep, events = rules.current_sweep(state), rules.tracking.sweep_events
    if sweep is None or events is None:
        return
    place = sweep.place
    listening = place if picture.is_heard(place) else 0
    for tag, name in uncounted_cards(picture, pieces) if listening else ():
        yield InferredEvent(events.show_card(state, place, name), place, tag)
    if not sweep.is_always and is_undoubted(picture, sweep, pieces, events.lie_open):
        yield InferredEvent(events.believe_pile(state, place), listening, "")


def infer_handled(
    rules: AnyRulebook, state: GameState, place: int, piece: str | None
) -> InferredEvent | None:
    """Return what a card lifted and put back at a place implies, if the rules grant it."""
    if piece is None:
        return None
    event = rules.tracking.infer_returned(state, place, piece)
    if event is None or rules.refuse(state, event) is not None:
        return None
    return InferredEvent(event, place, "")


class Tracker:
    """The picture of one table, kept in step with the game that is played there."""

    def __init__(
        self,
        rules: AnyRulebook,
        deck: Deck,
        taps: frozenset[int] = frozenset(),
        one_reader: bool = False,
    ) -> None:
        self._deck, self._pieces = deck, deck.pieces
        self._game = rules.tracking
        self.picture = Picture(taps=taps, one_reader=one_reader)
        self.is_settled = False
        """Whether matching the same tags with the same game once more would change nothing."""
        self._rules = rules

    def process(self, evidence: Evidence, state: GameState | None) -> InferredEvent | None:
        """Apply evidence to the picture; return the event if a card was lifted and put back."""
        evidence = self._mark_evidence(evidence)
        if not self.picture.one_reader:
            return self._process(evidence, state)
        if isinstance(evidence, Arrived):
            self.picture, tap = serve_tap(self._rules, state, self.picture, evidence, self._pieces)
            return None if tap is None else self._process(tap, state)
        for report in spread_report(self.picture, evidence):
            self._process(report, state)
        return None

    def _process(self, evidence: Evidence, state: GameState | None) -> InferredEvent | None:
        """Apply evidence of a place to the picture; return the event of a card put back."""
        before = self.picture
        back = isinstance(evidence, Arrived) and evidence.tag in self.picture.lifted
        if isinstance(evidence, PlacedTag) and evidence.place in self.picture.taps:
            awaited = self._game.awaited(state)
            self.picture = apply_tap(self.picture, evidence, self._pieces, awaited)
            back = is_second_tap(self.picture, evidence)
            self._forgive_second_taps(state)
        else:
            self.picture = apply_evidence(self.picture, evidence, self._pieces)
        if before.swept_place:
            self.picture = note_passing(before, self.picture, evidence)
        fact = (
            self._infer_handled(evidence, state) if back and isinstance(evidence, Arrived) else None
        )
        self.update(state)
        return fact

    def _forgive_second_taps(self, state: GameState | None) -> None:
        """Ignore second taps where cards that lie there are tapped to look at them."""
        phases = (*self._game.lifting_phases, *self._game.looking_phases, "over")
        is_swept = state is not None and self._rules.current_sweep(state) is not None
        if state is None or is_swept or state.phase in phases:
            self.picture = replace(self.picture, double=frozenset())

    def _mark_evidence(self, evidence: Evidence) -> Evidence:
        """Replace the tag by the deck's own mark, which is all that is ever kept."""
        if isinstance(evidence, PlacedTag):
            return replace(evidence, tag=self._deck.mark(evidence.tag))
        return evidence

    def change_sticker(self, deck: Deck, old: str, new: str, place: int, in_game: bool) -> None:
        """Go on with a deck in which a new tag, at this place, has come for another one."""
        self._deck, self._pieces = deck, deck.pieces
        exchanged = exchange_tag(self.picture, old, new, place)
        self.picture = exchanged if in_game else forget_tag(self.picture, new)

    def _infer_handled(self, evidence: Arrived, state: GameState | None) -> InferredEvent | None:
        tag, place = evidence.tag, evidence.place
        self.picture = replace(self.picture, lifted=self.picture.lifted - {tag})
        if state is None or self.picture.home.get(tag) != place or not self.picture.is_heard(place):
            return None
        return infer_handled(self._rules, state, place, self._pieces.get(tag))

    def update(self, state: GameState | None, place: int = 0, tags: tuple[str, ...] = ()) -> None:
        """Match the picture with the game as it stands; account for these tags at this place."""
        if state is None:
            return
        if tags:
            self.picture = bind_tags(self.picture, place, tags)
        if tags and place == self.picture.swept_place:
            self.picture = mark_passed(self.picture, tags)
        expected, before = expected_table(self._rules, state), self.picture
        self.picture = after = match_tags(before, expected, self._pieces)
        self.is_settled = after == before or match_tags(after, expected, self._pieces) == after

    def follow_event(
        self, state: GameState | None, event: Event, place: int, tags: tuple[str, ...]
    ) -> None:
        """Account for the tags behind an event, or for how it settled a mismatch."""
        if isinstance(event, PlaceChosen):
            self.picture = replace(self.picture, chosen=event.place, is_tap_missed=False)
        elif not isinstance(event, AMENDMENTS):
            self.picture = replace(self.picture, chosen=0, is_tap_missed=False)
        self.picture = explain_silence(self.picture, event)
        if isinstance(event, Started):
            self.picture = ignore_left_pieces(self.picture, tags)
            self.update(state)
            return
        if isinstance(event, Found) and tags:
            self.picture = bind_all(self.picture, place, tags)
        if isinstance(event, Undone):
            self.picture = replace(self.picture, late=self.picture.late - {*tags})
            self.update(state)
            return
        if not isinstance(event, Settled):
            self.update(state, place, tags)
            return
        if event.way == "log":
            self.accept_tags(event.place, tags)
        else:
            self.play_by_hand(event.place, event.way == "hand")
        self.update(state, place)

    def doubt_sweep(self) -> None:
        """Take a pile that waits for its sweep for doubted: it had not been believed before the
        power cut, and which reader doubted it is not written."""
        self.picture = replace(self.picture, is_doubted=self.picture.swept_place > 0)

    def next_event(self, state: GameState | None) -> InferredEvent | None:
        """Return the next event that the table shows and the game does not know yet."""
        return infer_next_event(self._rules, state, self.picture, self._pieces)

    def find_mismatches(self, state: GameState | None) -> list[Mismatch]:
        return find_mismatches(self._rules, state, self.picture, self._pieces)

    def find_doubts(self, state: GameState | None, *, is_over: bool) -> Doubts:
        """Return what is doubtful about the table; of a game that is over, only a missed tap."""
        missed = self.picture.is_tap_missed
        if is_over:
            return Doubts(is_tap_missed=missed)
        unheard = self.picture.blind | self.picture.by_hand
        return Doubts(tuple(self.find_mismatches(state)), missed, unheard)

    def reset_game(self) -> None:
        """Begin a new game: account for nothing yet and accept nothing."""
        was = forget_old_taps(self.picture)
        self.picture = Picture(
            was.lying,
            was.came,
            taps=was.taps,
            one_reader=was.one_reader,
            lost=was.lost,
            found=was.found,
            blind=was.blind,
            odd=was.odd,
        )

    def pieces_left(self) -> tuple[str, ...]:
        """Return the tiles and the figure left from the last game, to be noted with its start."""
        return write_left_pieces(self.picture, self._pieces)

    # What the table settles.

    def refuse_choice(self, place: int, state: GameState | None) -> Refusal | None:
        """Return why the one reader cannot wait for a card at this place."""
        return refuse_choice(self._rules, state, self.picture, place)

    def next_choice(self, state: GameState | None) -> PlaceChosen | None:
        """Return the place that comes after the chosen one, of those that one reader serves."""
        return next_choice(self._rules, state, self.picture)

    def cards_at(self, place: int, state: GameState | None) -> CardsAndTags:
        """Return the cards at a place, those that the game knows there first, and their tags."""
        expected = self._rules.expected_cards(state).get(place, ())
        return list_cards(self.picture, place, expected, self._pieces)

    def event_for_sweep(self, state: GameState, sweep: Sweep, way: SettleWay) -> Event | None:
        """Return the event by which this way settles a sweep; None if it settles none."""
        events = self._game.sweep_events
        if way == "cards":
            return Found(sweep.place, sweep.shown)
        if way == "log" and events is not None and sweep.is_through:
            return events.believe_pile(state, sweep.place)
        return None

    def note_covered(self, event: Event, state: GameState | None, tags: tuple[str, ...]) -> Event:
        """Return an event with the covered cards that it reveals, whatever it said of them."""
        cards = self._rules.expected_cards(state).get(self.picture.swept_place, ())
        covered = covered_slots(self.picture, cards, self._pieces)
        return note_covered(event, tags, covered, cards)

    def note_decided(self, event: Deciding, state: GameState | None) -> Event:
        """Return an event with the covered cards on which the verdict rests that it brings."""
        if not any(map(self.picture.is_covered, self.picture.home)):
            return replace(event, covered=()) if event.covered else event
        return note_decided(self._rules, state, self.picture, self._pieces, event)

    def accept_tags(self, place: int, tags: Iterable[str]) -> None:
        """Report these tags no more as mismatches here, until they are touched."""
        accepted = self.picture.accepted
        tags = frozenset(tags)
        double = self.picture.double
        here = accepted.get(place, frozenset()) | (tags - double)
        self.picture = replace(
            self.picture, accepted={**accepted, place: here}, double=double - tags
        )

    def play_by_hand(self, place: int, by_hand: bool) -> None:
        """Ignore the reader of a place from now on, or listen to it again."""
        places = self.picture.by_hand - {place}
        self.picture = replace(self.picture, by_hand=places | {place} if by_hand else places)
