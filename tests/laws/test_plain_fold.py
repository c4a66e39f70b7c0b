"""Whole games with undo and corrections at random: the table's game is a plain fold from the start.

The plain fold knows nothing of histories: it takes the moments that stand, as they are said now,
and applies the rules to one after another.
"""

from collections import Counter
from random import Random
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from companion.core.events import Entered, Event, Started
from companion.core.table_events import AMENDMENTS, REPLAYED, Corrected, Counted, Found, Undone
from companion.games import make_rulebook
from companion.games.correction_rules import count_difference, refuse_counted
from companion.table.history import History, apply_event, build_history
from companion.table.permissions import HOST_AUTHOR, check_hidden_card, check_request
from companion.table.putting_right import PuttingRight, put_right
from tests.worlds.campaign import pick
from tests.worlds.own_games import own_games
from tests.worlds.phone_players import Phones

replace = msgspec.structs.replace
SWEEPS: dict[str, list[dict[str, Any]]] = {
    "bankueberfall": [{}, {"sweep": "doubtful"}, {"sweep": "always"}],
    "robby_solo": [{}, {"junior": True}, {"sweep": "always"}],
}
MOST = 900
"""Moments after which a game that is put right again and again is left as it is."""


class Paper:
    """A game without a journal: what its phones offer, what readers read, what people put right."""

    def __init__(self, game: str, random: Random) -> None:
        self.random, self.rules = random, make_rulebook(game)
        self.history = History(self.rules)
        self.table = self  # The phones ask it for views.
        self.reads = random.random() < 0.5
        self.phones = Phones(self, random)  # type: ignore[arg-type]
        self.happened = Counter[str]()
        started = random.choice(SWEEPS.get(game, [{}]))
        self.note(self.rules.make_start_event("g1", random.randint(3, 4), **started))

    @property
    def state(self) -> Any:
        return self.history.state

    def view(self, seat: int = 0) -> Any:
        waiting = self.rules.awaited_seats(self.state)
        may = self.rules.list_options(self.state, seat) if seat else ()
        return SimpleNamespace(public=SimpleNamespace(waiting=waiting), may=may)

    def note(self, event: Event, via: str = "table") -> None:
        self.history = apply_event(self.history, event, via)
        self.happened[str(event.__struct_config__.tag)] += 1

    def ask(self, event: Event) -> bool:
        """Have the host ask for this; whether it is granted."""
        refused = check_request(self.history, event, HOST_AUTHOR)
        if refused is None and not isinstance(event, Corrected):
            refused = check_hidden_card(self.history, event, HOST_AUTHOR)
        if refused is None:
            self.note(event)
        return refused is None

    # Play.

    def go_on(self) -> None:
        """Somebody does what the game waits for, or the table settles what it cannot go on with."""
        sweep = self.rules.current_sweep(self.state)
        if sweep is not None and sweep.is_through:
            cards = (*sweep.shown[: len(sweep.believed)],)
            if self.ask(Found(sweep.place, cards)):
                return
        if not self.phones.offers():
            self.take_back()
            return
        seat, event = self.phones.next()
        event = self.read(event)
        if self.rules.refuse(self.state, event) is None:
            self.note(event, f"phone {seat}")
        elif self.state.phase == "open":
            self.note(Entered(seat, self.phones.fist(seat)))

    def read(self, event: Event) -> Event:
        """A reader names what is laid, and what is shown is mostly what was noted."""
        if not self.reads or not hasattr(event, "card"):
            return event
        names: list[Any] = [*self.rules.box.tagged_pieces()]
        sweep = self.rules.current_sweep(self.state)
        if sweep is not None:
            left = Counter(sweep.believed) - Counter(sweep.shown)
            names = [event.card if not isinstance(event.card, int) else None, *left]
            names = [
                type(event.card)(name) for name in names if name is not None and name != "object"
            ]
        elif event.card is not None:
            return event
        named = replace(event, card=self.random.choice(names or [event.card]))
        return named if self.rules.refuse(self.state, named) is None else event

    # Putting right.

    def put_something_right(self) -> None:
        self.random.choice((self.take_back, self.take_back, self.correct, self.find, self.count))()

    def take_back(self) -> None:
        back = self.random.choice((0, 1, 2, self.random.randint(0, 40)))
        self.ask(Undone(self.history.at - back, "agreed"))

    def correct(self) -> None:
        at = self.random.randint(max(1, self.history.at - 60), self.history.at)
        found: PuttingRight = put_right(self.history, at)
        if found.options:
            instead = self.random.choice(found.options).instead
            assert self.ask(Corrected(found.at, instead)), "what is offered, the door grants"

    def find(self) -> None:
        """The cards here are: another one, one fewer, or one more that nobody names."""
        places = self.rules.expected_cards(self.state)
        place, names = self.random.choice(sorted(places)), [*self.rules.box.tagged_pieces()]
        cards = [*places[place]]
        more = [None] * self.random.randint(0, 1)
        other = [self.random.choice(names)] if cards and self.random.random() < 0.5 else more
        self.ask(Found(place, (*cards[1:], *other)))

    def count(self) -> None:
        seat = self.random.randint(1, len(self.state.players))
        owned = self.rules.corrections.count_own(self.state, seat)
        if owned:
            name = self.random.choice(sorted(owned))
            event = Counted(seat, {name: max(0, owned[name].noted + self.random.choice((-1, 1)))})
            if refuse_counted(owned, event) is None:
                self.note(replace(event, more=count_difference(owned, event)))


