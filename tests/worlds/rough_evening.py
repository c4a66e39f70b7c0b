"""A whole game by bots at the simulated table, with faults of every kind.

Frames are lost, readers die and come back, cards are lifted and put back wrongly. Law: every
verdict is compared with the judge's on the cards that truly lie there; where they differ, a to-do
must have said so, or the table must have chosen what to believe.
"""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from companion.app.default_players import NAMES
from companion.app.simulated.pieces import Pieces
from companion.core.errors import Malformed
from companion.core.i18n import seat_key
from companion.core.table_events import Undone
from companion.games.layout import ASIDE, PLACE, Heap
from companion.journal import Journal
from companion.judge.decide import decide
from companion.table.permissions import HOST_AUTHOR
from hardware.simulator.hands_on_table import SimulatedTabletop
from hardware.wiring import DEFAULT, Wiring
from tests.worlds.left_open import closed_later
from tests.worlds.simulated_hands import deal, simulated

LOSS = 0.05
STRAY = 0.03
DEATH = 0.01
PATIENCE = 200
"""So often may nobody have anything to do before the evening counts as stuck."""


def misplace_card(pieces: Pieces, chance: Random) -> str | None:
    """Lay a random card down wrongly or beside; return its tag, None if there is none."""
    places = sorted(heap.number for heap in pieces.list_spots() if heap.kind == PLACE)
    lying = [
        (tag, place)
        for place in places
        for tag in pieces.tags(Heap(PLACE, place))
        if pieces.top.place_of(tag) == place
    ]
    if not lying:
        return None
    tag, place = chance.choice(lying)
    wrong = [ASIDE, *(Heap(PLACE, other) for other in places if other != place)]
    pieces.lay_piece(tag, chance.choice(wrong))
    return tag


class Rough:
    """One evening, its mischief, and what became of its verdicts."""

    def __init__(  # noqa: PLR0913
        self,
        path: Path,
        game: str,
        seed: int,
        seats: int = 4,
        *,
        rough: bool = True,
        wiring: str | Wiring = DEFAULT,
        air: str = "physics",
    ) -> None:
        self.random = Random(f"rough {game} {seed}")
        self.rough = rough
        self.journal = closed_later(Journal(path))
        self.evening = simulated(
            self.journal, game, players=NAMES[:seats], seed=seed, poses=seed, wiring=wiring, air=air
        )
        self.top: SimulatedTabletop = self.evening.source.tabletop
        refused = deal(self.evening)
        assert refused is None, refused
        if rough:
            self.top.lose_frames(LOSS)
        self.dead: dict[int, Callable[[], None]] = {}
        self.verdicts: Counter[str] = Counter()
        self.happened: Counter[str] = Counter()
        self.wrong: list[str] = []

    @property
    def state(self) -> Any:
        return self.evening.host.table.state

    def play(self) -> "Rough":
        """To the end of the game, or until nobody can go on."""
        idle = 0
        while self.state.phase != "over":
            if self.rough:
                self.watch(self.mischief)
            idle = 0 if self.watch(self.evening.bots.play_one) else idle + 1
            if idle:
                self.watch(self.wait)
            assert idle < PATIENCE, f"nobody can go on in {self.state.phase}: {self.todos()}"
        return self

    def watch(self, act: Callable[[], object]) -> object:
        """Do this, and compare the verdict that it may bring."""
        before, lies = self.state, self.lies()
        decided_at = self.evening.host.table.history.decided_at
        done = act()
        if self.evening.host.table.history.decided_at > decided_at:
            self.compare(before, lies)
        return done

    def wait(self) -> None:
        """Let time pass, and put right what lies wrong."""
        self.top.pass_time(0.5)
        self.evening.source.poll()
        self.evening.source.pieces.put_right()

    def mischief(self) -> None:
        """Now and then somebody is careless, and now and then a reader gives up."""
        if self.random.random() < STRAY and self.state.phase not in ("place", "refill"):
            self.stray()
        elif self.random.random() < 0.3:
            self.evening.source.pieces.put_right()
            self.evening.source.poll()
        if self.random.random() < DEATH:
            place = self.random.choice(range(1, 9))
            if place not in self.dead:
                self.happened["died"] += 1
                self.dead[place] = self.top.kill_reader(place)
        elif self.dead and self.random.random() < 0.1:
            self.dead.pop(self.random.choice(sorted(self.dead)))()

    def stray(self) -> None:
        """A card goes astray; if that looked like a move, the table undoes it."""
        table, before = self.evening.host.table, self.evening.host.table.version
        stray = misplace_card(self.evening.source.pieces, self.random)
        self.happened["strayed"] += stray is not None
        self.evening.source.poller.poll()
        while table.version > before:
            self.happened["undone"] += 1
            refused = table.request(Undone(before + 1, "agreed"), HOST_AUTHOR)
            assert refused is None, refused
            before = table.version
            self.evening.source.pieces.put_right()
            self.evening.source.poller.poll()

    def lies(self) -> dict[int, list[str]]:
        """The true cards at every place, as people mean them to lie."""
        places = self.evening.host.table.rules.expected_cards(self.state)
        return {place: self.evening.source.pieces.names(Heap(PLACE, place)) for place in places}

    def todos(self) -> list[Any]:
        view: Any = self.evening.host.table.view()
        return [(todo.place, todo.kind) for todo in view.table.todos]

    def compare(self, before: Any, lies: dict[int, list[str]]) -> None:
        """A new verdict is the judge's on the true cards, or the table had chosen otherwise."""
        verdict = self.state.verdict
        judged = self.judge(before, lies)
        same = judged is not None and all(
            getattr(verdict, field) == value for field, value in judged.items()
        )
        doubted = any(m.event.__class__.__name__ in ("Settled", "Found")
                      for m in self.evening.host.table.history.moments)  # fmt: skip
        self.verdicts["judged alike" if same else "chosen" if doubted else "wrong"] += 1
        if not same and not doubted:
            self.wrong.append(f"{verdict} is not {judged} with {lies}")

    def judge(self, before: Any, lies: dict[int, list[str]]) -> dict[str, Any] | None:
        """What the judge says of the true cards at the places, beside the piles that the table
        believes; None if the box does not hold both together, as after a wrong choice."""
        try:
            return JUDGED[self.evening.host.table.rules.box.game](self, before, lies)
        except Malformed:
            return None

    def bids(self) -> dict[str, Any]:
        """What the hands held in the round that was just decided."""
        found: dict[str, Any] = {}
        for moment in self.evening.host.table.history.moments:
            if type(moment.event).__name__ in ("Opened", "Entered"):
                found[seat_key(moment.event.seat)] = moment.event.value  # type: ignore[attr-defined]
        return found

    def close(self) -> None:
        self.evening.source.wires.close()
        self.journal.close()


