"""Players who play any game by what its rulebook offers, with a real box.

Law: the evening is the physical table. It holds what the engine must not: the shuffled pile, the
hands, what is in the closed fists. `random` decides everything that people decide.
"""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any, ClassVar, Self

from companion.core import commitment
from companion.core.events import Event, Opened, Sealed, Value, from_fields
from companion.games import make_rulebook
from companion.games.robby_solo.raid import as_loot, loot_cards
from companion.games.rulebook import May

NAMES = ("Ana", "Ben", "Cem", "Dora", "Eli", "Fay")


class Evening:
    """One game, from the first event to the last."""

    def __init__(
        self, game: str, random: Random, seats: int, readers: bool = True, **started: Any
    ) -> None:
        self.rules = make_rulebook(game)
        self.random = random
        self.readers = readers
        self.fists: dict[int, tuple[Value, str]] = {}
        self.state: Any = None
        self.events: list[Event] = []
        self.states: list[Any] = [None]
        self.nonces = 0
        self.shy = False
        self.pieces = PIECES[game](self, seats)
        started = {"id": "evening", "players": seats, **started}
        self.happen(self.rules.start_event(**started))
        self.pieces.lay_out()

    @property
    def over(self) -> bool:
        return self.state is not None and self.state.phase == "over"

    def happen(self, event: Event) -> None:
        """It happens: the rules grant it, and lead where their table says."""
        refused = self.rules.refuse(self.state, event)
        assert refused is None, f"{event} refused: {refused}"
        if self.state is not None:
            row = self.rules.find_row(self.state, type(event))
            after = self.rules.apply(self.state, event)
            assert row is not None
            assert after.phase in row.next_phases, (row, after.phase)
        else:
            after = self.rules.apply(None, event)
        self.state = after
        self.events.append(event)
        self.states.append(after)

    def step(self) -> None:
        """Somebody does one of the things they may do."""
        seats = [s for s in range(1, len(self.state.players) + 1) if self.wanted(s)]
        assert seats, f"nobody can go on in {self.state.phase}"
        self.pieces.look()
        seat = self.random.choice(seats)
        self.happen(self.make(seat, self.random.choice(self.wanted(seat))))

    def play(self, most: int = 5000) -> Self:
        """On to the end."""
        for _ in range(most):
            if self.over:
                return self
            self.step()
        raise AssertionError("this game does not end")

    def wanted(self, seat: int) -> list[May]:
        """What this seat may do, and is waited for to do."""
        return (
            self.rules.list_options(self.state, seat)
            if seat in self.rules.awaited_seats(self.state)
            else []
        )

    def make(self, seat: int, may: May) -> Event:
        """The event, its fields filled as the seat decides and as the pieces have it."""
        if may.do == "sealed":
            return self.close(seat)
        if may.do == "opened":
            return Opened(seat, *self.fists[seat])
        fields = {
            name: self.random.choice(value) if isinstance(value, tuple) else value
            for name, value in self.random.choice(may.choices).items()
        }
        self.pieces.fill(seat, may.do, fields)
        kind = next(row.event for row in self.rules.rows if row.event_name == may.do)
        if "seat" in kind.__struct_fields__:
            fields = {"seat": seat, **fields}
        return from_fields({"event": may.do, **fields}, self.rules.event_types)

    def close(self, seat: int) -> Sealed:
        """The seat closes its hand around something it decides on; if all are shy, nothing."""
        self.nonces += 1
        value = self.pieces.empty if self.shy else self.pieces.fist(seat)
        nonce = f"{self.nonces:032x}"
        self.fists[seat] = (value, nonce)
        state = self.state
        return Sealed(seat, commitment.make_seal(state.id, state.hands.round, seat, value, nonce))


