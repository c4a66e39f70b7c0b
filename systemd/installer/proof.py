"""The proof that is asked of a new version before anything is switched to it.

Laws: it replays this table's own games and has to come to the same states and
verdicts as the version that runs; where the release says of a rule that it is judged anew, or
lacks a game that is installed here, the owner has to agree. Then it has to start on a copy of the
data and show its pages. Until then nothing that runs is touched.
"""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from .differences import FirstDifference, Replay, compare_games
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
HANGS = (-signal.SIGALRM, 128 + signal.SIGALRM)
"""The status of one that was ended by its own alarm, and how `runuser` says it."""
AT_ONCE = 100
"""So many games are replayed between two words about it; no more of them are ever in memory."""
MOST_NAMED = 20
"""So many cases are named."""
FULL_WORDS = ("No space left", "disk is full")
"""What the system and SQLite say of a full disk."""


@dataclass(frozen=True)
class Replayed:
    """What came of replaying the games, and so what the owner has to agree to."""

    anew: tuple[FirstDifference, ...] = ()
    """The cases judged differently, by rules of which the release says so."""
    missing: tuple[str, ...] = ()
    """Games that the version that runs knows and the new one does not."""
    unread: tuple[str, ...] = ()
    """Evenings that the version that runs cannot replay itself, which so prove nothing."""
    blind: str = ""
    """Why nothing could be compared: the version that runs does not answer."""


def check_games(
    machine: TargetMachine, pythons: tuple[str, str], data: str, anew: frozenset[str], say: Print
) -> Replayed:
    """Replay every game with both versions; return what is to be agreed to, or InstallFailed at a
    case that is judged differently by a rule that is not in `anew`.

    `pythons` are those of the version that runs and of the new one.
    """
    before = _ask(machine, pythons[0], data)
    if before is None:
        return Replayed()
    after = _ask_new(machine, pythons[1], data)
    knew, knows = (set(listed[0]["knows"]) for listed in (before, after))
    ids = [each["id"] for each in before[1:] if each["game"] in knew & knows]
    found, unread = list[FirstDifference](), list[str]()
    tell_replayed(0, len(ids))
    for start in range(0, len(ids), AT_ONCE):
        some = ids[start : start + AT_ONCE]
        told = _ask(machine, pythons[0], data, *some) or []
        others = {each["id"]: each for each in _ask_new(machine, pythons[1], data, *some)}
        unread += [was["id"] for was in told if "fails" in was]
        pairs = [(was, others.get(was["id"], {})) for was in told if "fails" not in was]
        found += [case for was, now in pairs if (case := _compare(was, now, anew))]
        tell_replayed(start + len(some), len(ids))
        say(f"  proven  {start + len(some)} of {len(ids)} games of this table")
    return Replayed(tuple(found), tuple(sorted(knew - knows)), tuple(unread))


def _compare(was: Replay, now: Replay, anew: frozenset[str]) -> FirstDifference | None:
    """Return the first case that differs, if the release says so; InstallFailed if it does not."""
    if "fails" in now:
        raise InstallFailed(_refuse(f"it cannot replay game {was['id']}", now["fails"]))
    case = compare_games(was, now)
    if case is None or case.rule in anew:
        return case
    raise InstallFailed(
        f"The new version sees {case.describe()} differently from the one that runs, and "
        "the release does not say so. It is not installed; the table goes on as it was.",
        "differs",
        [case.describe()],
    )


def prove(
    machine: TargetMachine, pythons: tuple[str, str], clone: Path, say: Print, again: str
) -> None:
    """Have the new version replay the games, and start on a copy; InstallFailed if it may not run.

    `pythons` are those of the version that runs and of the new one; `again` is what to type to
    agree to games that are judged anew or not brought, empty if that was typed.
    """
    say("  do      prove the new version on the games and a copy of the data")
    tell_stage("prove")
    replayed = _replay_games(machine, pythons, clone, say)
    check_table(machine, pythons[1], CONFIG, DATA)
    tell_tried()
    for case in _name_cases(replayed.anew):
        say(f"  differs {case}, as its release says")
    for name in replayed.missing:
        say(f"  lacks   the game {name}: its evenings stay readable and cannot be judged")
    for id in replayed.unread:
        say(f"  skipped game {id}: the version that runs cannot replay it")
    wishes = " ".join(_tell_wishes(replayed))
    if wishes and again:
        text = f"{wishes} If you agree: sudo {again}. Until then the table goes on as it was."
        raise InstallFailed(text, "agree", _name_cases(replayed.anew), replayed.missing)


def _replay_games(
    machine: TargetMachine, pythons: tuple[str, str], clone: Path, say: Print
) -> Replayed:
    """Replay the games; a version that runs, and cannot be asked, does not stand in the way of one
    that may be its cure."""
    try:
        return check_games(machine, pythons, DATA, read_judged_anew(clone), say)
    except _NotAnswered as why:
        say(f"  skipped all games: the version that runs does not replay them ({why})")
        return Replayed(blind=str(why))


def _name_cases(anew: Sequence[FirstDifference]) -> list[str]:
    """Return the first cases in words, and how many more there are."""
    more = len(anew) - MOST_NAMED
    return [case.describe() for case in anew[:MOST_NAMED]] + [f"{more} more games"] * (more > 0)


def _tell_wishes(replayed: Replayed) -> Iterator[str]:
    """Yield in sentences what the owner has to agree to."""
    if replayed.blind:
        yield (
            f"The version that runs does not replay its games ({replayed.blind}), so the new one "
            "was not compared with it."
        )
    if replayed.anew:
        yield "The new version judges these games anew."
    if replayed.missing:
        yield (
            f"The new version does not bring {', '.join(replayed.missing)}: these evenings stay "
            "readable, and cannot be judged until that game is installed again."
        )


class _NotAnswered(Exception):
    """Why a version does not say what games come to."""


def _ask_new(machine: TargetMachine, python: str, data: str, *ids: str) -> list[Replay]:
    """Return what the new version says; InstallFailed if it does not."""
    try:
        told = _ask(machine, python, data, *ids)
    except _NotAnswered as why:
        raise InstallFailed(_refuse("it cannot read the games of this table", str(why))) from why
    if told is None:
        raise InstallFailed(_refuse("it cannot say what games come to", "it is too old"))
    return told


def _ask(machine: TargetMachine, python: str, data: str, *ids: str) -> list[Replay] | None:
    """Return what a version says of these games, without ids of all games; None if it is too old
    to be asked, _NotAnswered if it fails."""
    asked = [python, "-IB", "-c", TELL.read_text("utf-8"), data, *ids]
    done = machine.run(*command_as_user(asked))
    if done.returncode == TOO_OLD:
        return None
    if done.returncode:
        last = done.stderr.strip().rpartition("\n")[2]
        raise _NotAnswered("it hangs" if done.returncode in HANGS else last or "it says nothing")
    return [json.loads(line) for line in done.stdout.splitlines()] or [{"knows": ()}]


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


def read_judged_anew(clone: Path) -> frozenset[str]:
    """Return the rules that this release judges anew."""
    path = clone / JUDGED_ANEW
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    return frozenset(line.split()[0] for line in lines if line.strip() and line[0] != "#")
