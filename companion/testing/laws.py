"""The laws of every game, each a function that yields a sentence for whatever breaks it.

Law: a law asks the rule book and nothing else, and what a game's own code raises is a finding, too.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from companion.core.commitment import make_seal, replace_entry
from companion.core.errors import Malformed
from companion.core.events import Opened, Value, from_text, to_json, to_text
from companion.core.hand_choice import is_offered
from companion.games.game import Game
from companion.games.game_state import GameState
from companion.games.own_code import find_own_line
from companion.games.random_game import LONGEST, RandomGame
from companion.games.rulebook import AnyRulebook, Rulebook
from companion.table.view import open_view, seat_view
from companion.testing.declaration_laws import (
    check_draws,
    check_phases,
    check_rule_ids,
    check_sentences,
)
from companion.testing.random_games import Findings, Law, random_game

ODD_VALUES: tuple[Value, ...] = (
    -1,
    10**9,
    "",
    "nobody’s card",
    {},
    {"nothing": 1},
    {"nothing": -1},
    0,
    1,
)
"""What no phone of ours would close a hand around."""


def check_end(game: Game, seed: int) -> Findings:
    """A game comes to its end, and something is offered until then."""
    played = random_game(game, seed)
    seats = {*range(1, len(played.state.players) + 1)}
    for state in played.states:
        for seat in sorted({*played.rules.awaited_seats(state)} - seats):
            yield f"In the phase “{state.phase}” the game waits for seat {seat}; they count from 1."
            return
    if played.is_over and played.state.score is None:
        yield "The game is over, and there is no score."
    elif len(played.events) >= LONGEST:
        yield f"The game does not end within {LONGEST} events."
    elif not played.is_over:
        yield f"In the phase “{played.state.phase}” {_say_stuck(played)}"


def _say_stuck(played: RandomGame) -> str:
    """Say why a game does not go on: nothing is offered, or something with nothing to choose."""
    for seat in played.rules.awaited_seats(played.state):
        for may in played.rules.list_options(played.state, seat):
            empty = [field for one in may.choices for field, value in one.items() if value == ()]
            if empty:
                text = f"“{may.do}” is offered, and nothing can be chosen for “{empty[0]}”"
                return f"{text}: is the pile empty, and the game not over?"
    return "nothing is offered to any seat that is awaited."


def check_offers(game: Game, seed: int) -> Findings:
    """Everything that is offered is granted, and changes the game."""
    played = random_game(game, seed)
    for before, event in zip(played.states[:-1], played.events[1:], strict=True):
        refused = played.rules.refuse(before, event)
        if refused is not None:
            yield f"“{to_text(event)}” is offered and then refused: {refused.code}."


def check_totality(game: Game, seed: int) -> Findings:
    """An event that does not fit is refused with a reason, and leaves the game as it was."""
    played, luck = random_game(game, seed), Random(seed)
    states = luck.sample(played.states, min(12, len(played.states)))
    for state in states:
        for event in luck.sample(played.events, min(12, len(played.events))):
            if played.rules.refuse(state, event) is not None:
                if played.rules.apply(state, event) != state:
                    yield f"“{to_text(event)}” is refused in “{state.phase}” and changes the game."
            elif (after := played.rules.apply(state, event)) is None:
                yield f"“{to_text(event)}” is granted in “{state.phase}”, and leads to {after}."


def check_fortunes(game: Game, seed: int) -> Findings:
    """What everyone has on the way becomes the score at the end."""
    played = random_game(game, seed)
    if not played.is_over or played.state.score is None:
        return
    told = [dict(played.rules.count_fortunes(state)) for state in played.states]
    if any(told) and told[-1] != played.state.score.totals:
        yield f"count_fortunes says {told[-1]} at the end, the score {played.state.score.totals}."
    if any(each.keys() != told[0].keys() for each in told):
        yield "count_fortunes does not name the same players in every state."


def check_replay(game: Game, seed: int) -> Findings:
    """The events alone lead to the same game, in both of their written forms."""
    played = random_game(game, seed)
    types = played.rules.event_types
    try:
        lines = [from_text(to_text(event), types) for event in played.events]
    except Malformed as error:
        yield f"An event cannot be read back from its text: {error}"
        return
    json = [msgspec.json.decode(to_json(event), type=types) for event in played.events]
    for form, events in (("text", lines), ("JSON", json)):
        if played.rules.replay(events) != played.state:
            yield f"Replayed from {form} the game is another one: is a clock or a die in the rules?"


def check_seals(game: Game, seed: int) -> Findings:
    """Close hands around odd values: those that their choice offers open, no others do."""
    played = random_game(game, seed)
    for n, state in enumerate(played.states):
        row = played.rules.find_row(state, Opened)
        if row is None or n + 1 == len(played.states):
            continue
        for seat in state.hands.unopened_seats():
            choice = played.rules.hand_choice(state, seat)
            if choice is None:
                yield f"The rows of “{state.phase}” do not say what a hand may hold (hand_choice)."
                return
            for value in ODD_VALUES:
                granted = _opens(played.rules, state, seat, value)
                if granted != is_offered(choice, value):
                    opens = "opens" if granted else "does not open"
                    yield f"A hand with {value!r} {opens}, against what hand_choice says."
                    return


def _opens(rules: AnyRulebook, state: Any, seat: int, value: Value) -> bool:
    """Return whether a hand that was closed around this would open."""
    nonce = "0" * 32
    seal = make_seal(state.id, state.hands.round, seat, value, nonce)
    hands = msgspec.structs.replace(state.hands, seals=replace_entry(state.hands.seals, seat, seal))
    sealed = msgspec.structs.replace(state, hands=hands)
    return rules.refuse(sealed, Opened(seat, value, nonce)) is None


def check_secrets(game: Game, seed: int) -> Findings:
    """The first hands that open show nothing to the others until the last one is open."""
    played = random_game(game, seed)
    rules = played.rules
    for state in played.states:
        closed = state.hands.unopened_seats() if rules.find_row(state, Opened) else ()
        if len(closed) != len(state.players):
            continue
        choice = rules.hand_choice(state, 1)
        if choice is None:
            return
        values = [played.choose_value(choice) for _ in range(8)]
        seen = {_views_after_opening(rules, state, value) for value in values}
        if len(seen) > 1:
            yield "What seat 1 opened can be seen before the last hand is open."
            return


def _views_after_opening(rules: AnyRulebook, state: Any, value: Value) -> bytes:
    """Return all that others see when seat 1 has opened a hand, without the seals."""
    hands = msgspec.structs.replace(state.hands.open(1, value), seals=("",) * len(state.players))
    state = msgspec.structs.replace(state, hands=hands)
    views = [open_view(rules, state, 1), *(
        seat_view(rules, state, 1, seat) for seat in range(2, len(state.players) + 1)
    )]  # fmt: skip
    return msgspec.json.encode(views)


def check_hidden(game: Game, seed: int) -> Findings:
    """In two worlds that differ in what one player has behind a screen, the others see the same."""
    played = random_game(game, seed)
    rules = played.rules
    if not rules.open_fields and type(rules).public_view is not Rulebook.public_view:
        return  # A game with views of its own does not say which fields are hidden.
    states = [state for state in played.states if state.phase != "over"]
    for state in Random(seed).sample(states, min(12, len(states))):
        for seat, player in enumerate(state.players, 1):
            for name in _hidden_numbers(rules, player):
                richer = msgspec.structs.replace(player, **{name: getattr(player, name) + 1})
                players = replace_entry(state.players, seat, richer)
                other = msgspec.structs.replace(state, players=players)
                if _views_of_others(rules, state, seat) != _views_of_others(rules, other, seat):
                    yield f"In “{state.phase}” others see “{name}”, which open_fields lacks."
                    return


def _hidden_numbers(rules: AnyRulebook, player: Any) -> list[str]:
    """Return the numbers that only their owner may see."""
    known = {*rules.open_fields, *rules.known_fields}
    fields = (name for name in player.__struct_fields__ if name not in known)
    return [name for name in fields if type(getattr(player, name)) is int]


def _views_of_others(rules: AnyRulebook, state: GameState, seat: int) -> bytes:
    others = (n for n in range(1, len(state.players) + 1) if n != seat)
    views = [open_view(rules, state, 1), *(seat_view(rules, state, 1, n) for n in others)]
    return msgspec.json.encode(views)


def check_cards(game: Game, seed: int) -> Findings:
    """No card lies at more places than the box has of it."""
    played = random_game(game, seed)
    box = played.rules.box.tagged_pieces()
    for state in played.states:
        places = played.rules.expected_cards(state)
        for place, cards in places.items():
            if not isinstance(cards, tuple):
                yield f"expected_cards says {cards!r} of place {place}: no tuple of cards."
                return
        lying = Counter(card for cards in places.values() for card in cards if card is not None)
        for card, n in lying.items():
            if n > box.get(card, 0):
                yield f"In “{state.phase}” {n} × “{card}” should lie there: the box has less."
                return


LAWS: dict[str, Law] = {
    "it comes to its end": check_end,
    "its phases lead where their rows say": check_phases,
    "what is offered is granted": check_offers,
    "whatever happens has an answer": check_totality,
    "its events replay it": check_replay,
    "its fortunes add up to its score": check_fortunes,
    "hands open as they closed": check_seals,
    "an open hand stays secret until the last": check_secrets,
    "what is hidden stays hidden": check_hidden,
    "no card lies at two places": check_cards,
    "no card comes more often than the box has it": check_draws,
    "cited rules exist": check_rule_ids,
    "sentences have their facts": check_sentences,
}


def check_game(game: Game, seeds: range) -> Iterator[tuple[str, str]]:
    """Yield each law that the game breaks, by its name, with the first sentence about it."""
    for name in LAWS:
        finding = first_finding(game, name, seeds)
        if finding is not None:
            yield name, finding


def first_finding(game: Game, law: str, seeds: range) -> str | None:
    """Return the first sentence about what breaks a law; None if nothing does."""
    return next((each for seed in seeds for each in _ask(LAWS[law], game, seed)), None)


def _ask(law: Law, game: Game, seed: int) -> Findings:
    """Yield what breaks a law; an exception out of the game's own code is told as one."""
    try:
        yield from law(game, seed)
    except Exception as error:  # noqa: BLE001  A stranger's code may raise whatever it likes.
        yield describe_failure(game, error)


def describe_failure(game: Game, error: Exception) -> str:
    """Return what a game's own code raised, and the line of that code from which it came."""
    own = find_own_line(game, error)
    where = f"{Path(own.filename).name}, line {own.lineno}: " if own else ""
    first_line = next(iter(str(error).splitlines()), "")
    return f"{where}{type(error).__name__}: {first_line}".rstrip(": ")