def _robbery(rough: Rough, before: Any, lies: dict[int, list[str]]) -> dict[str, Any]:
    case = {
        "game": "bankueberfall", "kind": "robbery", "cards": lies[before.figure],
        "bids": rough.bids(), "funds": {p.name: p.coins for p in before.players},
        "house_rules": dict(before.house_rules),
    }  # fmt: skip
    told: Any = decide(case)
    return {f: getattr(told, f) for f in ("outcome", "direction", "loot", "paid", "change")}


def _auction(rough: Rough, before: Any, lies: dict[int, list[str]]) -> dict[str, Any]:
    names = [p.name for p in before.players]
    case = {
        "game": "banque_fatale", "kind": "auction", "players": names,
        "start": names[before.starter - 1], "bids": rough.bids(), "values": before.values,
        "card": lies[4][0].split("-"),
        "holdings": {p.name: [card.split("-") for card in p.cards] for p in before.players},
        "house_rules": dict(before.house_rules),
    }  # fmt: skip
    told: Any = decide(case)
    return {f: getattr(told, f) for f in ("winner", "values", "bonuses", "first_pick")}


def _round(rough: Rough, before: Any, lies: dict[int, list[str]]) -> dict[str, Any]:
    row = {bank: [_loot(c) for c in lies[n]] for n, bank in enumerate(before.banks, 1)}
    case = {
        "game": "robby_solo", "kind": "round", "banks": row, "choices": rough.bids(),
        "loot": {name: list(pile) for name, pile in before.piles_by_name().items()},
    }  # fmt: skip
    told: Any = decide(case)
    return {f: getattr(told, f) for f in ("taken", "left", "raids", "loot")}


def _loot(card: str) -> int | str:
    return int(card) if card.isdecimal() else card


JUDGED: dict[str, Callable[[Rough, Any, dict[int, list[str]]], dict[str, Any]]] = {
    "bankueberfall": _robbery,
    "banque_fatale": _auction,
    "robby_solo": _round,
}
