"""Disputes in the browser: from a form to the judge's case and back, and its verdict.

Law: a sheet decides nothing. It becomes a case of the judge's contract, the judge answers, and an
error is shown in the same words, at the part of the sheet that it is about.
"""

import re
from collections.abc import Mapping

import msgspec

from companion.core.errors import JsonObject, Malformed
from companion.core.i18n import N_, Language, Message
from companion.core.verdict import Verdict
from companion.games import find_game, game_names
from companion.judge.better import find_better, say_better
from companion.judge.decide import find_kind, find_kinds
from companion.judge.forms import Fields, Sheet, fill_form
from companion.judge.it_depends import Possibilities, judge_case, say_gain
from companion.judge.kinds import Kind
from companion.judge.possibilities import gains_of
from companion.table.outcomes import WhatIf, what_if

PARTS = {"name": "who", "players": "who", "rule": "rules", "house": "rules"}
"""The part of every sheet that shows an error, by the first word of its field."""
_WORD = re.compile(r"[a-z]+")


class SheetError(msgspec.Struct, frozen=True):
    """An error, its part of the sheet, and the value's name there."""

    part: str
    say: Message
    label: Message | None = None

    def sentence(self, words: Language) -> str:
        """Return the sentence, with the value called as the sheet calls it."""
        facts = {**self.say.facts, "field": words(self.label)} if self.label else self.say.facts
        said = words.render(self.say.text, facts)
        return said[:1].upper() + said[1:]


class OtherDecisions(msgspec.Struct, frozen=True):
    """Better decisions of a player, as a question and its answers."""

    question: Message
    answers: tuple[Message, ...]


class SheetAnswer(msgspec.Struct, frozen=True):
    """The verdict, and everyone's better decisions; if the sheet changes an earlier case, also the
    differences. With unknown values, the verdict is one of the `possible`."""

    kind: Kind
    verdict: Verdict
    fork: WhatIf | None = None
    possible: Possibilities | None = None
    others: tuple[OtherDecisions, ...] = ()

    @property
    def gist(self) -> Message:
        """Return the pay-out in one sentence, or the certain part of it."""
        if self.possible is not None:
            return self.possible.whatever or Message(N_("It depends"))
        gains = gains_of(self.verdict, self.kind)
        clauses = [said for name, own in gains.items() for said in say_gain(name, own)]
        said = clauses or self.kind.outcomes(self.verdict)
        return Message(N_("{clauses}."), {"clauses": said})


def parse_sheet(fields: Fields) -> Sheet | SheetError | None:
    """Return the sheet that an address describes, filled in from its case; None without a kind."""
    try:
        given = _parse_case(fields)
    except Malformed as error:
        return SheetError("", error.say)
    if given:
        kind = find_kind(given)
        if "name1" not in fields:
            kept = {"of": fields["of"]} if "of" in fields else {}
            return Sheet(kind, {**fill_form(kind, given), **kept}, given)
        return Sheet(kind, fields)
    game = fields.get("game", "")
    known = find_kinds(game) if game in game_names() else {}
    found = known.get(fields.get("kind", ""))
    return Sheet(found, fields) if found is not None else None


def _parse_case(fields: Fields) -> JsonObject:
    """Read the JSON case of an address, and judge it to refuse a bad one; {} without a case."""
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
    case: JsonObject = {}
    try:
        case = sheet.given or sheet.make_case()
        found = judge_case(case)
        if isinstance(found, Possibilities):
            return SheetAnswer(sheet.kind, found.verdict, possible=found)
        if "of" in sheet.fields:
            first = _parse_case(sheet.fields)
            return SheetAnswer(
                sheet.kind, found, what_if(first, case), others=list_other_decisions(first)
            )
        return SheetAnswer(sheet.kind, found, others=list_other_decisions(case))
    except Malformed as error:
        return _locate_error(error, sheet, case)


def list_other_decisions(case: JsonObject) -> tuple[OtherDecisions, ...]:
    """Return the other decisions of each player of a case that would have brought more; none for a
    case without a decision."""
    kind = find_kind(case)
    if kind.decision is None:
        return ()
    return tuple(
        OtherDecisions(
            Message(kind.decision.question, {"who": [name]}),
            say_better(find_better(case, name), name),
        )
        for name in case[kind.decision.field]
    )


def _locate_error(error: Malformed, sheet: Sheet, case: JsonObject) -> SheetError:
    """Return an error at its part of the sheet, with its value called as there."""
    word = _WORD.match(error.field)
    head = word.group() if word else ""
    part = PARTS.get(head, head if head in sheet.kind.shapes else "")
    return SheetError(part, error.say, sheet.kind.find_label(case, error.field))


def rule_questions(sheet: Sheet) -> Mapping[str, object]:
    """Return the house rules of this dispute, each with its question and answers."""
    rules = find_game(sheet.kind.box.game).rules.house_rules
    return {name: rules[name] for name in sheet.kind.asked}
