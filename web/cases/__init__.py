"""Disputes in the browser: from a form to the judge's case and back, and its verdict.

Law: a sheet decides nothing. It becomes a case of the judge's contract, the judge answers, and an
error is shown in the same words, at the part of the sheet that it is about.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from companion.core.errors import Malformed
from companion.core.i18n import N_, Language, Message
from companion.core.verdict import Verdict
from companion.games import find_game
from companion.judge.decide import decide
from companion.table.what_if import WhatIf, what_if
from web.cases import bankueberfall, banque_fatale, robby_solo
from web.cases.sheet import Case, Fields, Sheet

__all__ = [
    "DISPUTE_KINDS",
    "SHEETS",
    "Sheet",
    "SheetAnswer",
    "SheetError",
    "judge_sheet",
    "parse_sheet",
    "rule_questions",
]

CaseMaker = Callable[[Sheet], Case]
FieldMaker = Callable[[Case], dict[str, str]]

SHEETS: Mapping[str, Mapping[str, tuple[CaseMaker, FieldMaker]]] = {
    "bankueberfall": bankueberfall.SHEETS,
    "banque_fatale": banque_fatale.SHEETS,
    "robby_solo": robby_solo.SHEETS,
}
DISPUTE_RULES = {
    ("bankueberfall", "robbery"): ("shortfall",),
    ("banque_fatale", "auction"): ("unplayed",),
    ("banque_fatale", "score"): ("chips_at_end",),
}
"""The house rules on which each kind of dispute may depend."""

DISPUTE_KINDS = {
    "robbery": N_("A robbery: who is paid?"),
    "auction": N_("An auction: who gets the card, what do the colours do?"),
    "round": N_("A round: who takes what, and whom do the police visit?"),
    "score": N_("The final score: who wins?"),
}

SHEET_PARTS = {
    "name": "who", "start": "who", "players": "who", "bid": "bids", "funds": "bids",
    "coins": "bids", "credits": "bids", "cash": "bids", "chips": "bids", "bids": "bids",
    "card": "cards", "cards": "cards", "value": "values", "values": "values",
    "owner": "holdings", "holdings": "holdings", "loot": "banks", "row": "banks",
    "banks": "banks", "choice": "choices", "choices": "choices", "pile": "piles",
    "declared": "declared", "rule": "rules", "house": "rules",
}  # fmt: skip
"""The part of a sheet at which an error is shown, by the first word of its field."""
_WORD = re.compile(r"[a-z]+")


NUMBER_LABELS = {"bids": N_("Bid of {name}"), "funds": N_("Coins of {name} before")}
"""The label of a player's number, by the first word of its field."""


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
    """The verdict; if the sheet changes an earlier case, also what differs from it."""

    case: Case
    verdict: Verdict
    fork: WhatIf | None = None


def parse_sheet(fields: Fields) -> Sheet | SheetError | None:
    """Return the sheet that an address describes, filled in from its case; None without a game."""
    try:
        given = _parse_case(fields)
    except Malformed as error:
        return SheetError("", error.say)
    game = str(given.get("game", fields.get("game", "")))
    kind = str(given.get("kind", fields.get("kind", "")))
    if kind not in SHEETS.get(game, {}):
        return None
    if not given or "name1" in fields:
        return Sheet(game, kind, fields)
    of = SHEETS[game][kind][1]
    kept = {"of": fields["of"]} if "of" in fields else {}
    return Sheet(game, kind, {**of(given), **kept}, given)


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
    decide(case)
    return case


def judge_sheet(sheet: Sheet) -> SheetAnswer | SheetError | None:
    """Return the verdict on this sheet, or its error; None while the sheet is empty."""
    if "name1" not in sheet.fields:
        return None
    try:
        case = sheet.given or SHEETS[sheet.game][sheet.kind][0](sheet)
        if "of" in sheet.fields:
            fork = what_if(_parse_case(sheet.fields), case)
            return SheetAnswer(case, fork.then, fork)
        return SheetAnswer(case, decide(case))
    except Malformed as error:
        return _locate_error(error)


def _locate_error(error: Malformed) -> SheetError:
    """Return an error at its part of the sheet, with its number labelled by its player."""
    head, _, name = error.field.partition(".")
    word = _WORD.match(head)
    part = SHEET_PARTS.get(word.group(), "") if word else ""
    if head in NUMBER_LABELS and "." not in name:
        return SheetError(part, error.say, Message(NUMBER_LABELS[head], {"name": name}))
    return SheetError(part, Message(error.say.text, {**error.say.facts, "field": name or head}))


def rule_questions(sheet: Sheet) -> Mapping[str, Any]:
    """Return the house rules of this dispute, each with its question and answers."""
    known = find_game(sheet.box.game).rules.house_rules
    return {name: known[name] for name in DISPUTE_RULES.get((sheet.game, sheet.kind), ())}
