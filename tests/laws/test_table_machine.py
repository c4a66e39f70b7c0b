"""The whole table in any order that people, hands and power cuts could find.

Readings right and wrong, requests legal and silly, seals, undo and corrections, to-dos settled in
every way, the judge called, the plug pulled: after every step the journal tells the same game, and
everything that is in it was granted.
"""

import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, ClassVar, get_args

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from companion.core.errors import Refusal
from companion.core.events import Entered, Resealed, to_json
from companion.core.i18n import LANGUAGES, get_language
from companion.core.sensor_events import Arrived, Left
from companion.core.sweep import Sweeping
from companion.core.table_events import (
    Corrected,
    Ended,
    Found,
    Frozen,
    Paused,
    Settled,
    Thawed,
    Undone,
)
from companion.table.history import build_history, event_union
from companion.table.permissions import HOST_AUTHOR
from companion.tracking.picture import is_card
from tests.laws.test_totality import some_event
from tests.worlds.campaign import pick
from tests.worlds.conservation import HOLDS
from tests.worlds.journal_lines import every_line
from tests.worlds.own_games import own_games
from tests.worlds.phone_players import Phones
from tests.worlds.watched_table import NAMES, Watched

encode = msgspec.json.encode
replace = msgspec.structs.replace
STRANGERS = ("08c0ffee0001", "08c0ffee0002")
SEEDS = st.integers(0, 2**32)
PLACES = st.integers(1, 8)
WAYS = st.sampled_from(("cards", "log", "hand", "reader"))
LAYING = ("card_placed", "bank_refilled", "card_named", "card_turned", "loot_laid")
MENDING = (Undone, Corrected, Found)
"""After these the box may come out otherwise: what was typed in twice, what was found anew."""


def is_settled_otherwise(event: Any, written: dict[str, Any]) -> bool:
    """Whether a settlement was written as what it comes to: cards found, or a believed pile."""
    if not isinstance(event, Settled):
        return False
    believed = event.way == "log" and written["event"] in ("pile_believed", "loot_believed")
    return event.way == "cards" or believed


class Handled(Watched):
    """A table that notes which cards were taken up after the game had done with them."""

    def __init__(self, *args: Any, **started: Any) -> None:
        self.taken_up = set[str]()
        super().__init__(*args, **started)

    def lift(self, tag: str) -> str:
        if self.table.tracker.picture.tag(tag).gone:
            self.taken_up.add(tag)
        return super().lift(tag)


