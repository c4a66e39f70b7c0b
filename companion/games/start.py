"""Checks before a game starts: how many play, the first of them, the house rules, the names."""

import re
import unicodedata
from collections.abc import Sequence

from companion.core.cards import Box
from companion.core.errors import Refusal, refusal
from companion.core.events import Event, Started
from companion.core.i18n import N_

LONGEST_NAME = 24
"""Characters of a player's name, at a seat as in a game."""
ID = re.compile(r"[A-Za-z0-9-]{1,64}")
COLOURED = "\ufe0f"
"""Character after a sign that is to be drawn as a picture."""
UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0100-\U000e01ef]"
)
"""Letters and accents that are printed as nothing at all, whatever their kind says."""


def refuse_start(box: Box, event: Event, rule: str, seats_free: int = 0) -> Refusal | None:
    """Return the reason this game cannot start like this; `seats_free` players are not people."""
    if not isinstance(event, Started):
        return refusal("not_started", rule, "No game has been started yet.")
    if not ID.fullmatch(event.id):  # It stands between the bars of a seal.
        return refusal("id", rule, "A game’s id is 1 to 64 letters, digits or hyphens.")
    least, most, n = box.players.least, box.players.most - seats_free, event.players
    if not least <= n <= most:
        text = N_("{title} is for {least} to {most} players, not {n}.")
        return refusal("players", rule, text, title=box.title, least=least, most=most, n=n)
    if not 1 <= event.first <= n:
        return refusal("first", rule, "No one plays at seat {seat}.", seat=event.first)
    return _refuse_house_rules(box, event.house_rules, rule)


def _refuse_house_rules(box: Box, chosen: dict[str, str], rule: str) -> Refusal | None:
    for name, value in chosen.items():
        if name not in box.house_rules:
            text = "{title} has no house rule “{name}”."
            return refusal("house_rule", rule, text, title=box.title, name=name)
        if value not in box.house_rules[name]:
            text = "The house rule {name} is {options}, not “{value}”."
            return refusal(
                "house_rule", rule, text,
                name=name, options=" | ".join(box.house_rules[name]), value=value,
            )  # fmt: skip
    return None


def refuse_names(names: Sequence[str], rule: str) -> Refusal | None:
    """Return the reason these cannot be the names of one game's players."""
    for name in names:
        is_plain = is_visible(name) and name == " ".join(name.split())
        if not (1 <= len(name) <= LONGEST_NAME and is_plain):
            return refusal(
                "name", rule, "“{name}” is not a name of 1 to {most} characters.",
                name=name, most=LONGEST_NAME,
            )  # fmt: skip
    if len({fold_name(name) for name in names}) < len(names):
        return refusal("names", rule, "Two players have the same name.")
    return None


def is_visible(name: str) -> bool:
    """Return whether all of a name can be seen, so that no two names look alike."""
    return name.isprintable() and UNSEEN.search(name.replace(COLOURED, "")) is None


def fold_name(name: str) -> str:
    """Return a name as it is heard at the table, where Ana and ana are the same."""
    return unicodedata.normalize("NFKC", UNSEEN.sub("", name)).casefold()
