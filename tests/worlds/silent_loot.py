"""Evenings of Robby Solo with a reader under each bank, in the physical air.

Laws: loot lies open, so people see what they enter where a card is not heard; now and then they
enter another card. Where the table says that this was so, they look again and put it right. What
the police take goes under the deck and comes again. All that one player takes alone is known by the
cards themselves, whatever was noted.
"""

from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from companion.core.commitment import make_seal
from companion.core.events import Opened, Sealed
from companion.core.i18n import seat_keys
from companion.core.table_events import Corrected
from companion.games.robby_solo.raid import as_loot
from companion.table.putting_right import put_right
from companion.tracking.questions import MISTAKEN, MISTAKEN_ELSEWHERE
from tests.worlds.naive_robby_solo import play_round
from tests.worlds.silent_table import LAID, SilentTable
from tests.worlds.watched_table import NONCE

SEATS, PLACES = 3, (1, 2, 3, 4)
SLIPS = 0.3
"""How often a card that is not heard is entered as another one."""


class RoundOutcome(NamedTuple):
    """What came of one round; `told_gone` counts cards that were said to be missing so far."""

    swept: tuple[int, ...]
    """How many cards lay at each bank that was swept card by card."""
    told_gone: int
    slips: int
    """How many cards were entered as others so far."""
    settled: int
    is_true: bool
    """Whether everyone took the cards that lay there, and no others."""
    phase: str


