"""Deny by default, at a whole table: two tables whose hidden things differ look the same.

Two tables are played side by side by the same visible acts. Face down lie other cards, with their
stickers in other slots, so that another one of a pile is covered; in the closed hands are other
things, and at one table hands are closed again and again. Until the reveal
a viewer gets the same bytes from both: views, to-dos, log and changes, refusals in every language,
lamps, the log of the program, and news at the same moments. Then the reveal shows that the worlds
did differ.
"""

import logging
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from companion.core.commitment import make_seal
from companion.core.deck import Deck
from companion.core.errors import Refusal
from companion.core.events import Event, Resealed, Sealed, Value
from companion.core.i18n import LANGUAGES, get_language
from companion.core.table_events import Corrected, Found, Frozen, Paused, Settled, Thawed, Undone
from companion.table.permissions import MAX_RESEALS, Author
from tests.laws.test_two_worlds import askable
from tests.worlds.campaign import pick
from tests.worlds.own_games import own_games
from tests.worlds.phone_players import Phones
from tests.worlds.watched_table import Watched

HIDDEN = {"x": "thief", "thief": "detective", "detective": "x"}
"""What lies face down at one table, and what lies there at the other one."""
HIDDEN_BANKS = (4, 5)

Act = Callable[[Watched], Refusal | None]


class World:
    """One of the two tables, with what its watchers were told."""

    def __init__(self, path: Path, game: str, seats: int, other: bool) -> None:
        self.w = Watched(path, game, seats, readers=())
        if other:
            things = {t: HIDDEN.get(name, name) for t, name in self.w.deck.things.items()}
            self.w.deck = Deck(things if game == "bankueberfall" else self.w.deck.things)
            self.w.table.tracker.deck = self.w.deck
        self.phones = Phones(self.w, Random(0))
        self.told: list[int] = []
        self.log: list[str] = []
        self.w.table.watch(lambda: self.told.append(self.w.table.version))
        self.w.listen(*range(1, 9))

    def sent(self, viewer: int, seals: tuple[str, ...]) -> list[bytes]:
        """Every byte this viewer is sent, and all lamps; a seal is a number without meaning."""
        table = self.w.table
        views: list[Any] = [table.view()]
        views += [table.view(viewer)] if viewer else []
        found = [msgspec.json.encode(view) for view in views]
        for own, there in zip(self.w.state.hands.seals, seals, strict=True):
            found = [text.replace(own.encode(), there.encode()) for text in found]
        lamps = [table.lamp_state(seat) for seat in range(1, len(seals) + 1)]
        return [*found, msgspec.json.encode([lamps, self.told, table.version, self.log])]

    @contextmanager
    def logged(self) -> Iterator[Watched]:
        """Collect every line that is logged meanwhile, of any level, as this table's."""
        collector = logging.Handler()
        collector.emit = lambda record: self.log.append(record.getMessage())  # type: ignore[method-assign]
        loggers = [logging.getLogger(name) for name in ("companion", "hardware", "web")]
        for logger in loggers:
            logger.addHandler(collector)
            logger.setLevel(logging.DEBUG)
        try:
            yield self.w
        finally:
            for logger in loggers:
                logger.removeHandler(collector)
                logger.setLevel(logging.NOTSET)