def undo_and_undo_that(history: History, random: Random) -> History:
    """The game after any moment was taken back, and the taking back as well."""
    undone = Undone(random.randint(1, history.at))
    if check_request(history, undone, HOST_AUTHOR) is not None:
        return history
    there = apply_event(history, undone)
    back = apply_event(there, Undone(there.at))
    return replace(
        back, at=history.at, moments=history.moments, change=history.change, struck=history.struck
    )


def said_now(history: History, struck: set[int], at: int, noted: Event) -> Event:
    """What a moment says by the newest correction of it that counts."""
    for moment in reversed(history.moments):
        event = moment.event
        if isinstance(event, Corrected) and event.target == at and moment.at not in struck:
            kept = {"card": noted.card} if getattr(noted, "card", None) else {}  # type: ignore[attr-defined]
            kinds = type(noted) | Entered
            return msgspec.convert({**kept, **event.instead}, kinds)
    return noted


def fold_plainly(history: History) -> tuple[Any, set[int], set[int]]:
    """The game from the start: its state, what is struck, what does not fit any more."""
    rules, struck, state, fits = history.rules, set[int](), None, dict[int, bool]()
    corrected = [one.at for one in history.moments if isinstance(one.event, Corrected)]
    last_correction = max(corrected, default=0)
    for moment in reversed(history.moments):
        if isinstance(moment.event, Undone) and moment.at not in struck:
            struck.add(moment.event.target)
    for moment in history.moments:
        at = moment.at
        is_played = not isinstance(moment.event, AMENDMENTS) or isinstance(moment.event, REPLAYED)
        if at in struck or not is_played:
            continue
        said = said_now(history, struck, at, moment.event)
        event = history.event_of(moment)
        assert event == said or (renames(event, said) and at < last_correction), (
            "only the name of a card follows another one, until it was corrected"
        )
        own = rules.corrections
        if hasattr(event, "slot") and at in history.dropped:
            fitting = False  # Another card lies there now: a look does not pass to it.
        elif isinstance(event, Found):
            fitting = state is not None and own.refuse_found(state, event) is None
            state = own.apply_found(state, event) if fitting else state
        elif isinstance(event, Counted):
            owned = own.count_own(state, event.seat) if state is not None else {}
            fitting = refuse_counted(owned, event) is None
            state = own.apply_counted(state, event) if fitting else state
        else:
            fitting = rules.refuse(state, event) is None
            state = rules.apply(state, event) if fitting else state
        fits[at] = fits.get(at, False) or fitting
    return state, struck, {at for at, fitted in fits.items() if not fitted}


def renames(event: Any, said: Any) -> bool:
    """Whether two events differ in nothing but the name of a card."""
    if isinstance(event, Found):
        return replace(event, cards=()) == replace(said, cards=())
    return hasattr(event, "card") and replace(event, card=None) == replace(said, card=None)


@pytest.mark.timeout(0)
@pytest.mark.parametrize("game", own_games())
def test_a_game_that_is_put_right_at_random_is_a_plain_fold(game: str) -> None:
    happened, over = Counter[str](), 0
    for seed in range(pick(6, 40, 1000)):
        paper, any_moment = Paper(game, Random(seed)), Random(seed)
        calm = paper.random.randint(8, 40)
        while not paper.history.is_over and paper.history.at < MOST:
            if paper.random.randrange(calm) == 0:
                paper.put_something_right()
                state, struck, dropped = fold_plainly(paper.history)
                assert (state, struck) == (paper.history.state, {*paper.history.struck}), seed
                assert dropped == {*paper.history.dropped}, seed
                assert undo_and_undo_that(paper.history, any_moment) == paper.history, seed
            else:
                paper.go_on()
        events = [(one.event, one.via, one.when) for one in paper.history.moments]
        assert build_history(paper.rules, events) == paper.history
        assert isinstance(events[0][0], Started)
        happened, over = happened + paper.happened, over + paper.history.is_over
    assert over, "some games come to their end"
    for what in (Undone, Corrected, Found, Counted):
        assert happened[str(what.__struct_config__.tag)] >= pick(1, 8, 200), happened
