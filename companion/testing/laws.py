"""The laws of every game, each a function that yields a sentence per violation.

Law: a law asks the rule book and nothing else, and what a game's own code raises is a finding, too.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.bots import fill_choice, hold_anything
from companion.core.commitment import NumberChoice, is_offered, make_seal, replace_entry
from companion.core.events import Event, Opened, Sealed, Value, to_json
from companion.core.i18n import LANGUAGES, get_language
from companion.games.game import Game
from companion.games.open_table import name_field
from companion.games.rule_texts import SEALING, TABLE
from companion.games.rulebook import AnyRulebook
from companion.table.faults import find_own_line
from companion.table.view import make_view

LONGEST = 2_000
"""Events after which a game that has not ended is taken never to end."""


class RandomGame:
    """A game played at random by its rule book alone: its events, and the state after each.

    Law: given its luck it always plays the same. A game that does not say what a hand may hold has
    its hands closed around a number.
    """

    def __init__(self, rules: AnyRulebook, seats: int, luck: Random) -> None:
        self.rules, self.luck = rules, luck
        self.held = dict[str, tuple[Value, str]]()
        """Contents of each seal."""
        self.events: list[Event] = [rules.make_start_event("random", seats)]
        self.states: list[Any] = [rules.apply(None, self.events[0])]

    @property
    def state(self) -> Any:
        return self.states[-1]

    @property
    def is_over(self) -> bool:
        return bool(self.state.phase == "over")

    def play_to_end(self) -> "RandomGame":
        """Play to the end, until LONGEST events, or until nothing is offered any more."""
        while not self.is_over and len(self.events) < LONGEST:
            offered = list(self.offered_events())
            if not offered:
                break
            self.events.append(self.luck.choice(offered))
            self.states.append(self.rules.apply(self.state, self.events[-1]))
        return self

    def offered_events(self) -> Iterator[Event]:
        """Yield an event for each thing that an awaited seat may do, its open fields chosen."""
        for seat in self.rules.awaited_seats(self.state):
            for may in self.rules.list_options(self.state, seat):
                if may.do == "sealed":
                    yield self.close_hand(seat)
                elif may.do == "opened":
                    yield from self.open_hand(seat)
                elif fillable := [one for one in may.choices if () not in one.values()]:
                    chosen = fill_choice(self.luck.choice(fillable), self.luck)
                    yield self.rules.make_event(seat, may.do, chosen)

    def close_hand(self, seat: int) -> Sealed:
        """Return the event of a seat that closes its hand around anything offered."""
        choice = self.rules.hand_choice(self.state, seat) or NumberChoice(3)
        held = hold_anything(choice, self.luck)
        nonce = self.luck.randbytes(16).hex()
        seal = make_seal(self.state.id, self.state.hands.round, seat, held, nonce)
        self.held[seal] = (held, nonce)
        return Sealed(seat, seal)

    def open_hand(self, seat: int) -> Iterator[Opened]:
        """Yield the event of a seat that opens the hand it closed."""
        seal = self.state.hands.seals[seat - 1]
        if seal in self.held:
            yield Opened(seat, *self.held[seal])


def play_at_random(game: Game, seed: int) -> RandomGame:
    """Return a game that is played to its end, with another number of seats for each seed."""
    rules = game.make_rulebook()
    least, most = rules.box.players.least, rules.box.players.most
    seats = least + seed % (most - least + 1)
    return RandomGame(rules, seats, Random(f"{game.name} {seed}")).play_to_end()


ODD_VALUES: tuple[Value, ...] = (-1, 0, 1, 10**9, "", "nobody’s card", {}, {"nothing": 1})
"""Values that few phones of ours would close a hand around."""
PYTHON = ("['", "('", "[]", "()", "{'", "None")
"""Signs of a sentence that prints a value instead of wording it."""


def check_end(_game: Game, played: RandomGame) -> Iterator[str]:
    """A game comes to its end and to a score; until then it waits for seats that there are."""
    seats = {*range(1, len(played.state.players) + 1)}
    for state in played.states:
        for seat in sorted({*played.rules.awaited_seats(state)} - seats):
            yield f"In the phase “{state.phase}” the game waits for seat {seat}; they count from 1."
    if len(played.events) >= LONGEST:
        yield f"The game does not end within {LONGEST} events."
    elif not played.is_over:
        yield f"In the phase “{played.state.phase}” no seat that is awaited is offered anything."
    elif played.state.score is None:
        yield "The game is over, and there is no score."
    elif played.rules.count_fortunes(played.state) not in ({}, played.state.score.totals):
        yield f"At the end count_fortunes says {played.rules.count_fortunes(played.state)}."


def check_offers(_game: Game, played: RandomGame) -> Iterator[str]:
    """Yield each fault of an offer: it is refused, its row leads elsewhere than it says, or a
    refused event changes the game."""
    steps = zip(played.states[:-1], played.events[1:], played.states[1:], strict=True)
    for before, event, after in steps:
        row = played.rules.find_row(before, type(event))
        if row is None or played.rules.refuse(before, event) is not None:
            yield f"“{to_json(event).decode()}” is offered in “{before.phase}”, and then refused."
        elif after.phase not in (before.phase, *row.next_phases):
            leads = f"“{row.event_name}” leads from “{row.phase}” to “{after.phase}”"
            yield f"{leads}; its row says {', '.join(row.next_phases)}."
    for state in played.luck.sample(played.states, min(12, len(played.states))):
        for event in played.luck.sample(played.events, min(12, len(played.events))):
            after = played.rules.apply(state, event)
            if after is None or (played.rules.refuse(state, event) and after != state):
                yield f"“{to_json(event).decode()}” in “{state.phase}” leads to {after}."


def check_replay(_game: Game, played: RandomGame) -> Iterator[str]:
    """The events alone, as they are written, lead to the same game."""
    types = played.rules.event_types
    lines = [msgspec.json.decode(to_json(event), type=types) for event in played.events]
    if played.rules.replay(lines) != played.state:
        yield "Replayed the game is another one: is a clock or a die in the rules?"


def check_hands(_game: Game, played: RandomGame) -> Iterator[str]:
    """A closed hand opens if its choice offers the value inside, and shows nothing to the others
    until the last one is open."""
    for state in played.states:
        opens = played.rules.find_row(state, Opened) is not None
        choice = played.rules.hand_choice(state, 1) if opens else None
        if opens and choice is None:
            yield f"The rows of “{state.phase}” do not say what a hand may hold (hand_choice)."
        if choice is None or len(state.hands.unopened_seats()) < len(state.players):
            continue
        for value in ODD_VALUES:
            if _opens(played, state, value) != is_offered(choice, value):
                yield f"A hand with {value!r} opens, or does not, against what hand_choice says."
        values = [hold_anything(choice, played.luck) for _ in range(8)]
        worlds = [replace(state, hands=state.hands.open(1, value)) for value in values]
        if len({_views_of_others(played, world, 1) for world in worlds}) > 1:
            yield "What seat 1 opened can be seen before the last hand is open."


def _opens(played: RandomGame, state: Any, value: Value) -> bool:
    """Return whether a hand of seat 1 that was closed around this would open."""
    seal = make_seal(state.id, state.hands.round, 1, value, "0" * 32)
    hands = replace(state.hands, seals=replace_entry(state.hands.seals, 1, seal))
    return played.rules.refuse(replace(state, hands=hands), Opened(1, value, "0" * 32)) is None


def check_hidden(_game: Game, played: RandomGame) -> Iterator[str]:
    """One player's hidden state never changes another's view."""
    known = {*map(name_field, played.rules.open_fields)}
    states = [state for state in played.states if state.phase != "over"]
    for state in played.luck.sample(states, min(12, len(states))):
        for seat, player in enumerate(state.players, 1):
            for name in {*player.__struct_fields__} - known:
                if type(getattr(player, name)) is not int:
                    continue
                richer = replace(player, **{name: getattr(player, name) + 1})
                other = replace(state, players=replace_entry(state.players, seat, richer))
                views = [_views_of_others(played, world, seat) for world in (state, other)]
                if views[0] != views[1]:
                    yield f"In “{state.phase}” others see “{name}”, which open_fields lacks."


def _views_of_others(played: RandomGame, state: Any, seat: int) -> bytes:
    """Return the views of the other seats, without the seals."""
    rules, bare = played.rules, replace(state.hands, seals=("",) * len(state.players))
    state = replace(state, hands=bare)
    others = (n for n in range(1, len(state.players) + 1) if n != seat)
    views = [make_view(rules, state, 1, n) for n in (0, *others)]
    return msgspec.json.encode(views)


def check_cards(_game: Game, played: RandomGame) -> Iterator[str]:
    """No card lies at more places than the box has of it."""
    box = played.rules.box.tagged_pieces()
    for state in played.states:
        places = played.rules.expected_cards(state).values()
        lying = Counter(card for cards in places for card in cards if card is not None)
        for card, n in lying.items():
            if n > box.get(card, 0):
                yield f"In “{state.phase}” {n} × “{card}” should lie there: the box has less."


def check_sentences(game: Game, played: RandomGame) -> Iterator[str]:
    """Rules that are cited exist; sentences have their facts, and none prints Python."""
    verdicts = {id(v): v for state in played.states for v in (state.verdict, state.score) if v}
    steps = [step for verdict in verdicts.values() for step in verdict.steps]
    cited = {row.rule for row in played.rules.rows} | {step.rule for step in steps}
    known = {*game.rules.rules, *SEALING, *TABLE}
    for rule in sorted((cited | {played.rules.start_rule, played.rules.end_rule}) - known):
        yield f"The rule {rule} is cited, and is not among the rules in words."
    for words in map(get_language, LANGUAGES):
        said = [words(played.rules.describe_phase(state)) for state in played.states]
        for sentence in (*said, *(words.render(step.text, step.facts) for step in steps)):
            if any(sign in sentence for sign in PYTHON):
                yield f"This sentence prints Python: “{sentence}”"


LAWS: Mapping[str, Callable[[Game, RandomGame], Iterator[str]]] = {
    "the game ends": check_end,
    "every offer is granted": check_offers,
    "events replay the game": check_replay,
    "closed hands open, and stay secret until the last": check_hands,
    "hidden things stay hidden": check_hidden,
    "no card is in two places": check_cards,
    "sentences have their facts, and cited rules exist": check_sentences,
}


def check_game(game: Game, seeds: Iterable[int] = range(12)) -> dict[str, str]:
    """Play a game at random, once for each seed; return the first sentence about each law that it
    breaks."""
    broken: dict[str, str] = {}
    for seed in seeds:
        try:
            played = play_at_random(game, seed)
            for law, ask in LAWS.items():
                for finding in ask(game, played):
                    broken.setdefault(law, finding)
        except Exception as error:  # noqa: BLE001  A stranger's code may raise whatever it likes.
            broken.setdefault("its own code raises nothing", describe_error(game, error))
    return broken


def describe_error(game: Game, error: Exception) -> str:
    """Return the error that a game's own code raised, and the line of that code."""
    own = find_own_line(game, error)
    where = f"{Path(own.filename).name}, line {own.lineno}: " if own else ""
    first_line = next(iter(str(error).splitlines()), "")
    return f"{where}{type(error).__name__}: {first_line}"