class AtTheTable(RuleBasedStateMachine):
    """One table, and all that can be done at it."""

    game = ""
    reached: ClassVar[list[set[str]]]
    """What each of these games came to."""

    @initialize(
        seats=st.integers(3, 4),
        seed=SEEDS,
        junior=st.booleans(),
        readers=st.booleans(),
        played=st.integers(0, 60),
        sweep=st.sampled_from(get_args(Sweeping)),
    )
    def sit_down(
        self, seats: int, seed: int, junior: bool, readers: bool, played: int, sweep: Sweeping
    ) -> None:
        """Some of the evening is over already; perhaps no reader has worked so far."""
        self.folder = tempfile.TemporaryDirectory()
        path = Path(self.folder.name) / "journal.sqlite3"
        kinds: dict[str, dict[str, Any]] = {
            "bankueberfall": {"sweep": sweep},
            "robby_solo": {"junior": junior, "sweep": sweep},
        }
        extra = kinds.get(self.game, {})
        self.w = Handled(path, self.game, seats, range(1, 9) if readers else (), **extra)
        self.phones = Phones(self.w, Random(seed))
        self.granted: dict[str, tuple[str, int, Any]] = {}
        self.keys = 0
        self.games = 1
        self.reached.append(set())
        for _ in range(played):
            self.go_on(self.phones.random, self.w.ask)

    def teardown(self) -> None:
        if hasattr(self, "w"):
            self.w.journal.close()
            self.folder.cleanup()

    # What everyone sees.

    @property
    def seats(self) -> range:
        return range(1, len(self.w.state.players) + 1)

    def views(self) -> list[Any]:
        """Every viewer's view."""
        table = self.w.table
        return [table.view(), *map(table.view, self.seats)]

    def everything(self) -> Any:
        """Return the state that a refused request must not change."""
        table = self.w.table
        lamps = [table.lamp_state(seat) for seat in self.seats]
        return table.history, table.tracker.picture, self.w.written(), self.views(), lamps

    def ask(self, seat: int, event: Any, **how: Any) -> Refusal | None:
        """Ask, and see that it is granted and written, or refused and has changed nothing."""
        before, told = self.everything(), []
        self.w.table.watch(lambda: told.append(1))
        refused = self.w.ask(seat, event, **how)
        self.w.table._watchers.pop()
        if refused is not None:
            assert self.everything() == before, event
            assert not told
            assert refused.code
            assert refused.rule
            for code in LANGUAGES:
                assert get_language(code)(refused.say)
            return refused
        lines = self.w.written()[len(before[2]) :]
        assert lines, f"{event} was granted and is not in the journal"
        if not is_settled_otherwise(event, lines[0][1]):
            via = "table" if seat == 0 else f"phone {seat}"
            assert lines[0] == (via, msgspec.json.decode(to_json(event)))
        return None

    # Requests.

    def people_play(self, seed: int, times: int) -> None:
        """People do what their phones offer; it is granted, unless the table waits."""
        for _ in range(times):
            self.go_on(Random(seed), self.ask)

    def go_on(self, random: Random, ask: Any) -> None:
        """Somebody does something with the cards or with a phone; what is in the way is settled."""
        if self.w.table.history.frozen or self.w.table.history.paused:
            ask(0, Thawed())
        if self.w.table.history.is_over:
            return
        if random.random() < 0.5:
            self.lay_one(random)
        self.phones.random = random
        if not self.offers_something():
            ask(0, Undone(self.w.table.version))
            return
        seat, event = self.phones.next()
        refused = ask(seat, event, version=self.w.table.version)
        if refused is not None and refused.code in self.lost:
            ask(0, Entered(seat, self.phones.fist(seat)))
        elif refused is not None:
            assert refused.code == "in_doubt", (event, refused)
            for todo in self.w.table.view().table.todos:  # type: ignore[union-attr]
                ask(1, Settled(todo.place, "log"))

    def offers_something(self) -> bool:
        """Whether a phone offers something: the game goes on, and no card of the box was shown that
        is another one, so that none is left to be turned up."""
        return not self.w.table.history.is_over and bool(self.phones.offers())

    lost = ("bad_nonce", "broken_seal")
    """A hand that was closed with a seal that nobody's phone knows."""

    @rule(data=st.data(), seat=st.integers(0, 5))
    def ask_anything(self, data: Any, seat: int) -> None:
        """Whatever a tampered phone sends."""
        event = data.draw(some_event(self.game))
        self.ask(seat, event)

    @rule(seed=SEEDS, version=st.integers(-1, 40))
    def ask_late(self, seed: int, version: int) -> None:
        """What a screen offered that may be old."""
        self.phones.random = Random(seed)
        if self.offers_something():
            self.ask(*self.phones.next(), version=version)

    @rule(seed=SEEDS, twice=st.booleans())
    def ask_with_a_key(self, seed: int, twice: bool) -> None:
        if not self.offers_something():
            return
        self.phones.random = Random(seed)
        self.keys += 1
        seat, event = self.phones.next()
        key = f"k{self.keys}"
        if self.ask(seat, event, key=key) is None:
            self.granted[key] = self.w.state.id, seat, event
        if twice:
            self.repeat(0)

    @precondition(lambda self: self.granted)
    @rule(which=st.integers(0, 20))
    def repeat(self, which: int) -> None:
        """A copy of something granted comes late: it counts as the first one."""
        if not self.granted:
            return
        key = sorted(self.granted)[which % len(self.granted)]
        _, seat, event = self.granted[key]
        before = self.everything()
        assert self.w.ask(seat, event, version=0, key=key) is None
        assert self.everything() == before
        refused = self.w.ask(seat, Undone(1, "agreed"), key=key)
        assert refused is not None
        assert refused.code == "key_used"

    play_on = rule(seed=SEEDS, times=st.integers(1, 6))(people_play)
    play_more = rule(seed=SEEDS, times=st.integers(2, 8))(people_play)

    @rule(seat=st.integers(0, 4))
    def have_all_closed_anew(self, seat: int) -> None:
        self.ask(seat, Resealed())

    @rule(seed=SEEDS)
    def enter_a_hand(self, seed: int) -> None:
        if self.w.state.phase == "open" and self.w.state.hands.unopened_seats():
            seat = Random(seed).choice(self.w.state.hands.unopened_seats())
            self.phones.random = Random(seed)
            self.ask(0, Entered(seat, self.phones.fist(seat)))

    # Putting right.

    @rule(which=st.integers(-1, 60), back=st.booleans(), seat=st.integers(0, 4))
    def undo(self, which: int, back: bool, seat: int) -> None:
        """Any moment, often one of the last."""
        at = self.w.table.version - which % 12 if back else which
        self.ask(seat, Undone(at, "agreed"))

    @rule(which=st.integers(0, 60), seed=SEEDS, back=st.booleans())
    def correct(self, which: int, seed: int, back: bool) -> None:
        """A moment was otherwise: some field of it, or all of it is as it was."""
        at = self.w.table.version - which % 12 if back else which
        moment, random = self.w.table.history.moment_at(at), Random(seed)
        instead = msgspec.json.decode(to_json(moment.event)) if moment else {}
        field = random.choice(sorted(instead) or [""])
        if isinstance(instead.get(field), int):
            instead[field] += random.choice((-1, 1))
        elif field in ("card", "colour", "tile", "bank"):
            instead[field] = random.choice(self.words())
        self.ask(random.randint(0, 3), Corrected(at, instead, "misread"))

    def words(self) -> list[str]:
        """The names of the things of this game."""
        colours = getattr(self.w.rules.box, "colours", ())
        tiles = [name.removeprefix("tile ") for name in self.w.tags]
        return [*tiles, *colours, *getattr(self.w.state, "banks", ())] if colours else tiles

    @rule(place=PLACES, way=WAYS, seat=st.integers(0, 4))
    def settle(self, place: int, way: Any, seat: int) -> None:
        """A to-do if there is one, or a place where nothing is to be settled. What is settled in a
        way that was offered is to do no more; what comes next may be (to take off the cards of a
        bank that was swept)."""
        before = self.todos()
        if before:
            place = list(before)[place % len(before)][0]
        refused = self.ask(seat, Settled(place, way))
        if refused is None and way != "reader" and not self.still:
            settled = {todo for todo in before if todo[0] == place and way in before[todo]}
            assert not settled & self.todos().keys() or self.elsewhere(place), (way, place)

    def todos(self) -> dict[tuple[int, str], tuple[str, ...]]:
        """Where something is to be done and of what kind, and the ways to settle it."""
        todos = self.w.table.view().table.todos  # type: ignore[union-attr]
        return {(todo.place, todo.kind): {one.way for one in todo.answers} for todo in todos}

    def elsewhere(self, place: int) -> bool:
        """Whether a to-do here is about what lies in more than one place."""
        todos = self.w.table.view().table.todos  # type: ignore[union-attr]
        return any(todo.kind in ("moved", "missing") for todo in todos)

    @rule(seed=SEEDS, place=st.integers(0, 8))
    def find(self, seed: int, place: int) -> None:
        """Somebody says what lies at a place: a card more or less, or another one."""
        random = Random(seed)
        cards = list(self.w.rules.expected_cards(self.w.state).get(place, ()))
        if self.game == "bankueberfall" and random.random() < 0.8:
            cards = [None for _ in cards]
        if cards and random.random() < 0.4:
            cards.pop(random.randrange(len(cards)))
        if random.random() < 0.6:
            cards.append(random.choice([None, *sorted(self.w.tags), "nothing"]))
        self.ask(random.randint(0, 3), Found(place, tuple(cards)))

    @rule(seat=st.integers(1, 5), held=st.booleans())
    def press(self, seat: int, held: bool) -> None:
        self.w.press(seat, held)

    @property
    def still(self) -> bool:
        """Whether the game stands still."""
        return bool(self.w.table.history.frozen or self.w.table.history.paused)

    @rule(seat=st.integers(0, 4))
    def freeze_or_thaw(self, seat: int) -> None:
        self.ask(seat, Thawed() if self.still else Frozen(seat))

    @rule(seat=st.integers(0, 2))
    def pause(self, seat: int) -> None:
        """Only the host pauses, and then only the host has it go on."""
        refused = self.ask(seat, Paused())
        assert seat == 0 or refused is not None
        if refused is None:
            stays = self.ask(1, Thawed())
            assert stays is not None
            assert stays.code == "paused"

    @rule(dice=st.integers(0, 5))
    def end_and_begin(self, dice: int) -> None:
        """Seldom: the table has had enough, and plays another game."""
        if dice == 0 and not self.w.table.history.is_over:
            self.ask(0, Ended("agreed"))
        if self.w.table.history.is_over:
            self.games += 1
            players = NAMES[: len(self.seats)]
            begun = self.w.rules.start_event(id=f"g{self.games}", players=len(players))
            assert self.w.table.start(begun, HOST_AUTHOR) is None
            assert self.w.table.version >= 1

    # Cards.

    @rule(seed=SEEDS, times=st.integers(1, 4))
    def lay_rightly(self, seed: int, times: int) -> None:
        """Hands do with the cards what the game waits for."""
        random = Random(seed)
        for _ in range(times):
            self.lay_one(random)

    def lay_one(self, random: Random) -> None:
        state, table = self.w.state, self.w.table
        taking = sorted(self.w.rules.tracking.receiving_places(state))
        if state.phase == "tile" and self.game == "bankueberfall":
            self.w.clear(8)
            tile = random.choice([f"tile {t}" for t, n in state.tiles.items() if n])
            self.w.lay_tag(random.choice(self.w.tags[tile]), 8)
        elif state.phase == "rob":
            self.w.lay_tag(self.w.tags["figure"][0], random.randint(1, 5))
        elif state.phase in ("spy", "reveal") and self.w.where:
            tag = random.choice(sorted(self.w.where))
            self.w.lay_tag(tag, self.w.where[tag])
        elif state.phase == "choose":
            offered = [t for t, at in self.w.where.items() if at in (1, 2, 3)]
            if offered:
                self.w.lay_tag(random.choice(sorted(offered)), 4)
        elif taking:
            self.lay_new(random, random.choice(taking))
        for tag in [tag for tag in self.w.where if table.tracker.picture.tag(tag).gone]:
            self.w.lift(tag)

    def lay_new(self, random: Random, place: int) -> None:
        free = [
            tag
            for thing, tags in sorted(self.w.tags.items())
            for tag in tags
            if is_card(thing) and tag not in self.w.where
        ]
        if free:
            self.w.lay_tag(random.choice(free), place)

    @rule(seed=SEEDS, place=PLACES)
    def lay_anything(self, seed: int, place: int) -> None:
        """A card, a tile, the figure or a stranger, from anywhere to anywhere."""
        tags = [tag for name in sorted(self.w.tags) for tag in self.w.tags[name]]
        with self.no_card_is_laid_twice():
            self.w.lay_tag(Random(seed).choice([*tags, *STRANGERS, *sorted(self.w.where)]), place)

    @contextmanager
    def no_card_is_laid_twice(self) -> Iterator[None]:
        """No reader claims as new what the game has accounted for."""
        picture = self.w.table.tracker.picture
        home = {t for t in picture.select(lambda tag: tag.home > 0) if is_card(self.w.deck[t])}
        lines = len(self.w.written())
        yield
        for line in every_line(self.w.journal)[lines:]:
            kind = msgspec.json.decode(line.event)["event"]
            assert kind not in LAYING or line.tag not in home, (kind, line.tag)

    @precondition(lambda self: self.w.where)
    @rule(seed=SEEDS, back=st.booleans(), place=PLACES)
    def lift(self, seed: int, back: bool, place: int) -> None:
        """Something is lifted, and perhaps put back, there or elsewhere."""
        tag = Random(seed).choice(sorted(self.w.where))
        home = self.w.where[tag]
        with self.no_card_is_laid_twice():
            self.w.lift(tag)
            if back:
                self.w.lay_tag(tag, home)

    @rule(seed=SEEDS, place=PLACES)
    def misread(self, seed: int, place: int) -> None:
        """A reader says that something left which it never saw."""
        tags = sorted({*self.w.deck.things, *STRANGERS})
        tag = Random(seed).choice(tags)
        if self.w.where.get(tag) != place:
            history = self.w.table.history
            self.w.table.sense(Left(self.w.tick(), place, tag))
            assert self.w.table.history == history

    @precondition(lambda self: self.w.where)
    @rule(seed=SEEDS)
    def read_again(self, seed: int) -> None:
        """A reader tells once more of what lies there: it is not another card."""
        tag = Random(seed).choice(sorted(self.w.where))
        at = self.w.table.version
        self.w.table.sense(Arrived(self.w.tick(), self.w.where[tag], tag))
        assert self.w.table.version == at

    @rule(place=PLACES)
    def lose(self, place: int) -> None:
        self.w.lose(place)

    @rule(place=PLACES)
    def listen(self, place: int) -> None:
        with self.no_card_is_laid_twice():
            self.w.listen(place)

    @rule()
    def turn(self) -> None:
        """Time passes, and what waited happens."""
        self.w.tick()
        self.w.table.run_maintenance()

    # The power.

    @rule()
    def pull_the_plug(self) -> None:
        """The same game, the same question on every seat, the same requests granted.

        What was granted in a game before this one only the running Pi remembers.
        """
        before, history = self.views(), self.w.table.history
        todos = before[0].table.todos
        self.w.journal.close()
        self.granted = {k: g for k, g in self.granted.items() if g[0] == self.w.state.id}
        readers = set(self.w.readers)
        self.w.readers.clear()
        self.w.open()
        assert self.w.resumed
        assert self.w.table.history == history
        for view, earlier in zip(self.views(), before, strict=True):
            assert unread(view) == unread(earlier)
        self.w.listen(*sorted(readers))
        if readers == {*range(1, 9)} and not self.was_touched(history) and not self.still:
            assert self.w.table.history == history, "what lies there has been lying there"
            assert self.w.table.view().table.todos == todos  # type: ignore[union-attr]

    def was_touched(self, history: Any) -> bool:
        """Whether a to-do was settled by the log, or what the game had done with was taken up and
        laid anew: what was touched since then only hands know."""
        settled = any(isinstance(moment.event, Settled) for moment in history.moments)
        return settled or bool(self.w.taken_up & self.w.where.keys())

    # What holds always.

    @invariant()
    def note_what_is_reached(self) -> None:
        if hasattr(self, "w"):
            history = self.w.table.history
            told = {str(m.event.__struct_config__.tag) for m in history.moments}
            kinds_ = {todo.kind for todo in self.w.table.view().table.todos}  # type: ignore[union-attr]
            self.reached[-1] |= {history.state.phase, *told, *kinds_}

    @invariant()
    def the_journal_tells_the_same_game(self) -> None:
        if not hasattr(self, "w"):
            return
        kind, history = event_union(self.w.rules), self.w.table.history
        lines = [line for line in every_line(self.w.journal) if line.id == self.w.state.id]
        assert (
            build_history(self.w.rules, [(x.decode_event(kind), x.via, x.at) for x in lines])
            == history
        )

    @invariant()
    def what_was_granted_is_written_once(self) -> None:
        if not hasattr(self, "w"):
            return
        lines = every_line(self.w.journal)
        found = {line.key: line.n for line in lines if line.key}
        assert len({*found.values()}) == len(found)
        written = {line.n: bytes(line.event) for line in lines}
        for key, (_, seat, event) in self.granted.items():
            assert written[found[f"phone {seat} {key}"]] == to_json(event)

    @invariant()
    def no_card_counts_twice(self) -> None:
        if not hasattr(self, "w"):
            return
        picture, state = self.w.table.tracker.picture, self.w.state
        for place, cards in self.w.rules.expected_cards(state).items():
            homed = picture.cards_at_home(place)
            assert len(homed) <= len(cards), (place, homed, cards)

    @invariant()
    def nothing_leaves_that_names_a_tag(self) -> None:
        if not hasattr(self, "w"):
            return
        for view in self.views():
            sent = encode(view)
            assert b"0400000" not in sent
            assert b"c0ffee" not in sent
        for todo in self.w.table.view().table.todos:  # type: ignore[union-attr]
            assert all(get_language(code)(todo.say) for code in LANGUAGES)

    @invariant()
    def the_box_is_whole(self) -> None:
        if hasattr(self, "w"):
            history = self.w.table.history
            if not any(isinstance(moment.event, MENDING) for moment in history.moments):
                WHOLE[self.game](history.state)
            else:
                MENDED[self.game](history.state)