class SilentLoot(SilentTable):
    """A table of three with four banks; loot is drawn from a shuffled deck."""

    def __init__(self, path: Path, seed: int, slips: float = SLIPS) -> None:
        asked = {"game": "robby_solo", "seats": SEATS, "sweep": "doubtful"}
        super().__init__(path, f"loot {seed}", PLACES, (), **asked)
        self.slips = slips
        self.stock = self.chance.sample(sorted(self.slots), len(self.slots))
        self.piles: dict[int, list[str]] = {place: [] for place in PLACES}
        self.won: dict[str, list[str]] = {key: [] for key in seat_keys(SEATS)}

    # A round.

    def play_round(self, *chosen: int) -> RoundOutcome:
        """Lay loot, choose banks or those of these places, sweep what is asked for, clear up."""
        row = tuple(self.state.banks)
        for place in PLACES:
            self.lay_loot(place, row[place - 1])
        lying = {row[place - 1]: self.names(pile) for place, pile in self.piles.items()}
        before = {name: self.names(won) for name, won in self.won.items()}
        chosen = chosen or tuple(self.chance.choices(PLACES, k=SEATS))
        choices = {name: row[place - 1] for name, place in zip(self.won, chosen, strict=True)}
        self.rob([choices[name] for name in self.won])
        swept = tuple(len(self.piles[place]) for place in PLACES if self.sweep_if_asked(place))
        judged: Any = play_round(lying, choices, before)  # type: ignore[no-untyped-call]
        taken = self.state.verdict.taken
        is_true = all(Counter(taken[name]) == Counter(judged["taken"][name]) for name in taken)
        self.clear_up(row, choices)
        count = self.count
        return RoundOutcome(
            swept, count["missing"], count["slips"], count["settled"], is_true, self.state.phase
        )

    def names(self, tags: list[str]) -> list[Any]:
        return [as_loot(self.deck.things[tag]) for tag in tags]

    def lay_loot(self, place: int, bank: str) -> None:
        """Lay the next card of the deck at a bank, and enter it if it is not heard."""
        tag = self.stock.pop()
        self.hold(tag, place)
        self.piles[place].append(tag)
        self.pass_time(LAID)
        self.put_right(place)
        if bank not in self.state.filled and self.state.phase == "fill":
            card = self.read_card(tag)
            self.do(self.state.active, f'loot_laid bank="{bank}" card={written(card)}')
            self.count["entered"] += 1
        self.look(PLACES)
        self.pass_time(LAID)
        self.look(PLACES)

    def put_right(self, place: int) -> None:
        """Correct the entry at the bank that the table names for a card at this place."""
        view: Any = self.table.view()
        for todo in view.table.todos:
            if todo.place == place and todo.say.text in (MISTAKEN.text, MISTAKEN_ELSEWHERE.text):
                named = todo.say.facts.get("other_use", todo.say.facts["use"])
                self.look_again(named.facts["n"])

    def look_again(self, place: int) -> None:
        """Correct the cards of a bank that were entered as others; the top one may not be noted."""
        bank = tuple(self.state.banks)[place - 1]
        noted, origins = self.state.banks[bank], self.table.history.laid[place]
        lying = self.names(self.piles[place])[: len(noted)]
        for card, was, at in zip(lying, noted, origins, strict=True):
            if card != was:
                instead = {"bank": bank, "card": card}
                ways = put_right(self.table.history, at).options
                (one,) = (way for way in ways if instead.items() <= way.instead.items())
                self.do(0, Corrected(at, one.instead))
                self.count["put right"] += 1

    def read_card(self, tag: str) -> str:
        """Read a card to enter it; another one in a slip, or if the game takes it for used up."""
        card, (may,) = self.deck.things[tag], self.rules.list_options(self.state, self.state.active)
        others = [str(name) for name in may.choices[0]["card"] if str(name) != card]
        if len(others) < len(may.choices[0]["card"]) and self.chance.random() >= self.slips:
            return card
        self.count["slips"] += 1
        return self.chance.choice(others)

    def rob(self, chosen: list[str]) -> None:
        """All lay a card, the Gentleman or Lady declares it, and all keep theirs."""
        first = self.state.active
        order = [seat for seat in range(1, SEATS + 1) if seat != first]
        for seat in (*order, first):
            text = make_seal(self.state.id, self.state.hands.round, seat, chosen[seat - 1], NONCE)
            self.do(seat, Sealed(seat, text))
        self.do(first, f'declared seat={first} bank="{chosen[first - 1]}" will=true')
        for seat in order:
            self.do(seat, f"kept seat={seat}")
        for seat, bank in enumerate(chosen, 1):
            self.do(seat, Opened(seat, bank, NONCE))

    def sweep_if_asked(self, place: int) -> bool:
        """Sweep a bank if the table waits for its cards; return whether it did."""
        if not self.is_swept(place):
            return False
        self.sweep(self.piles[place], place)
        assert not self.is_swept(place), "the sweep has come to its end"
        return True

    def name_card(self, place: int, name: str) -> None:
        """Say on a phone which card is held up."""
        self.do(1, f'loot_shown bank="{tuple(self.state.banks)[place - 1]}" card={written(name)}')

    # After it.

    def clear_up(self, row: tuple[str, ...], choices: dict[str, str]) -> None:
        """Take off what was taken, and what the police found; put that under the deck."""
        alone = Counter(choices.values())
        for name, bank in choices.items():
            if alone[bank] == 1:
                self.won[name] += self.take_off(row.index(bank) + 1)
        for raid in self.state.verdict.raids:
            removed = self.take_off(row.index(raid.bank) + 1)
            returned = [self.give_up(name, str(card)) for name, card in raid.returns.items()]
            self.stock[:0] = [*returned, *removed]
        self.pass_time(LAID)

    def take_off(self, place: int) -> list[str]:
        """Take everything off a bank."""
        taken, self.piles[place] = self.piles[place], []
        for tag in taken:
            if tag in self.stickers:
                self.lift_card(tag)
        return taken

    def give_up(self, name: str, card: str) -> str:
        """Give up a card of the own loot."""
        tag = next(tag for tag in self.won[name] if self.deck.things[tag] == card)
        self.won[name].remove(tag)
        return tag


def written(card: str) -> str:
    """A card as it stands in the text of an event."""
    return card if card.isdecimal() else f'"{card}"'
