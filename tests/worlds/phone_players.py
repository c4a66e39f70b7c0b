"""Players who play only by what their phones offer.

Law: whoever holds a phone knows its view and what is in the own hand. `random` decides all that
people decide; every request goes through the table's door, and its answer comes back.
"""

from itertools import count
from random import Random
from typing import Any

from companion.core.commitment import make_seal
from companion.core.errors import Refusal
from companion.core.events import Event, Opened, Sealed, Value, from_fields
from companion.games.rulebook import May
from tests.worlds.watched_table import Watched


class Phones:
    """The phones at one table; what hands hold is known by the seal that closes them."""

    def __init__(self, watched: Watched, random: Random) -> None:
        self.watched = watched
        self.random = random
        self.held: dict[str, tuple[Value, str]] = {}
        self.numbers = count(1)

    @property
    def state(self) -> Any:
        return self.watched.state

    def step(self) -> Refusal | None:
        """Somebody does one of the things that are waited for."""
        seat, event = self.next()
        return self.watched.ask(seat, event)

    def offers(self) -> list[tuple[int, May]]:
        """Return the offers on the phones of the awaited seats."""
        return [(seat, may) for seat in self.seats() for may in self.offered(seat)]

    def next(self) -> tuple[int, Event]:
        """Who does what next."""
        offers = self.offers()
        assert offers, f"nobody can go on in {self.state.phase}"
        seat, may = self.random.choice(offers)
        return seat, self.make(seat, may)

    def seats(self) -> list[int]:
        """The seats that the game waits for, as the table screen shows them."""
        view: Any = self.watched.table.view()
        return list(view.public.waiting)

    def offered(self, seat: int) -> list[May]:
        """What the phone of a seat offers, with something to choose."""
        view: Any = self.watched.table.view(seat)
        return list(view.may)

    def make(self, seat: int, may: May) -> Event:
        """The request, with every field filled."""
        if may.do == "sealed":
            return self.close(seat)
        if may.do == "opened":
            return Opened(seat, *self.held.get(self.state.hands.seals[seat - 1], (0, "0" * 32)))
        choice = self.random.choice(list(may.choices))
        fields = {
            f: self.random.choice(v) if isinstance(v, tuple) else v for f, v in choice.items()
        }
        if may.do == "declared":
            value, _ = self.held[self.state.hands.seals[seat - 1]]
            fields["will"] = fields["bank"] == value
        kind = next(row.event for row in self.watched.rules.rows if row.event_name == may.do)
        own = {"seat": seat} if "seat" in kind.__struct_fields__ else {}
        event: Event = from_fields(
            {"event": may.do, **own, **fields}, self.watched.rules.event_types
        )
        return event

    def close(self, seat: int) -> Sealed:
        """A hand is closed around what its seat decides on."""
        value, nonce = self.fist(seat), f"{next(self.numbers):032x}"
        text = make_seal(self.state.id, self.state.hands.round, seat, value, nonce)
        self.held[text] = value, nonce
        return Sealed(seat, text)

    def fist(self, seat: int) -> Value:
        """What a hand closes around."""
        player, game = self.state.players[seat - 1], self.watched.rules.box.game
        if game == "bankueberfall":
            return self.random.randint(0, player.coins)
        if game == "robby_solo":
            return str(self.random.choice(list(self.state.banks)))
        return {c: self.random.randint(0, min(n, 2)) for c, n in player.chips.items() if n}
