"""Judge operations: decide a case, compare it with a changed one, look back at the game.

Law: the judge writes nothing. A case is read as strictly as on the command line and answered with
the same contract; what may be looked back at, and when, the table decides.
"""

from collections.abc import Iterable
from typing import Any, cast

from flask import abort
from msgspec import UNSET, Struct, UnsetType, defstruct
from msgspec.inspect import DictType, ListType, StructType, Type, type_info

from companion.core.errors import Refusal, refusal
from companion.core.i18n import N_, get_language
from companion.core.json_values import JsonObject
from companion.judge import decide as judge
from companion.judge.fields import GameJudge
from companion.judge.it_depends import judge_possibilities, render_possibilities
from companion.judge.reversal import find_reversals, say_reversals
from companion.table.balance_diff import Difference
from companion.table.history import History
from companion.table.look_back import LookBack, look_back
from companion.table.what_if import what_if
from web import responses
from web.api.operation import Api
from web.context import current_context
from web.rendering.screens import requested_table

api = Api(
    "judge",
    "/api/judge",
    "The judge: a case decided, a case compared with itself changed, the game looked back at.",
)

SHAPES: dict[type[Type], Any] = {
    ListType: list[Any] | UnsetType,
    DictType: JsonObject | UnsetType,
    StructType: JsonObject | UnsetType,
}


class Case(Struct, frozen=True, forbid_unknown_fields=True):
    """A dispute, as docs/judge.md has it; which fields it needs, its game and its kind decide."""

    game: Any
    kind: Any

    def to_dict(self) -> JsonObject:
        """Return the case as the judge reads it: only the fields that are set."""
        fields = ((name, getattr(self, name)) for name in self.__struct_fields__)
        return {name: value for name, value in fields if value is not UNSET}


class ChangedCase(Struct, frozen=True, forbid_unknown_fields=True):
    """A case, and the fields that would have been otherwise."""

    case: Case
    change: JsonObject


def case_type(judges: Iterable[GameJudge]) -> type[Case]:
    """Return the type of a case that has every field which one of these judges reads."""
    shapes: dict[str, Any] = {}
    for case in (each for one in judges for each in one.list_case_types()):
        for field in cast(StructType, type_info(case)).fields:
            name, shape = field.encode_name, SHAPES.get(type(field.type), Any)
            shapes[name] = shape if shapes.get(name, shape) == shape else Any
    own = [(name, shape, UNSET) for name, shape in shapes.items() if name not in ("game", "kind")]
    return cast(type[Case], defstruct(
        "Case", own, bases=(Case,), namespace={"__doc__": Case.__doc__}, module=__name__,
        frozen=True, forbid_unknown_fields=True,
    ))  # fmt: skip


def changed_case_type(case: type[Case]) -> type[ChangedCase]:
    """Return the type of a changed case of this type."""
    return cast(type[ChangedCase], defstruct(
        "ChangedCase", [("case", case), ("change", JsonObject)], bases=(ChangedCase,),
        namespace={"__doc__": ChangedCase.__doc__}, module=__name__,
        frozen=True, forbid_unknown_fields=True,
    ))  # fmt: skip


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
    """A case in which values may be unknown: “?”, {"one_of": […]} or {"from": …, "to": …}."""

    case: JsonObject


class PossibleAnswer(Struct, frozen=True):
    """All that a case can come to: what is certain, and what decides the rest, in words."""

    fillings: int
    unknown: list[str]
    certain: list[str]
    endings: list[JsonObject]
    for_example: bool
    ranges: list[str]
    idle: list[str]
    says: list[str]


class Otherwise(Struct, frozen=True):
    """The smallest changes that would have paid someone else, each as a case and in words."""

    cases: list[JsonObject]
    says: list[str]


ANY_CASE = case_type(judge.find_judge(game) for game in judge.judged_games())
EXAMPLE = next(iter(judge.find_judge(judge.judged_games()[0]).examples.values()))


@api.query(
    "/cases",
    N_("Decide a case, at this table or at any other."),
    takes=ANY_CASE,
    example=EXAMPLE,
    gives=JudgeAnswer,
    name="decide",
)
def decide_case(body: Case) -> JsonObject:
    """Return the verdict, as `companion judge --json` prints it."""
    return judge.render_verdict(
        judge.decide(body.to_dict()), get_language(responses.request_language())
    )


@api.query(
    "/forks",
    N_("Decide a case once as it was and once with some fields changed. Nothing is written."),
    takes=changed_case_type(ANY_CASE),
    example={"case": EXAMPLE, "change": {"cards": ["5", "x"]}},
    gives=Forked,
    name="fork",
)
def compare_cases(body: ChangedCase) -> JsonObject:
    """Return the verdicts before and after the change, and their differences."""
    words = get_language(responses.request_language())
    found = what_if(body.case.to_dict(), body.change)
    return {
        "first": judge.render_verdict(found.first, words),
        "then": judge.render_verdict(found.then, words),
        "differences": found.differences,
        "says": [words(one) for one in found.says],
    }


@api.query(
    "/possibilities",
    N_("Decide a case in which something is unknown, for every possibility."),
    takes=OpenCase,
    example={"case": {**EXAMPLE, "cards": ["5", "?"]}},
    gives=PossibleAnswer,
    name="possibilities",
)
def decide_possibilities(body: OpenCase) -> JsonObject:
    """Return what `companion judge --json` prints for a case with gaps."""
    words = get_language(responses.request_language())
    return render_possibilities(judge_possibilities(body.case), words)


@api.query(
    "/reversals",
    N_("Find the smallest changes of a case that would have paid someone else."),
    takes=ANY_CASE,
    example=EXAMPLE,
    gives=Otherwise,
    name="reversals",
)
def find_changes(body: Case) -> JsonObject:
    """Return what would have to be different."""
    words = get_language(responses.request_language())
    found = find_reversals(body.to_dict())
    return {
        "cases": [one.case for one in found],
        "says": [words(one) for one in say_reversals(found)],
    }


@api.get(
    "/verdict",
    N_("The last verdict, and where its facts came from."),
    gives=LookBack,
    name="verdict",
)
def get_last_verdict() -> LookBack | Refusal:
    """Return the last verdict of the game at this table."""
    return look_back(_shown_history()) or refusal("no_verdict", "", "There is no verdict yet.")


@api.get(
    "/moments/<int:at>",
    N_("One moment of the game; while the judge is called, or once the game is over."),
    gives=LookBack,
    name="moment",
)
def get_moment(at: int) -> LookBack | Refusal:
    """Return the game as everyone could see it at this moment."""
    if at == 0:
        abort(404)
    return look_back(_shown_history(), at) or abort(404)


def _shown_history() -> History:
    """Return the game as the asking browser may see it: strangers see seats in place of names."""
    table, shown = current_context().table, requested_table()
    return table.history if shown is table else table.veiled.veil(table.history)
