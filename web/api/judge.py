"""Judge operations: decide a case, compare it with a changed one, look back at the game.

Law: the judge writes nothing. A case is read as strictly as on the command line and answered with
the same contract; what may be looked back at, and when, the table decides.
"""

from collections.abc import Iterable
from typing import Any, cast

from flask import abort
from msgspec import UNSET, Struct, UnsetType, defstruct

from companion.core.errors import JsonObject, Refusal, refusal
from companion.core.i18n import Language, get_language
from companion.games.correction_rules import Difference
from companion.judge import decide as judge
from companion.judge.better import find_better, render_better, say_better
from companion.judge.it_depends import judge_possibilities, render_possibilities
from companion.table.look_back import LookBack, list_log, look_back
from companion.table.outcomes import what_if
from companion.table.view import LogEntry
from web.api.operation import Api
from web.context import current_context
from web.rendering.screens import requested_names, session_language

api = Api(
    "judge",
    "/api/judge",
    "The judge: a case decided, a case compared with itself changed, the game looked back at.",
)


class Case(Struct, frozen=True, forbid_unknown_fields=True):
    """A dispute, as docs/judge.md has it; which fields it needs, its game and its kind decide."""

    game: Any
    kind: Any

    def to_dict(self) -> JsonObject:
        """Return the case as the judge reads it: only the fields that are set."""
        fields = ((name, getattr(self, name)) for name in self.__struct_fields__)
        return {name: value for name, value in fields if value is not UNSET}


def case_type(games: Iterable[str]) -> type[Case]:
    """Return a type of case with the fields of all kinds of these games."""
    kinds = [kind for game in games for kind in judge.find_kinds(game).values()]
    fields = dict.fromkeys(name for kind in kinds for name in kind.shapes)
    return cast(type[Case], defstruct(
        "Case", [(name, Any, UNSET) for name in fields], bases=(Case,),
        namespace={"__doc__": Case.__doc__}, module=__name__, frozen=True,
        forbid_unknown_fields=True,
    ))  # fmt: skip


ANY_CASE = case_type(judge.judged_games())
EXAMPLE = next(iter(judge.find_kinds(judge.judged_games()[0]).values())).example


class ChangedCase(Struct, frozen=True, forbid_unknown_fields=True):
    """A case, and the fields that would have been otherwise."""

    case: JsonObject
    change: JsonObject


class CaseOfPlayer(Struct, frozen=True, forbid_unknown_fields=True):
    """A case, and the name of a player in it."""

    case: JsonObject
    who: str


class JudgeStep(Struct, frozen=True):
    """One step of an answer: its rule, its sentence, the facts it used; the house rule, or the ids
    of our rulings, that decided it."""

    rule: str
    text: str
    facts: JsonObject
    house_rule: dict[str, str] | UnsetType = UNSET
    rulings: list[str] | UnsetType = UNSET


class JudgeAnswer(Struct, frozen=True):
    """A verdict: numbered steps, and the outcome in the fields of its kind."""

    steps: list[JudgeStep]


class Forked(Struct, frozen=True):
    """Both verdicts, who gets how much more or less by the second, and all of it in words."""

    first: JudgeAnswer
    then: JudgeAnswer
    differences: list[Difference]
    says: list[str]


class OpenCase(Struct, frozen=True, forbid_unknown_fields=True):
    """A case that may have unknown values: “?”, {"one_of": […]} or {"from": …, "to": …}."""

    case: JsonObject


class PossibleAnswer(Struct, frozen=True):
    """All possible results of a case: the certain part, and what decides the rest, in words."""

    fillings: int
    unknown: list[str]
    certain: list[str]
    endings: list[JsonObject]
    for_example: bool
    ranges: list[str]
    idle: list[str]
    says: list[str]


class OtherDecision(Struct, frozen=True):
    """Values that would have brought a player as much more, of the field of a case."""

    field: str
    values: list[Any]
    more: dict[str, int]
    says: str


class OtherDecisions(Struct, frozen=True):
    """Decisions that would have brought a player more, also in words."""

    better: list[OtherDecision]
    says: list[str]


class Log(Struct, frozen=True):
    """Moments of the game, the oldest first."""

    entries: tuple[LogEntry, ...]


def _readers_words() -> Language:
    """Return the language of the asking browser, with the names that it may know: a case of the
    game on the table names its seats."""
    return get_language(session_language()).with_names(requested_names())


@api.post("/cases", takes=ANY_CASE, gives=JudgeAnswer, name="decide")
def decide_case(body: Case) -> JsonObject:
    """Decide a case, at this table or at any other."""
    return judge.render_verdict(judge.decide(body.to_dict()), _readers_words())


@api.post("/forks", takes=ChangedCase, gives=Forked, name="fork")
def compare_cases(body: ChangedCase) -> JsonObject:
    """Decide a case once as it was and once with some fields changed. Nothing is written."""
    words = _readers_words()
    found = what_if(body.case, body.change)
    return {
        "first": judge.render_verdict(found.first, words),
        "then": judge.render_verdict(found.then, words),
        "differences": found.differences,
        "says": [words(one) for one in found.says],
    }


@api.post("/possibilities", takes=OpenCase, gives=PossibleAnswer, name="possibilities")
def decide_possibilities(body: OpenCase) -> JsonObject:
    """Decide a case with unknown values, for every possibility."""
    words = _readers_words()
    return render_possibilities(judge_possibilities(body.case), words)


@api.post("/better", takes=CaseOfPlayer, gives=OtherDecisions, name="better")
def find_other_decisions(body: CaseOfPlayer) -> JsonObject:
    """Find the decisions that would have brought a player of a case more."""
    words = _readers_words()
    found = find_better(body.case, body.who)
    return {
        "better": render_better(found, words),
        "says": [words(one) for one in say_better(found, body.who)],
    }


@api.get("/verdict", gives=LookBack, name="verdict")
def get_last_verdict() -> LookBack | Refusal:
    """Return the last verdict, and the sources of its facts."""
    return look_back(current_context().table.history) or refusal(
        "no_verdict", "", "There is no verdict yet."
    )


@api.get("/moments/<int:at>", gives=LookBack, name="moment")
def get_moment(at: int) -> LookBack | Refusal:
    """Return one moment of the game, while the judge is called or once the game is over."""
    if at == 0:
        abort(404)
    return look_back(current_context().table.history, at) or abort(404)


@api.get("/log", gives=Log, name="log")
def get_log() -> Log:
    """Return the last moments and those the newest verdict rests on; the whole log while the judge
    is called, or once the game is over."""
    return Log(list_log(current_context().table.history))
