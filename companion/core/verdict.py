"""Verdicts: a resolution that explains itself in numbered steps.

Law: every step cites a rule and carries the facts and numbers it used; what a verdict pays can be
computed again from its steps alone. A house rule or a ruling of ours that decided something is
named by the step in which it did; every answer of every box has its sentence, which its game
brings. The words come last, in the reader's language.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.core.errors import JsonObject
from companion.core.i18n import INSTALLED, Facts, Language, Message


class HouseRule(msgspec.Struct, frozen=True):
    """A house rule that decided something, and the way the table plays it."""

    name: str
    value: str


class VerdictStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """One step: its rule, text and facts, the house rule that decided it, and the ids of our
    rulings that did, where the booklet is silent."""

    rule: str
    text: str
    facts: Facts = {}
    house_rule: HouseRule | None = None
    rulings: tuple[str, ...] = ()


def step(
    rule: str, text: str, house: HouseRule | None = None, /, *rulings: str, **facts: object
) -> VerdictStep:
    """Make a step; the catalogue collects its text."""
    return VerdictStep(rule, text, facts, house, rulings)


class Verdict(msgspec.Struct, frozen=True, tag_field="verdict"):
    """A resolution: its outcome in fields, its reasons in steps."""

    steps: tuple[VerdictStep, ...]


class Score(Verdict, frozen=True, tag="score"):
    """The end of a game: everyone's total, and the winners."""

    totals: dict[str, int]
    winners: tuple[str, ...]


def find_fact(verdict: Verdict, name: str) -> Any:
    """Return a fact as the first step that has it says it."""
    return next(step.facts[name] for step in verdict.steps if name in step.facts)


def find_winners(totals: Mapping[str, int]) -> tuple[str, ...]:
    """Return the names with the highest total; equal first places share the win."""
    best = max(totals.values(), default=0)
    return tuple(name for name, total in totals.items() if total == best)


def render_steps(verdict: Verdict, language: Language) -> list[JsonObject]:
    """Return the steps as plain data, with their sentences in one language."""
    return [_render_step(step, language) for step in verdict.steps]


def _render_step(step: VerdictStep, language: Language) -> JsonObject:
    worded = {
        "rule": step.rule,
        "text": language.render(step.text, step.facts),
        "facts": step.facts,
    }
    if step.house_rule is not None:
        worded["house_rule"] = {"name": step.house_rule.name, "value": step.house_rule.value}
    if step.rulings:
        worded["rulings"] = [*step.rulings]
    return worded


# House rules in words.


def describe_house_rule(name: str, value: str) -> Message:
    """Return a house rule and its answer as a sentence, else its name and answer."""
    return Message(INSTALLED.house_rules.get((name, value), f"{name}: {value}"))
