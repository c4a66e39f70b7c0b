"""Disputes in the browser: from a form to the judge's case and back, and its verdict.

Law: a sheet decides nothing. It becomes a case of the judge's contract, the judge answers, and an
error is shown in the same words, at the part of the sheet that it is about.
"""

import re
from collections.abc import Mapping

import msgspec

from companion.core.errors import Malformed
from companion.core.i18n import N_, Language, Message
from companion.core.verdict import Verdict
from companion.games import UnknownGame, find_game
from companion.judge.example_sheet import EXAMPLE_FIELD, SheetPart, list_parts, make_example_form
from companion.judge.gains import gains_of, say_gain
from companion.judge.it_depends import Possibilities, judge_case
from companion.judge.reversal import Reversal, find_reversals
from companion.judge.sheet import Case, Fields, Sheet, SheetForm
from companion.table.what_if import WhatIf, what_if

PARTS = {"name": "who", "players": "who", "rule": "rules", "house": "rules"}
"""The part of every sheet at which an error is shown, by the first word of its field."""
_WORD = re.compile(r"[a-z]+")


class SheetError(msgspec.Struct, frozen=True):
    """An error, the part of the sheet at which it is shown, and the label of its field there."""

    part: str
    say: Message
    label: Message | None = None

    def sentence(self, words: Language) -> str:
        """Return the sentence, with the field called as the sheet calls it."""
        facts = {**self.say.facts, "field": words(self.label)} if self.label else self.say.facts
        return words.render(self.say.text, facts)


class SheetAnswer(msgspec.Struct, frozen=True):
    """The verdict, and the smallest changes that would have paid someone else; if the sheet changes
    an earlier case, also what differs from it. Where something is unknown, the verdict is one of
    the `possible`."""

    case: Case
    verdict: Verdict
    fork: WhatIf | None = None
    possible: Possibilities | None = None
    reversals: tuple[Reversal, ...] = ()

    @property
    def gist(self) -> Message:
        """Return in one sentence who gets what, or what is certain."""
        if self.possible is not None:
            return self.possible.whatever or Message(N_("It depends."))
        rules = find_game(str(self.case["game"])).rulebook.dispute_rules
        gains = gains_of(self.verdict, rules).items()
        clauses = [one for name, own in gains for one in say_gain(name, own)]
        return Message(N_("{clauses}."), {"clauses": clauses or rules.list_outcomes(self.verdict)})


def find_form(game: str, kind: str) -> SheetForm | None:
    """Return the form of a kind of dispute; None if the game, or the kind, is unknown."""
    try:
        found = find_game(game)
    except UnknownGame:
        return None
    if kind not in found.judge.kinds:
        return None
    own = found.judge.sheets.get(kind)
    box, judge = found.standard_box(), found.judge
    return own or make_example_form(judge.examples[kind], box, judge.sparse)


def example_parts(sheet: Sheet) -> tuple[SheetPart, ...]:
    """Return the parts of a sheet that is made from the example of its kind."""
    judge = find_game(sheet.game).judge
    return list_parts(judge.examples[sheet.kind], sheet.box, judge.sparse)


def parse_sheet(fields: Fields) -> Sheet | SheetError | None:
    """Return the sheet that an address describes, filled in from its case; None without a game."""
    try:
        given = _parse_case(fields)
    except Malformed as error:
        return SheetError("", error.say)
    game = str(given.get("game", fields.get("game", "")))
    kind = str(given.get("kind", fields.get("kind", "")))
    form = find_form(game, kind)
    if form is None:
        return None
    box = find_game(game).standard_box()
    if not given or "name1" in fields:
        return Sheet(game, kind, box, fields)
    kept = {"of": fields["of"]} if "of" in fields else {}
    return Sheet(game, kind, box, {**form.fields_of(given), **kept}, given)


def _parse_case(fields: Fields) -> Case:
    """Return the case that an address carries as JSON, judged already; empty if there is none."""
    text = fields.get("of", "") or fields.get("case", "")
    if not text:
        return {}
    try:
        case = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        raise Malformed("case", N_("The case in this address is not JSON.")) from None
    if not isinstance(case, dict):
        raise Malformed("case", N_("The case in this address is not JSON."))
    judge_case(case)
    return case


def judge_sheet(sheet: Sheet) -> SheetAnswer | SheetError | None:
    """Return the verdict on this sheet, or its error; None while the sheet is empty."""
    if "name1" not in sheet.fields:
        return None
    form = find_form(sheet.game, sheet.kind)
    assert form is not None  # The sheet was read by it.
    try:
        case = sheet.given or form.make_case(sheet)
        found = judge_case(case)
        if isinstance(found, Possibilities):
            return SheetAnswer(case, found.verdict, possible=found)
        if "of" in sheet.fields:
            fork = what_if(_parse_case(sheet.fields), case)
            return SheetAnswer(
                case, found, fork, reversals=find_reversals(_parse_case(sheet.fields))
            )
        return SheetAnswer(case, found, reversals=find_reversals(case))
    except Malformed as error:
        return _locate_error(error, sheet)


def _locate_error(error: Malformed, sheet: Sheet) -> SheetError:
    """Return an error at its part of the sheet, with its number labelled by its player."""
    head, _, name = error.field.removeprefix(EXAMPLE_FIELD).partition(".")
    word, judge = _WORD.match(head), find_game(sheet.game).judge
    own = {field: field for field in judge.examples[sheet.kind]}
    part = {**own, **judge.parts, **PARTS}.get(word.group(), "") if word else ""
    if head in judge.labels and "." not in name:
        return SheetError(part, error.say, Message(judge.labels[head], {"name": name}))
    return SheetError(part, Message(error.say.text, {**error.say.facts, "field": name or head}))


def rule_questions(sheet: Sheet) -> Mapping[str, object]:
    """Return the house rules of this dispute, each with its question and answers."""
    game = find_game(sheet.game)
    named = game.judge.examples[sheet.kind].get("house_rules", ())
    return {name: game.rules.house_rules[name] for name in named}
