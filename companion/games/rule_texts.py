"""The rules by their ids, in our own words, each with the place in the booklet where it stands.

Law: a rule id never changes its meaning; verdicts, refusals and records cite it. What a booklet
leaves open is a house rule with a default, or a ruling that everybody can read here.
"""

from collections.abc import Mapping

import msgspec

from companion.core.i18n import N_

TIES = N_("Equal first places share the win.")
"""Our reading of the booklets of all our games."""


NOT_AS_GUESSED = N_("Not in the box as we guess it, or not so often: {gone}. Count your cards.")
"""Said of a case with cards that a box may hold whose contents no booklet lists."""


class Rule(msgspec.Struct, frozen=True):
    """One rule: its section of the booklet, “” for one of our own, and its text, paraphrased."""

    section: str
    text: str


class Open(msgspec.Struct, frozen=True):
    """A house rule: the question that the booklet leaves open, the sentence for each answer, the
    default first, and the kinds of dispute whose verdict may depend on it."""

    question: str
    answers: Mapping[str, str]
    decides: tuple[str, ...] = ()


class Rules(msgspec.Struct, frozen=True):
    """All the rules of one game; `rulings` are our answers, by id, where the booklet is silent."""

    rules: Mapping[str, Rule] = {}
    house_rules: Mapping[str, Open] = {}
    rulings: Mapping[str, str] = {}

    def list_answers(self) -> dict[str, tuple[str, ...]]:
        """Return every house rule with its answers, the default first."""
        return {name: tuple(open_.answers) for name, open_ in self.house_rules.items()}

    def deciding(self, kind: str) -> tuple[str, ...]:
        """Return the house rules that may decide a verdict of this kind."""
        return tuple(name for name, open_ in self.house_rules.items() if kind in open_.decides)

    def find(self, id: str) -> Rule | None:
        """Return a rule by its id; a ruling, or the question of a house rule, as one without a
        section; None if there is none."""
        if id in self.rules:
            return self.rules[id]
        if id in self.rulings:
            return Rule("", self.rulings[id])
        return Rule("", self.house_rules[id].question) if id in self.house_rules else None


SEALING = {
    "S.seal": Rule(
        "", N_("A choice is kept by a seal that shows nothing and fits that choice only. "
                    "You may change it and seal again until the last one is in.")
    ),
    "S.open": Rule("", N_("Only the sealed choice can be revealed.")),
    "S.enter": Rule(
        "", N_("If a choice cannot be revealed, the table may enter it; the record marks "
                    "it as unproven.")
    ),
    "S.reseal": Rule("", N_("The table may have everyone seal again.")),
}  # fmt: skip
"""Our own rules for closed hands, the same in every game."""


TABLE = {
    "T.host": Rule(
        "", N_("The host is known by a phone, and decides what everyone shares:"
        " which box is played, by whom, and when the table is free for the next group.")
    ),
    "T.amend": Rule(
        "", N_("What the table agrees on, any player or the host may tap, in sight of all.")
    ),
    "T.undo": Rule(
        "", N_("Any moment can be undone, and an undo too; nothing is deleted. You take back your"
        " own last moment until something was shown, and the host takes back anything.")
    ),
    "T.correct": Rule(
        "", N_("A moment can be corrected: all that follows is worked out again, and the"
        " difference is shown. You correct your own last moment until something was shown, and"
        " the host corrects anything. A revealed choice is no longer proven then.")
    ),
    "T.count": Rule(
        "", N_("A player may count their own things in sight of all. The difference is noted with"
        " its reason, and holds from then on.")
    ),
    "T.todo": Rule(
        "", N_("Where cards and log differ, the table says which is right. Only a verdict that"
        " depends on it waits.")
    ),
    "T.hidden": Rule(
        "", N_("A card that lies face down is named by a reader, or when it is turned up.")
    ),
    "T.freeze": Rule(
        "", N_("Hold your button to call the judge: the game is paused until you play on.")
    ),
    "T.pause": Rule(
        "", N_("The host may pause the game, and only the host can resume it.")
    ),
    "T.stale": Rule(
        "", N_("An answer counts once, for the question that was on the screen.")
    ),
    "T.end": Rule(
        "", N_("The host may end a game before its end, and put it away once it is over.")
    ),
}  # fmt: skip
"""Our own rules for the table, the same in every game."""
