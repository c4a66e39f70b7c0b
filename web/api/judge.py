"""The judge: a case decided, a case compared with itself changed, the game looked back at.

Law: the judge writes nothing. A case is read as strictly as on the command line and answered with
the same contract; what may be looked back at, and when, the table decides.
"""

from typing import Any

from flask import abort
from msgspec import UNSET, Struct, UnsetType

from companion import judge
from companion.core.errors import Refusal, refusal
from companion.core.i18n import N_, get_language
from companion.table.balance_diff import Difference
from companion.table.look_back_init import Look, what_if
from web import responses
from web.api.operation import Api
from web.context import current_context

api = Api(
    "judge",
    "/api/judge",
    "The judge: a case decided, a case compared with itself changed, the game looked back at.",
)

List = list[Any] | UnsetType
Table = dict[str, Any] | UnsetType


class Case(Struct, frozen=True, forbid_unknown_fields=True):
    """A dispute, as docs/judge.md has it; which fields it needs, its game and its kind decide."""

    game: Any
    kind: Any
    cards: List = UNSET
    bids: Table = UNSET
    funds: Table = UNSET
    players: List = UNSET
    start: Any = UNSET
    values: Table = UNSET
    card: List = UNSET
    holdings: Table = UNSET
    banks: Table = UNSET
    choices: Table = UNSET
    loot: Table = UNSET
    declared: Table = UNSET
    house_rules: Table = UNSET

    def plain(self) -> dict[str, Any]:
        """The case as the judge reads it: only what it has."""
        fields = ((name, getattr(self, name)) for name in self.__struct_fields__)
        return {name: value for name, value in fields if value is not UNSET}


class Changed(Struct, frozen=True, forbid_unknown_fields=True):
    """A case, and the fields that would have been otherwise."""

    case: Case
    change: dict[str, Any]


class Step(Struct, frozen=True):
    """One step of an answer: its rule, its sentence, the facts it used."""

    rule: str
    text: str
    facts: dict[str, Any]
    house_rule: dict[str, str] | UnsetType = UNSET


class Answer(Struct, frozen=True):
    """A verdict: numbered steps, and the outcome in the fields of its kind."""

    steps: list[Step]


class Forked(Struct, frozen=True):
    """Both verdicts, who gets how much more or less by the second, and all of it in words."""

    first: Answer
    then: Answer
    differences: list[Difference]
    says: list[str]


EXAMPLE = judge.GAMES["bankueberfall"].EXAMPLES["robbery"]


@api.ask(
    "/cases",
    N_("Decide a case, at this table or at any other."),
    takes=Case,
    example=EXAMPLE,
    gives=Answer,
    name="decide",
)
def decide(body: Case) -> dict[str, Any]:
    """The verdict, as `companion judge --json` would print it."""
    return judge.answer(judge.decide(body.plain()), get_language(responses.request_language()))


@api.ask(
    "/forks",
    N_("Decide a case once as it was and once with some fields changed. Nothing is written."),
    takes=Changed,
    example={"case": EXAMPLE, "change": {"cards": ["5", "x"]}},
    gives=Forked,
    name="fork",
)
def fork(body: Changed) -> dict[str, Any]:
    """What if it had been otherwise?"""
    words = get_language(responses.request_language())
    found = what_if(body.case.plain(), body.change)
    return {
        "first": judge.answer(found.first, words),
        "then": judge.answer(found.then, words),
        "differences": found.differences,
        "says": [words(one) for one in found.says],
    }


@api.get(
    "/verdict", N_("The last verdict, and where its facts came from."), gives=Look, name="verdict"
)
def verdict() -> Look | Refusal:
    """The last verdict of the game at this table."""
    return current_context().table.look_back() or refusal(
        "no_verdict", "", "There is no verdict yet."
    )


@api.get(
    "/moments/<int:at>",
    N_("One moment of the game; while the judge is called, or once the game is over."),
    gives=Look,
    name="moment",
)
def moment(at: int) -> Look | Refusal:
    """The game as everyone could see it then."""
    if at == 0:
        abort(404)
    return current_context().table.look_back(at) or abort(404)
