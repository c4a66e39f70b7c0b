"""The laws of the phase table and of the pile: where rows lead, and which cards can still come."""

from collections import Counter
from typing import get_args

from companion.games.game import Game
from companion.games.rulebook import AnyRulebook, Who
from companion.testing.random_games import Findings, random_game

OVER = "over"


def check_phases(game: Game, seed: int) -> Findings:
    """Every row leads to phases that there are, and the game goes to no other."""
    played = random_game(game, seed)
    rules = played.rules
    yield from _wrong_rows(rules)
    steps = zip(played.states[:-1], played.events[1:], played.states[1:], strict=True)
    for before, event, after in steps:
        row = rules.find_row(before, type(event))
        if row is not None and after.phase not in (before.phase, *row.next_phases):
            said = ", ".join(f"“{name}”" for name in row.next_phases)
            leads = f"“{row.event_name}” leads from “{row.phase}” to “{after.phase}”"
            yield f"{leads}; its row says {said}."
            return


def _wrong_rows(rules: AnyRulebook) -> Findings:
    """Yield a sentence for each row that no seat can use, and for each phase that a row leads to
    and that has no row of its own."""
    known, speakers = {OVER, *(row.phase for row in rules.rows)}, get_args(Who)
    for row in rules.rows:
        if row.who not in speakers:
            says = f"The row of “{row.event_name}” in “{row.phase}” is for “{row.who}”"
            yield f"{says}, and should be for one of {', '.join(speakers)}."
        for name in row.next_phases:
            if name not in known:
                leads = f"The row of “{row.event_name}” in “{row.phase}” leads to “{name}”"
                yield f"{leads}, a phase that has no row."


def check_draws(game: Game, seed: int) -> Findings:
    """A card that lay open comes up no more often than the box has it, unless cards return."""
    played = random_game(game, seed)
    box, came = played.rules.box.tagged_pieces(), Counter[str]()
    if played.rules.cards_come_again:
        return
    for event in played.events:
        card = getattr(event, "card", None) if event.with_pieces else None
        if isinstance(card, str):
            came[card] += 1
            if came[card] > box.get(card, 0):
                yield (
                    f"The card “{card}” comes {came[card]} times in a game, and the box has "
                    f"{box.get(card, 0)} of it: does the pile forget what is gone? A game that "
                    "shuffles cards back in says so with cards_come_again."
                )
                return
