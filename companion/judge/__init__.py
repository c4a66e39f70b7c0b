"""The judge: settles a dispute that somebody types in, at this table or at any other.

Law: the judge resolves nothing by itself. It reads a case strictly and hands it to the same
resolutions that the live table uses; what comes back is said with the same steps.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Any

import msgspec

from companion.core.errors import Malformed
from companion.core.house_rules import describe_house_rule
from companion.core.i18n import N_, Language, message
from companion.core.verdict import Verdict, render_steps
from companion.games.bankueberfall import judge as bankueberfall
from companion.games.banque_fatale import judge as banque_fatale
from companion.games.robby_solo import judge as robby_solo
from companion.judge.fields import check_choice, shorten

GAMES: dict[str, Any] = {
    "bankueberfall": bankueberfall,
    "banque_fatale": banque_fatale,
    "robby_solo": robby_solo,
}

INTERNAL = frozenset({"steps", "verdict", "risen"})
"""Fields of a verdict that its answer words differently, or leaves out."""


def decide(case: Mapping[str, Any]) -> Verdict:
    """The verdict on a case."""
    game = GAMES[_require_option(case, "game", GAMES)]
    kind: Callable[[Mapping[str, Any]], Verdict] = game.KINDS[
        _require_option(case, "kind", game.KINDS)
    ]
    return kind(case)


def _require_option(case: Mapping[str, Any], field: str, choices: Collection[str]) -> str:
    if field not in case:
        text = N_("{field} is missing; it is one of {options}.")
        raise Malformed(field, text, options=", ".join(choices))
    return str(check_choice(case[field], field, choices))


def render_verdict(verdict: Verdict, language: Language) -> dict[str, Any]:
    """The verdict as plain data: its outcome, then its steps with their sentences."""
    found = {
        name: value
        for name in verdict.__struct_fields__
        if name not in INTERNAL and (value := getattr(verdict, name)) is not None
    }
    found["steps"] = render_steps(verdict, language)
    return found


def render_error(error: Malformed, language: Language) -> dict[str, str]:
    """What is wrong with a case, as plain data."""
    return {"error": language(error.say), "field": shorten(error.field)}


def render_text(verdict: Verdict, language: Language) -> str:
    """The verdict as one would read it aloud: numbered sentences, each with its rule."""
    return "\n".join(
        f"{n}. {step['text']} {_cite_rule(step, language)}"
        for n, step in enumerate(render_steps(verdict, language), 1)
    )


def _cite_rule(step: Mapping[str, Any], language: Language) -> str:
    house = step.get("house_rule")
    if house is None:
        return f"[{step['rule']}]"
    named = language(message("house rule: {use}", use=describe_house_rule(**house)))
    return f"[{step['rule']}; {named}]"


def to_json(plain: Mapping[str, Any]) -> bytes:
    """Plain data as one line of JSON."""
    return msgspec.json.encode(plain)
