"""The judge: settle a dispute that is entered as a case, at this table or at any other.

Law: the judge resolves nothing by itself. It parses a case strictly and hands it to the same
resolutions that the live table uses; what comes back is rendered from the same steps.
"""

from collections.abc import Collection

import msgspec

from companion.core.errors import Malformed
from companion.core.house_rules import describe_house_rule
from companion.core.i18n import N_, Language, message
from companion.core.json_values import JsonObject
from companion.core.verdict import Verdict, render_steps
from companion.games import explain_missing, find_game, list_games
from companion.games.game import Game
from companion.judge.contract import write_schema
from companion.judge.fields import (
    Case,
    GameJudge,
    check_choice,
    check_fields,
    shorten,
    split_fields,
)

INTERNAL = frozenset({"steps", "verdict", "risen"})
"""Fields of a verdict that its answer words differently, or leaves out."""


def decide(case: Case) -> Verdict:
    """Return the verdict on a case; raise Malformed."""
    game, kind = check_kind(case)
    if shape := game.judge.cases.get(kind):
        check_fields(case, *split_fields(shape))
    return game.judge.kinds[kind](case)


def check_kind(case: Case) -> tuple[Game, str]:
    """Return the game and the kind of a case; raise Malformed."""
    _check_usable(case.get("game"))
    game = find_game(_require_option(case, "game", judged_games()))
    return game, _require_option(case, "kind", game.judge.kinds)


def _check_usable(game: object) -> None:
    """Raise Malformed if a case is of an installed game that cannot be used."""
    why = explain_missing(game) if isinstance(game, str) else None
    if why is not None:
        raise Malformed("game", why.text, **why.facts)


def judged_games() -> list[str]:
    """Return the names of the games whose disputes the judge knows."""
    return [game.name for game in list_games() if game.judge.kinds]


def write_contract() -> JsonObject:
    """Return the JSON Schema of every case that the judge knows."""
    return write_schema(
        shape for game in judged_games() for shape in find_judge(game).list_case_types()
    )


def find_judge(game: str) -> GameJudge:
    """Return the judge of a game by its name."""
    return find_game(game).judge


def find_example(game: str, kind: str | None) -> JsonObject:
    """Return the example of a case, the first of the game if no kind is named; raise Malformed."""
    examples = find_judge(game).examples
    if not examples:
        text = N_("{field}: {title} has no disputes of its own.")
        raise Malformed("--example", text, title=find_game(game).standard_box().title)
    if kind is not None and kind not in examples:
        text = N_("{field} must be one of {options}, not {value}.")
        raise Malformed("--kind", text, options=", ".join(examples), value=kind)
    return examples[kind or next(iter(examples))]


def _require_option(case: Case, field: str, choices: Collection[str]) -> str:
    if field not in case:
        text = N_("{field} is missing; it is one of {options}.")
        raise Malformed(field, text, options=", ".join(choices))
    return str(check_choice(case[field], field, choices))


def render_verdict(verdict: Verdict, language: Language) -> JsonObject:
    """Return a verdict as plain data: its outcome, then its steps with their sentences."""
    found: JsonObject = {
        name: value
        for name in verdict.__struct_fields__
        if name not in INTERNAL and (value := getattr(verdict, name)) is not None
    }
    found["steps"] = render_steps(verdict, language)
    return found


def render_error(error: Malformed, language: Language) -> dict[str, str]:
    """Return the fault of a case as plain data."""
    return {"error": language(error.say), "field": shorten(error.field)}


def render_text(verdict: Verdict, language: Language) -> str:
    """Return a verdict to read aloud: numbered sentences, each with its rule."""
    return "\n".join(
        f"{n}. {step['text']} {_cite_rule(step, language)}"
        for n, step in enumerate(render_steps(verdict, language), 1)
    )


def _cite_rule(step: JsonObject, language: Language) -> str:
    named = [step["rule"]]
    if house := step.get("house_rule"):
        named.append(language(message("house rule: {use}", use=describe_house_rule(**house))))
    for ruling in step.get("rulings", ()):
        named.append(language(message("our ruling: {use}", use=ruling)))
    return f"[{'; '.join(named)}]"


def to_json(plain: JsonObject) -> bytes:
    return msgspec.json.encode(plain)
