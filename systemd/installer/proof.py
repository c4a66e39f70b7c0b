"""The proof that is asked of a new version before anything is switched to it.

Laws: it replays this table's own games and has to come to the same states, verdicts and
fingerprints as the version that runs; where the release says of a rule that it is judged anew, the
owner has to agree. Then it has to start on a copy of the data and show its pages. Until then
nothing that runs is touched. Wording is not compared, and neither is what only one of both knows.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .machine import DISK_FULL, InstallFailed, TargetMachine
from .step import Print
from .system import CONFIG, DATA, command_as_user
from .told import tell_replayed, tell_stage, tell_tried

TELL = Path(__file__).with_name("tell_games.py")
ASK = Path(__file__).with_name("game_under_way.py")
TRY = Path(__file__).with_name("try_table.py")
JUDGED_ANEW = "systemd/judged_anew.txt"
"""In a clone: the ids of rules that this release judges differently, one a line, each with why."""
TOO_OLD = 3
UNDER_WAY = 4
"""The statuses with which these programs end."""
FULL_WORDS = ("No space left", "disk is full")
"""What the system and SQLite say of a full disk."""
WORDS = frozenset({"text", "told", "sums", "box"})
"""What is only wording: a template, what a game says of an outcome, how bids are added up; and the
description of a box, since what it changes shows in states and verdicts."""


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


def check_games(
    machine: TargetMachine, old: str, new: str, data: str, anew: frozenset[str]
) -> list[FirstDifference]:
    """Return the cases judged differently by a rule that is in `anew`; InstallFailed at another.

    `old` and `new` are the Pythons of the two versions.
    """
    before = _tell_games(machine, old, data)
    if before is None:
        return []
    after = {each["id"]: each for each in _tell_games(machine, new, data) or []}
    cases = [case for each in before if (case := compare_games(each, after.get(each["id"], {})))]
    for case in cases:
        if case.rule not in anew:
            raise InstallFailed(
                f"The new version sees {case.describe()} differently from the one that runs, and "
                "the release does not say so. It is not installed; the table goes on as it was.",
                "differs",
                [case.describe()],
            )
    tell_replayed(len(before))
    return cases


def prove(
    machine: TargetMachine, pythons: tuple[str, str], clone: Path, say: Print, again: str
) -> None:
    """Have the new version replay the games, and start on a copy; InstallFailed if it may not run.

    `pythons` are those of the version that runs and of the new one; `again` is what to type to
    agree to games that are judged anew, empty if that was typed.
    """
    say("  do      prove the new version on the games and a copy of the data")
    tell_stage("prove")
    cases = check_games(machine, *pythons, DATA, read_judged_anew(clone))
    check_table(machine, pythons[1], CONFIG, DATA)
    tell_tried()
    for case in cases:
        say(f"  differs {case.describe()}, as its release says")
    if cases and again:
        raise InstallFailed(
            f"The new version judges these games anew. If you agree: sudo {again}. Until then the "
            "table goes on as it was.",
            "agree",
            [case.describe() for case in cases],
        )


def _tell_games(machine: TargetMachine, python: str, data: str) -> list[dict[str, object]] | None:
    """Return what the games come to, as a version says; None if it is too old to be asked."""
    done = machine.run(*command_as_user([python, "-IB", "-c", TELL.read_text("utf-8"), data]))
    if done.returncode == TOO_OLD:
        return None
    if done.returncode:
        raise InstallFailed(_refuse("it cannot read the games of this table", done.stderr))
    return [json.loads(line) for line in done.stdout.splitlines()]


def check_table(machine: TargetMachine, new: str, config: str, data: str) -> None:
    """Raise InstallFailed unless the new version starts on a copy of the data and shows pages."""
    ask = [new, "-IB", "-c", TRY.read_text("utf-8"), config, data]
    done = machine.run(*command_as_user(ask))
    if done.returncode:
        raise InstallFailed(_refuse("it does not start on a copy of your data", done.stderr))


def _refuse(what: str, said: str) -> str:
    if any(words in said for words in FULL_WORDS):
        return DISK_FULL
    last = said.strip().rpartition("\n")[2] or "it says nothing"
    return f"The new version was tried and is not installed: {what} ({last})."


def check_no_game(machine: TargetMachine, runs: str, data: str, again: str) -> None:
    """Raise InstallFailed while a game is under way; `again` is what to type to do it all the same.

    `runs` is the Python of the version that runs.
    """
    done = machine.run(*command_as_user([runs, "-IB", "-c", ASK.read_text("utf-8"), data]))
    if done.returncode == UNDER_WAY:
        raise InstallFailed(
            "A game is under way, and nothing was switched: end it on the host's page, or type "
            f"{again} and it goes on at the same question after a pause of some seconds.",
            "under_way",
        )


def compare_games(old: dict[str, Any], new: dict[str, Any]) -> FirstDifference | None:
    """Return the first case in which two versions see a game differently."""
    for was, now in zip(old.get("verdicts", ()), _padded(new.get("verdicts", ())), strict=False):
        if not is_alike(was, now):
            return FirstDifference(old["id"], was["at"], _find_rule(was["of"], now.get("of", {})))
    if new.get("lines", 0) > old["lines"]:  # It went on while the new version was asked.
        return None
    whole = {name: each for name, each in old.items() if name != "verdicts"}
    if not is_alike(whole, {"state": None, "fingerprint": None, **new}):
        return FirstDifference(old["id"], 0, "")
    return None


def _padded(verdicts: list[dict[str, object]]) -> Iterator[dict[str, object]]:
    """Yield the verdicts, and then none for ever."""
    yield from verdicts
    while True:
        yield {"at": None, "of": None}


def _find_rule(was: Any, now: object) -> str:
    """Return the rule of the first step that differs, of the outcome if no step does."""
    steps = was.get("steps", ())
    others = now.get("steps", ()) if isinstance(now, dict) else ()
    for one, other in zip(steps, others, strict=False):
        if not is_alike(one, other):
            return str(one.get("rule", ""))
    return str(steps[min(len(others), len(steps) - 1)].get("rule", "")) if steps else ""


def is_alike(old: object, new: object) -> bool:
    """Return whether two versions say the same, but for words and for what one does not know."""
    if isinstance(old, dict) and isinstance(new, dict):
        both = (old.keys() & new.keys()) - WORDS
        return all(is_alike(old[name], new[name]) for name in both)
    if isinstance(old, list) and isinstance(new, list):
        return len(old) == len(new) and all(map(is_alike, old, new))
    return bool(old == new)


def read_judged_anew(clone: Path) -> frozenset[str]:
    """Return the rules that this release judges anew."""
    path = clone / JUDGED_ANEW
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    return frozenset(line.split()[0] for line in lines if line.strip() and line[0] != "#")