class Coins:
    """The pieces of Banküberfall."""

    empty: ClassVar[Value] = 0

    def __init__(self, evening: Evening, seats: int) -> None:
        self.e = evening
        cards = evening.rules.box.cards
        self.pile = shuffled([c for c, n in cards.items() for _ in range(n)], evening.random)
        self.banks = [[self.pile.pop()] for _ in range(evening.rules.box.banks)]
        self.hands = [[self.pile.pop() for _ in range(5)] for _ in range(seats)]

    def lay_out(self) -> None:
        """The readers, if there are any, recognise the first cards one by one, sooner or later."""
        self.look()

    def look(self) -> None:
        self.clear_robbed()
        unknown = [
            bank for bank, lying in enumerate(self.e.state.banks, 1) if lying and not lying[0].card
        ]
        named = next(r for r in self.e.rules.rows if r.event_name == "card_named")
        if not self.e.readers or not unknown or self.e.state.phase == "turn_up":
            return
        if self.e.random.randint(0, 3) == 0:
            bank = self.e.random.choice(unknown)
            self.e.happen(named.event(bank=bank, slot=1, card=self.banks[bank - 1][0]))

    def fill(self, seat: int, do: str, fields: dict[str, Any]) -> None:
        card: str | None = None
        if do == "card_placed":
            hand = self.hands[seat - 1]
            card = str(fields.pop("card", "") or self.e.random.choice(hand))
            hand.remove(card)
            self.banks[fields["bank"] - 1].append(card)
            hand += [self.pile.pop()] if self.pile else []
        elif do == "bank_refilled":
            card = self.pile.pop()
            self.banks[fields["bank"] - 1] = [card]
        elif do in ("card_named", "card_revealed") and "card" in fields:
            fields["card"] = self.banks[fields["bank"] - 1][fields["slot"] - 1]
        elif do == "card_shown":
            fields["card"] = self.e.random.choice(self.unshown(fields["bank"]))
        if card is not None and self.e.readers:
            fields["card"] = card

    def unshown(self, bank: int) -> list[str]:
        """The cards of the robbed bank that were not shown yet, whatever is noted there."""
        return list((Counter(self.banks[bank - 1]) - Counter(self.e.state.shown)).elements())

    def lying(self) -> dict[int, list[str]]:
        """What lies at each place; robbed cards are cleared away when the rules say so."""
        self.clear_robbed()
        return dict(enumerate(self.banks, 1))

    def clear_robbed(self) -> None:
        for bank, lying in enumerate(self.e.state.banks):
            if not lying:
                self.banks[bank] = []

    def fist(self, seat: int) -> int:
        return self.e.random.randint(0, self.e.state.players[seat - 1].coins)


class Chips:
    """The pieces of Banque Fatale."""

    empty: ClassVar[Value] = {}
    most = 2
    """So many chips of a colour at most go into a fist."""

    def __init__(self, evening: Evening, seats: int) -> None:
        self.e = evening
        cards = evening.rules.box.cards
        singles = shuffled([c for c in cards if "-" not in c], evening.random)
        self.dealt = singles[:seats]
        self.pile = shuffled([c for c in cards if c not in self.dealt], evening.random)
        self.board: list[str] = []
        self.auctioned = ""

    def lay_out(self) -> None:
        pass

    def look(self) -> None:
        pass

    def fill(self, seat: int, do: str, fields: dict[str, Any]) -> None:
        if do == "card_dealt":
            fields["card"] = self.dealt[seat - 1]
        elif do == "card_chosen":
            self.auctioned = fields["card"]
            self.board[self.board.index(self.auctioned)] = ""
        elif do == "card_turned":
            fields["card"] = self.pile.pop()
            if len(self.board) < 3:
                self.board.append(fields["card"])
            else:
                self.board[self.board.index("")] = fields["card"]

    def lying(self) -> dict[int, list[str]]:
        """The open cards in their places, and the one that is auctioned."""
        if self.e.state.phase not in ("refill", "seal", "open"):
            self.auctioned = ""
        places = {n: [card] if card else [] for n, card in enumerate(self.board, 1)}
        empty: dict[int, list[str]] = {1: [], 2: [], 3: [], 5: []}
        return {**empty, **places, 4: [self.auctioned] if self.auctioned else []}

    def fist(self, seat: int) -> dict[str, int]:
        chips = self.e.state.players[seat - 1].chips
        return {c: self.e.random.randint(0, min(n, self.most)) for c, n in chips.items() if n}


