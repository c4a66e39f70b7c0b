"""The laws of what a game says: the rules that it cites exist, its sentences have their facts."""

from companion.core.i18n import LANGUAGES, get_language
from companion.core.verdict import Verdict
from companion.games.game import Game
from companion.games.random_game import RandomGame
from companion.games.rule_texts import SEALING, TABLE
from companion.testing.random_games import Findings, random_game


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
