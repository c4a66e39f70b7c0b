"""Decide a case: find its kind, ask it, and render the verdict as words or as data.

Law: the judge resolves nothing by itself. It finds the kind of a case, which reads it strictly and
asks the same resolution as the live table; what comes back is rendered from the same steps.
"""

from collections.abc import Collection

from companion.core.errors import JsonObject, Malformed
from companion.core.i18n import N_, Language, message
from companion.core.verdict import Verdict, describe_house_rule, render_steps
from companion.games import explain_missing, find_game, list_games, load_games
from companion.judge.checks import check_choice, shorten
from companion.judge.kinds import Kind, Kinds
from companion.judge.values import POSSIBLE, Case

DIALECT = "https://json-schema.org/draft/2020-12/schema"
INTERNAL = frozenset({"steps", "verdict", "risen"})
"""Fields of a verdict that its answer words differently, or leaves out."""


def decide(case: Case) -> Verdict:
    """Return the verdict on a case; raise Malformed."""
    return find_kind(case).decide(case)


def find_kind(case: Case) -> Kind:
    """Return the kind of a case; raise Malformed."""
    game, name = case.get("game"), case.get("kind")
    known = load_games().games.get(game) if isinstance(game, str) else None
    if known and isinstance(name, str) and name in known.kinds:
        return known.kinds[name]
    why = explain_missing(game) if isinstance(game, str) else None
    if why is not None:
        raise Malformed("game", why.text, **why.facts)
    kinds = find_kinds(_require_option(case, "game", judged_games()))
    return kinds[_require_option(case, "kind", kinds)]


def judged_games() -> list[str]:
    """Return the names of the games whose disputes the judge knows."""
    return [game.name for game in list_games() if game.kinds]


def find_kinds(game: str) -> Kinds:
    """Return the kinds of dispute of a game by its name."""
    return find_game(game).kinds


def write_contract() -> JsonObject:
    """Return the JSON Schema of every case that the judge knows."""
    shapes = {
        f"{game}_{name}": kind.schema()
        for game in judged_games()
        for name, kind in find_kinds(game).items()
    }
    one_of = [{"$ref": f"#/$defs/{name}"} for name in shapes]
    parts = {**shapes, "possible": POSSIBLE}
    return {"$schema": DIALECT, "title": "A case for the judge", "oneOf": one_of, "$defs": parts}


def find_example(game: str, kind: str | None) -> JsonObject:
    """Return the example of a case, the first of the game if no kind is named; raise Malformed."""
    kinds = find_kinds(game)
    if not kinds:
        text = N_("{field}: {title} has no disputes of its own.")
        raise Malformed("--example", text, title=find_game(game).standard_box().title)
    if kind is not None:
        check_choice(kind, "--kind", kinds)
    return kinds[kind or next(iter(kinds))].example


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