class Both:
    """Two tables side by side, before the eyes of one viewer."""

    def __init__(self, path: Path, game: str, seed: int) -> None:
        self.random = Random(f"{game} {seed}")
        self.stubborn = Random(f"{game} {seed}")
        """How often in a row a hand is closed again; the course of the game does not hang on it."""
        self.slots = Random(f"{game} {seed}")
        """Which cards silence each other, which it does not hang on either."""
        self.viewer = self.random.randint(0, 3)
        self.game = game
        self.worlds = [World(path / name, game, 3, other=name == "b") for name in "ab"]
        self.a, self.b = self.worlds
        self.secret = self.random.randint(1, 3)
        self.seen: Counter[str] = Counter()
        self.differed = False

    @property
    def state(self) -> Any:
        return self.a.w.state

    def same(self) -> None:
        """The viewer cannot tell one table from the other."""
        seals = self.state.hands.seals
        here, there = (world.sent(self.viewer, seals) for world in self.worlds)
        for one, other in zip(here, there, strict=True):
            assert one == other, self.state.phase
        self.differed |= self.a.w.written() != self.b.w.written()

    def act(self, act: Act) -> list[str] | None:
        """The same is done at both tables; how it was answered, which is the same too."""
        here, there = (self.act_at(world, act) for world in self.worlds)
        assert here == there
        return here

    def act_at(self, world: World, act: Act) -> list[str] | None:
        """One of the two is done at one table, and what it logs is kept as its own."""
        with world.logged() as w:
            return answer(act(w))

    # One step.

    def step(self) -> bool:
        """Something happens; whether all is still hidden."""
        kind = self.random.choices(("play", "again", "ask", "amend", "cards"), (10, 3, 3, 1, 4))[0]
        self.seen[kind] += 1
        round = self.state.hands.round
        if kind in ("amend", "cards"):
            self.uncover()
        getattr(self, kind)()
        if round == self.secret and self.state.hands.round != round:
            return False
        if self.game == "bankueberfall" and self.state.figure in HIDDEN_BANKS:
            self.hidden_bank()
            return False
        self.same()
        return True

    @property
    def still(self) -> bool:
        """Whether the game stands still, for the judge or for the host."""
        return bool(self.a.w.table.history.frozen or self.a.w.table.history.paused)

    def play(self) -> None:
        """Somebody does what the game waits for."""
        if self.a.w.table.history.is_over or self.still:
            self.act(lambda w: w.ask(0, Thawed()))
            return
        self.a.phones.random = self.random
        seat, event = self.a.phones.next()
        if isinstance(event, Sealed):
            self.close(seat, event)
        elif self.game == "bankueberfall" and not self.allowed(event):
            return
        elif self.laid(event):
            bank = getattr(event, "bank", 0)
            tag = self.new_card(bank, seat)
            self.uncover()
            self.act(lambda w: w.lay_tag(tag, bank) and None)
            self.cover(bank)
        else:
            self.do(seat, event)
        self.tidy()

    def do(self, seat: int, event: Event) -> None:
        """A seat does this, at each table with what it has in its hand there."""
        self.act(lambda w: w.ask(seat, self.own(w, seat, event)))

    def own(self, w: Watched, seat: int, event: Event) -> Event:
        """The event as it is at this table: a hand opens to what it holds there."""
        if event.__struct_config__.tag != "opened":
            return event
        world = next(world for world in self.worlds if world.w is w)
        value, nonce = world.phones.held[w.state.hands.seals[seat - 1]]
        return msgspec.structs.replace(event, value=value, nonce=nonce)

    def close(self, seat: int, event: Sealed) -> None:
        """A hand closes: in the secret round around another thing at the other table."""
        value, nonce = self.a.phones.held[event.seal]
        differs = self.state.hands.round == self.secret and seat not in (
            self.viewer, self.state.active,
        )  # fmt: skip
        other = self.other(seat, value) if differs else value
        text = make_seal(self.state.id, self.state.hands.round, seat, other, nonce)
        self.b.phones.held[text] = other, nonce
        told = [
            self.act_at(self.a, lambda w: w.ask(seat, event)),
            self.act_at(self.b, lambda w: w.ask(seat, Sealed(seat, text))),
        ]
        assert told[0] == told[1]

    def other(self, seat: int, value: Value) -> Value:
        if isinstance(value, int):
            coins = self.state.players[seat - 1].coins
            return value + 1 if value < coins else 0
        if isinstance(value, str):
            row = list(self.state.banks)
            return str(row[(row.index(value) + 1) % len(row)])
        chips = self.state.players[seat - 1].chips
        colour = next(c for c, n in chips.items() if n)
        return {**value, colour: 0 if value.get(colour) else 1}

    def again(self) -> None:
        """At one table only, a hand is closed again: nobody is told, and nothing is to be seen."""
        world = self.random.choice(self.worlds)
        state = world.w.state
        closed = [n for n, text in enumerate(state.hands.seals, 1) if text and n != self.viewer]
        if state.phase != "seal" or not closed or self.still:
            return
        self.seen["closed again"] += 1
        seat = self.random.choice(closed)
        stubborn = self.stubborn.choice((0, 0, MAX_RESEALS + 3))
        for random in (self.random, *[self.stubborn] * stubborn):
            if world.w.state.phase == "seal":
                self.close_again(world, seat, random)

    def close_again(self, world: World, seat: int, random: Random) -> None:
        """A hand is closed again, or was too often: only its own seat hears which."""
        state = world.w.state
        value, _ = world.phones.held[state.hands.seals[seat - 1]]
        nonce = f"{random.getrandbits(128):032x}"
        text = make_seal(state.id, state.hands.round, seat, value, nonce)
        world.phones.held[text] = value, nonce
        before, told = world.sent(self.viewer, state.hands.seals), len(world.told)
        refused = self.act_at(world, lambda w: w.ask(seat, Sealed(seat, text)))
        self.seen["closed too often"] += refused is not None and refused[0] == "closed_too_often"
        if world.w.state.phase == "seal":
            assert world.sent(self.viewer, world.w.state.hands.seals) == before
            assert len(world.told) == told

    def ask(self) -> None:
        """The viewer asks for anything at all."""
        asked = askable(self.a.w.rules, self.state, self.viewer, self.random)
        event = self.random.choice([e for e in asked if not isinstance(e, Sealed)])
        version = self.random.choice((None, self.a.w.table.version, self.random.randint(0, 30)))
        self.act(lambda w: self.say(w, event, version))

    def say(self, w: Watched, event: Event, version: int | None = None) -> Refusal | None:
        via = f"phone {self.viewer}" if self.viewer else "spectator"
        if self.reveals(event):
            return None
        return w.table.request(event, Author(self.viewer, via), version)

    def reveals(self, event: Any) -> bool:
        """Whether this would show the viewer a hidden card by right."""
        shows = event.__struct_config__.tag in ("card_spied", "card_revealed", "card_placed")
        return self.game == "bankueberfall" and shows and event.bank in HIDDEN_BANKS

    def amend(self) -> None:
        """Undo, corrections, the judge, closing all anew: by anybody, in sight of all."""
        at, random = self.a.w.table.version, self.random
        moment = self.a.w.table.history.moment_at(max(1, at - random.randint(0, 6)))
        assert moment is not None
        instead = msgspec.to_builtins(moment.event)
        event = random.choice((
            Undone(at), Undone(max(1, at - 1)), Undone(moment.at, "agreed"),
            Undone(random.randint(-1, at + 1)), Frozen(2), Thawed(),
            Corrected(moment.at, instead), Corrected(moment.at, {**instead, "bank": 1}),
            Corrected(moment.at, {**instead, "card": random.choice((*HIDDEN, "5"))}),
            Found(random.choice(HIDDEN_BANKS), (random.choice((*HIDDEN, "5")),)),
            Resealed(), Found(random.choice((1, 2, 3)), ("5",)), Found(9, ("gold",)),
        ))  # fmt: skip
        if isinstance(moment.event, Sealed) and isinstance(event, Corrected):
            return
        if random.random() < 0.1:
            self.seen["Paused"] += self.act(lambda w: w.ask(0, Paused())) is None
        seat = 0 if isinstance(event, Undone | Corrected) else 2
        self.seen[type(event).__name__] += self.act(lambda w: w.ask(seat, event)) is None

    # Cards.

    def cards(self) -> None:
        """Things are lifted, put back, laid wrongly; to-dos are settled."""
        random = self.random
        looking = self.state.phase in ("spy", "reveal")  # Then a card that is lifted is shown.
        where = {
            tag: at for tag, at in self.a.w.where.items() if not (looking and at in HIDDEN_BANKS)
        }
        if where and random.random() < 0.5:
            tag = random.choice(sorted(where))
            place = where[tag]
            self.act(lambda w: w.lift(tag) and None)
            self.same()
            self.act(lambda w: w.lay_tag(tag, place) and None)
        else:
            place = random.randint(1, 7)
            self.act(lambda w: w.lay_tag("08c0ffee", place) and None)
            self.same()
        todos = self.a.w.table.view().table.todos  # type: ignore[union-attr]
        for todo in todos:
            way = random.choice(("log", "cards"))
            self.seen["settled"] += 1
            self.act(lambda w, t=todo, way=way: w.ask(1, Settled(t.place, way)))  # type: ignore[misc]
        self.tidy()

    def cover(self, bank: int) -> None:
        """Under the card that was laid on a hidden pile another one, or none, falls silent at each
        table."""
        at_home = self.a.w.table.tracker.picture.at_home(bank)[:-1]
        pile = [tag for tag in at_home if self.a.w.where.get(tag) == bank]
        if bank in HIDDEN_BANKS and pile:
            self.seen["covered"] += 1
            for world, tag in zip(self.worlds, self.slots.sample([*pile, ""], 2), strict=True):
                self.act_at(world, lambda w, tag=tag: fall_silent(w, tag))  # type: ignore[misc]

    def uncover(self) -> None:
        """What is covered answers again, before a hand comes to its pile; that takes the same time
        at both tables."""
        covered = zip_longest(*(sorted(world.w.silent) for world in self.worlds), fillvalue="")
        for tags in tuple(covered):
            for world, tag in zip(self.worlds, tags, strict=True):
                self.act_at(world, lambda w, tag=tag: wake(w, tag))  # type: ignore[misc]

    def tidy(self) -> None:
        """What has left the game is taken off."""
        picture = self.a.w.table.tracker.picture
        for tag in [tag for tag, at in self.a.w.where.items() if picture.tag(tag).gone == at]:
            self.act(lambda w, t=tag: w.lift(t) and None)  # type: ignore[misc]

    def laid(self, event: Event) -> bool:
        return event.__struct_config__.tag in ("card_placed", "bank_refilled")

    def allowed(self, event: Any) -> bool:
        """No look at a hidden bank, and no robbery there before the end."""
        if event.__struct_config__.tag in ("card_spied", "card_revealed", "bank_chosen"):
            late = self.seen["play"] > 60 and event.__struct_config__.tag == "bank_chosen"
            return event.bank not in HIDDEN_BANKS or late
        return True

    def new_card(self, bank: int, seat: int) -> str:
        """A card out of the box, a hidden one at a hidden bank unless the viewer lays it."""
        hidden = bank in HIDDEN_BANKS and seat != self.viewer
        names = HIDDEN if hidden else ("5", "2", "3", "4")
        free = [t for name in names for t in self.a.w.tags[name] if t not in self.a.w.where]
        return self.random.choice(free)

    def hidden_bank(self) -> None:
        """The robbery of a hidden bank, to its end."""
        self.uncover()
        round = self.state.hands.round
        for _ in range(60):
            if self.state.hands.round != round or self.state.phase in ("turn_up", "over"):
                return
            self.same()
            for todo in self.a.w.table.view().table.todos:  # type: ignore[union-attr]
                self.act(lambda w, t=todo: w.ask(1, Settled(t.place, "log")))  # type: ignore[misc]
            if self.still:
                self.act(lambda w: w.ask(0, Thawed()))
            self.a.phones.random = self.random
            seat, event = self.a.phones.next()
            if isinstance(event, Sealed):
                self.close(seat, event)
            else:
                self.do(seat, event)


