"""A game, in one object: its box and rule book, and all that surrounds them.

Law: a game needs no more than a box and a rule book; everything else has a default. Its files lie
in the folder of the class of its box.
"""

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from companion.bots import Decisions
from companion.core.cards import Box, folder_of, standard_box
from companion.core.catalogues import Catalogue
from companion.core.i18n import N_, GameTexts
from companion.games.layout import Layout
from companion.games.rule_texts import Rules
from companion.games.rulebook import AnyRulebook
from companion.games.screens import Screens
from companion.judge.kinds import Kinds

API = 1
"""Counted up whenever a game that was written for this interface would no longer work."""

WORDS = {"coins": N_("coins"), "pile": N_("pile")}
"""Names of fields in many games."""


class Game(msgspec.Struct, frozen=True, kw_only=True):
    """One game.

    `name` is the one in its box and in every record. `rules` are its rules in words,
    `make_kinds` makes the kinds of dispute for a box, `bot` says what a bot does in each phase,
    `pieces` how they lie and move at a simulated table, `screens` what pages show of it, `words`
    what the names in it are called.
    """

    name: str
    box: type[Box]
    rulebook: type[AnyRulebook]
    rules: Rules = Rules()
    make_kinds: Callable[[Any], Kinds] | None = None
    bot: Decisions = {}
    pieces: Layout | None = None
    screens: Screens = Screens()
    words: Mapping[str, str] = {}
    api: int = API

    @property
    def folder(self) -> Path:
        """The folder of its files: box, templates, catalogues, recorded games."""
        return folder_of(self.box)

    @property
    def demo_file(self) -> Path:
        """The record of a game that the demo shows, beside its trailer; it may be missing."""
        return self.folder / "demo.json"

    def all_texts(self) -> GameTexts:
        """Return the texts, with the sentences of the house rules and the words of many games."""
        answers = {
            (name, answer): text
            for name, open_ in self.rules.house_rules.items()
            for answer, text in open_.answers.items()
        }
        return GameTexts({**WORDS, **self.words}, answers)

    @property
    def catalogue(self) -> Catalogue:
        """The catalogue of its texts in other languages; they may be missing."""
        return Catalogue(self.name, self.folder / "locale")

    def standard_box(self) -> Box:
        """Return the box as it is sold; raise Malformed."""
        box: Box = standard_box(self.box)
        return box

    @property
    def kinds(self) -> Kinds:
        """The kinds of dispute at tables with the box as it is sold, by name; it may have none."""
        return {} if self.make_kinds is None else _make_kinds(self.make_kinds, self.box)

    def make_rulebook(self, box: Box | None = None) -> AnyRulebook:
        """Make the rule book for the box as it is sold, or for another one."""
        return self.rulebook(box or self.standard_box())


@cache
def _make_kinds(make: Callable[[Any], Kinds], box: type[Box]) -> Kinds:
    return make(standard_box(box))