def unread(view: Any) -> Any:
    """A view without what only the running Pi knows: what readers have still to tell, and whose
    button called."""
    calm = replace(view.table, todos=(), by_hand=(), woken=0, trouble=())
    return replace(view, table=calm)


# What holds even after an undo, a correction, or cards that were right.


def nobody_owes_a_coin(state: Any) -> None:
    """Coins and tiles are the box's; a card that was found may be one counted in a hand."""
    assert all(player.coins >= 0 and player.credits >= 0 for player in state.players)
    assert 0 <= sum(state.tiles.values()) <= 7


def no_card_is_lost(state: Any) -> None:
    """As many cards as the box holds; a name that people typed in may be wrong."""
    nobody_owes_a_coin(state)
    lying = sum(map(len, state.banks))
    hands = sum(player.hand for player in state.players)
    assert state.pile + hands + lying + len(state.discard) == 45


WHOLE = {**HOLDS, "bankueberfall": no_card_is_lost}
MENDED = {
    "bankueberfall": nobody_owes_a_coin,
    "banque_fatale": HOLDS["banque_fatale"],
    "robby_solo": lambda state: None,
}

HYPOTHESIS = settings(
    max_examples=pick(8, 60, 500),
    stateful_step_count=30,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.mark.timeout(0)
@pytest.mark.parametrize("game", own_games())
def test_a_table_in_any_order(game: str) -> None:
    machine = type(f"Table_{game}", (AtTheTable,), {"game": game, "reached": []})
    run_state_machine_as_test(machine, settings=HYPOTHESIS)
    reached = Counter(what for came_to in machine.reached for what in came_to)
    assert len(reached) > 18, reached
    for what in ("opened", "settled", "frozen", *pick((), ("surplus",), ("surplus",))):
        assert reached[what], f"none of these games came to this: {what}"