def fall_silent(w: Watched, tag: str) -> None:
    """A card is heard no more, or none is; that takes the same time."""
    if tag:
        w.silence(tag)
    else:
        w.tick()


def wake(w: Watched, tag: str) -> None:
    """A card is heard again, or none is; that takes the same time."""
    if tag:
        w.wake(tag)
    else:
        w.tick()


def answer(refused: Refusal | None) -> list[str] | None:
    """A refusal, word by word, in every language."""
    if refused is None:
        return None
    return [refused.code, refused.rule, *(get_language(code)(refused.say) for code in LANGUAGES)]


@pytest.mark.parametrize("game", own_games())
def test_a_viewer_cannot_tell_one_table_from_the_other(tmp_path: Path, game: str) -> None:
    seen: Counter[str] = Counter()
    revealed = 0
    seeds = pick(3, 10, 120)
    for seed in range(4, 4 + seeds):
        folder = tmp_path / str(seed)
        folder.mkdir()
        both = Both(folder, game, seed)
        if game == "bankueberfall":
            for bank in range(1, 6):
                tag = both.new_card(bank, 9)
                both.act(lambda w, t=tag, b=bank: w.lay_tag(t, b) and None)  # type: ignore[misc]
        both.same()
        hidden = True
        for _ in range(150):
            hidden = both.step()
            if not hidden or both.a.w.table.history.is_over:
                break
        seen["differing"] += both.differed
        if not hidden and both.state.verdict is not None:
            here, there = (world.sent(both.viewer, both.state.hands.seals) for world in both.worlds)
            revealed += here != there
        seen += both.seen
        seen["logged"] += len(both.a.log)
        for world in both.worlds:
            world.w.journal.close()
    assert revealed >= 5 * seeds // 24, "the reveal shows that the worlds did differ"
    assert seen["differing"] > 15 * seeds // 24
    assert seen["closed again"] > 10 * seeds // 24
    assert seen["closed too often"] > 5 * seeds // 24
    assert seen["Undone"] > 3 * seeds // 24
    assert seen["settled"] > 10 * seeds // 24
    assert seen["logged"] > 10 * seeds // 24, "refusals are logged"
    assert game != "bankueberfall" or seen["covered"] > seeds // 3, "other cards are covered"