class Loot:
    """The pieces of Robby Solo."""

    def __init__(self, evening: Evening, seats: int) -> None:
        self.e = evening
        loot = loot_cards(evening.rules.box)
        self.deck = shuffled([c for c, n in loot.items() for _ in range(n)], evening.random)
        self.junior: list[str] = []
        self.empty: Value = evening.rules.box.banks[0]
        self.verdict: Any = None

    def look(self) -> None:
        pass

    def lay_out(self) -> None:
        self.junior = shuffled(list(self.e.state.banks), self.e.random)
        self.row: list[list[str]] = [[] for _ in self.e.state.banks]

    def fill(self, seat: int, do: str, fields: dict[str, Any]) -> None:
        self.return_raids()
        self.clear_taken()
        if do == "loot_laid":
            fields["card"] = self.deck.pop()
            self.row[list(self.e.state.banks).index(fields["bank"])].append(str(fields["card"]))
        elif do == "loot_shown":
            fields["card"] = as_loot(self.e.random.choice(self.unshown(fields["bank"])))
        elif do == "junior_shown":
            fields["bank"] = self.junior[len(self.e.state.junior.order)]
        elif do == "declared":
            bank = self.e.fists[seat][0]
            fields["will"] = fields["bank"] == bank

    def unshown(self, bank: str) -> list[str]:
        """The loot of a robbed bank that was not shown yet."""
        here = self.row[list(self.e.state.banks).index(bank)]
        return list((Counter(here) - Counter(self.e.state.shown)).elements())

    def lying(self) -> dict[int, list[str]]:
        """The loot at each bank, as it was laid, taken, and carried off."""
        self.clear_taken()
        return dict(enumerate(self.row, 1))

    def clear_taken(self) -> None:
        for bank, loot in zip(self.row, self.e.state.banks.values(), strict=True):
            if not loot:
                bank.clear()

    def return_raids(self) -> None:
        verdict = self.e.state.verdict
        if verdict is not self.verdict:
            self.verdict = verdict
            for raid in verdict.raids:
                self.deck[:0] = [*raid.returns.values(), *raid.removed]

    def fist(self, seat: int) -> str:
        return str(self.e.random.choice(list(self.e.state.banks)))


def shuffled(things: list[Any], random: Random) -> list[Any]:
    return random.sample(things, len(things))


PIECES: dict[str, Callable[[Evening, int], Any]] = {
    "bankueberfall": Coins,
    "banque_fatale": Chips,
    "robby_solo": Loot,
}

SETUPS: list[tuple[str, int, dict[str, Any]]] = [
    ("bankueberfall", 2, {}),
    ("bankueberfall", 3, {"house_rules": {"shortfall": "stop"}}),
    ("bankueberfall", 4, {"house_rules": {"final_direction": "clockwise"}, "first": 3}),
    ("bankueberfall", 5, {}),
    ("banque_fatale", 3, {}),
    ("banque_fatale", 4, {"house_rules": {"unplayed": "minus_two", "sale_ban": "just_risen"}}),
    (
        "banque_fatale",
        3,
        {"house_rules": {"chips_at_end": "nothing", "tied_for_most": "none_rises"}},
    ),
    ("robby_solo", 3, {}),
    ("robby_solo", 4, {"junior": True}),
    ("robby_solo", 6, {}),
    ("robby_solo", 5, {"junior": True, "first": 4}),
]
"""Every game with several numbers of players and ways to play it."""

SWEPT: list[tuple[str, int, dict[str, Any]]] = [
    ("bankueberfall", 3, {"sweep": "doubtful"}),
    ("bankueberfall", 2, {"sweep": "always", "house_rules": {"final_direction": "clockwise"}}),
    ("robby_solo", 3, {"sweep": "doubtful"}),
    ("robby_solo", 3, {"sweep": "always", "junior": True}),
]
"""Games in which the cards of a robbed bank are shown one by one, for tests of the rules alone."""
