"""What differs between two versions that tell of the same game (`companion/records/witness.py`).

Laws: a new version may say more than the one before, never less: fields are added, players and
colours are not. Wording is not compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

KEY = "="
"""How the witness marks a key of a mapping, which is a player or a colour and no field."""
WORDS = frozenset({"text", "told", "sums", "box"})
"""What is only wording: a template, what a game says of an outcome, how bids are added up; and the
description of a box, since what it changes shows in states and verdicts."""
Replay = dict[str, Any]
"""What a version says of a game, or of a verdict in it."""
NONE: Replay = {"at": None, "of": {}}
"""A verdict that a version does not give."""


@dataclass(frozen=True)
class FirstDifference:
    """The first thing of a game that two versions see differently."""

    game: str
    at: int
    rule: str

    def describe(self) -> str:
        """Return it as a part of a sentence."""
        by = f" by rule {self.rule}" if self.rule else ""
        when = f"at moment {self.at}" if self.at else "at its end"
        return f"game {self.game} {when}{by}"


def compare_games(old: Replay, new: Replay) -> FirstDifference | None:
    """Return the first case in which two versions see a game differently."""
    verdicts = old.get("verdicts", [])
    others = new.get("verdicts", [])
    for was, now in zip(verdicts, [*others, *[NONE] * len(verdicts)], strict=False):
        if not is_alike(was, now):
            return FirstDifference(old["id"], was["at"], _find_rule(was["of"], now["of"]))
    if new.get("lines", 0) > old["lines"]:  # It went on while the new version was asked.
        return None
    for more in others[len(verdicts) :]:
        return FirstDifference(old["id"], more["at"], _find_rule(more["of"], {}))
    whole = {name: each for name, each in old.items() if name != "verdicts"}
    return None if is_alike(whole, new) else FirstDifference(old["id"], 0, "")


def _find_rule(was: Replay, now: Replay) -> str:
    """Return the rule of the first step that differs, of the outcome if no step does."""
    steps, others = was.get("steps", ()), now.get("steps", ())
    for one, other in zip(steps, others, strict=False):
        if not is_alike(one, other):
            return str(one.get("rule", ""))
    return str(steps[min(len(others), len(steps) - 1)].get("rule", "")) if steps else ""


def is_alike(old: object, new: object) -> bool:
    """Return whether a version says all that the one before says, but for words; a field may be
    added, a key of a mapping may not."""
    if isinstance(old, dict) and isinstance(new, dict):
        told, added = old.keys() - WORDS, new.keys() - old.keys()
        whole = told <= new.keys() and not any(name.startswith(KEY) for name in added)
        return whole and all(is_alike(old[name], new[name]) for name in told)
    if isinstance(old, list) and isinstance(new, list):
        return len(old) == len(new) and all(map(is_alike, old, new))
    return bool(old == new)
