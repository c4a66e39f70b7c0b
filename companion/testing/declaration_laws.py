"""The laws of what a game declares: where its rows lead, which cards can still come, that the rules
it cites exist, and that its sentences have their facts."""

from collections import Counter
from typing import get_args

from companion.core.i18n import LANGUAGES, get_language
from companion.core.verdict import Verdict
from companion.games.game import Game
from companion.games.random_game import RandomGame
from companion.games.rule_texts import SEALING, TABLE
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


def check_rule_ids(game: Game, seed: int) -> Findings:
    """Every rule that is cited is among the rules in words."""
    played, known = random_game(game, seed), {*game.rules.rules, *SEALING, *TABLE}
    rules = played.rules
    cited = {row.rule for row in rules.rows} | {rules.start_rule, rules.end_rule}
    cited |= {step.rule for verdict in _verdicts(played) for step in verdict.steps}
    for rule in sorted(cited - known):
        yield f"The rule {rule} is cited, and is not among the rules in words."


def check_sentences(game: Game, seed: int) -> Findings:
    """Every sentence has the facts that it names, in every language."""
    played = random_game(game, seed)
    rules = played.rules
    for code in LANGUAGES:
        words = get_language(code)
        for state in played.states:
            try:
                words(rules.describe_phase(state))
            except (KeyError, IndexError) as error:
                yield f"The sentence of the phase “{state.phase}” ({code}) has no fact {error}."
                return
        for verdict in _verdicts(played):
            for step in verdict.steps:
                try:
                    words.render(step.text, step.facts)
                except (KeyError, IndexError) as error:
                    yield f"The step “{step.text}” ({code}) has no fact {error}."
                    return


def _verdicts(played: RandomGame) -> list[Verdict]:
    found = [state.verdict for state in played.states] + [state.score for state in played.states]
    return [verdict for verdict in found if verdict is not None]
