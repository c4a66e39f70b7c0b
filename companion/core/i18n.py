"""Every text for people, in English, French and German, from one catalogue.

Law: the program carries texts as *sayings* — an English sentence with named gaps, and the facts
that fill them — and only the last step before a reader turns a saying into words. A fact is a
plain value; its name decides how it is worded: `who` is a list of names, `coins` a number of
coins, `cards` a hand of cards, `use` a saying of its own. So a list reads well in every language,
and a test can compute with the same facts that people read.
"""

import gettext
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from string import Formatter
from typing import Any

import msgspec

LANGUAGES = ("en", "fr", "de")
LOCALE = Path(__file__).parents[1] / "locale"


class Say(msgspec.Struct, frozen=True):
    """A sentence with named gaps, and the facts that fill them."""

    text: str
    facts: Mapping[str, Any] = {}


def say(text: str, /, **facts: Any) -> Say:
    """A saying; the catalogue collects every text that is handed to this function."""
    return Say(text, facts)


def N_(text: str) -> str:
    """Mark a text for the catalogue where it is only named, and said later."""
    return text


def N_n(one: str, many: str) -> tuple[str, str]:
    """Mark a counted text for the catalogue: the form for one, and the form for more."""
    return one, many


WORDS = {
    "seductress": N_("seductress"),
    "policeman": N_("policeman"),
    "detective": N_("detective"),
    "thief": N_("thief"),
    "x": N_("X"),
    "object": N_("object"),
    "red": N_("red"),
    "yellow": N_("yellow"),
    "green": N_("green"),
    "blue": N_("blue"),
    "orange": N_("orange"),
    "grey": N_("grey"),
    "purple": N_("purple"),
    "khaki": N_("khaki"),
    "place": N_("Placement"),
    "spy": N_("Spy"),
    "reveal": N_("Reveal"),
    "rob": N_("Robbery"),
}

COUNTED = {
    "coins": N_n("{n} coin", "{n} coins"),
    "chips": N_n("{n} chip", "{n} chips"),
    "count": N_n("{n} card", "{n} cards"),
    "objects": N_n("{n} object", "{n} objects"),
    "aces": N_n("{n} ace", "{n} aces"),
    "millions": N_n("{n} million", "{n} million"),
    "credits": N_n("{n} red credit", "{n} red credits"),
}


class Language:
    """One language: turns sayings into words."""

    def __init__(self, code: str) -> None:
        self.code = code
        self._catalogue = gettext.translation(
            "companion", LOCALE, [code], fallback=code == LANGUAGES[0]
        )
        self._template = lru_cache(maxsize=2048)(self._prepare)
        self._word = lru_cache(maxsize=512)(self._look_up)

    def __call__(self, saying: Say) -> str:
        return self.render(saying.text, saying.facts)

    def render(self, text: str, facts: Mapping[str, Any]) -> str:
        """The sentence, translated, its gaps filled."""
        sentence, worded = self._template(text)
        if worded:
            facts = {**facts, **{name: wording(self, facts[name]) for name, wording in worded}}
        return sentence.format_map(facts)

    def _prepare(self, text: str) -> tuple[str, tuple[tuple[str, "Wording"], ...]]:
        sentence = self._catalogue.gettext(text)
        gaps = {name for _, name, _, _ in Formatter().parse(sentence) if name}
        return sentence, tuple((gap, WORDINGS[gap]) for gap in sorted(gaps & WORDINGS.keys()))

    def word(self, thing: object) -> str:
        """The word for a card, a colour or a tile; a card of two colours is said as both."""
        return self._word(thing)

    def _look_up(self, thing: object) -> str:
        if isinstance(thing, int):
            return self.money(thing)
        return "–".join(map(self._known, str(thing).split("-")))

    def _known(self, part: str) -> str:
        """The translation of a word of the table; anything else stays as somebody wrote it."""
        return self._catalogue.gettext(WORDS[part]) if part in WORDS else part

    def counted(self, what: str, n: int) -> str:
        """A number with its noun: 1 coin, 2 coins."""
        return self._catalogue.ngettext(*COUNTED[what], n).format(n=n)

    def money(self, dollars: int) -> str:
        """Dollars as this language writes them."""
        grouped = f"{dollars:,}"
        return self._catalogue.gettext("${amount}").format(
            amount=grouped.replace(",", {"en": ",", "fr": "\u202f", "de": "."}[self.code])
        )

    def listed(self, words: Iterable[str]) -> str:
        """A list as it is spoken: A, B and C."""
        *first, last = list(words) or [self._catalogue.gettext("nobody")]
        if not first:
            return last
        return self._catalogue.gettext("{first} and {last}").format(
            first=", ".join(first), last=last
        )

    def cards(self, cards: Iterable[object]) -> str:
        """A handful of cards, equal ones counted."""
        counts = Counter(cards)
        words = [self.word(card) + (f" ×{n}" if n > 1 else "") for card, n in counts.items()]
        return self.listed(words) if words else self._catalogue.gettext("no cards")

    def tally(self, amounts: Mapping[str, object]) -> str:
        """Names with their amounts: Ana 3, Ben 0."""
        return ", ".join(f"{name} {amount}" for name, amount in amounts.items())

    def colours(self, amounts: Mapping[str, int]) -> str:
        """Colours with their amounts, those at nought left out."""
        shown = {self.word(colour): n for colour, n in amounts.items() if n}
        return self.tally(shown) or "0"

    def tops(self, tops: Mapping[str, object]) -> str:
        """Names with the card on top of their pile: Ana $7,000, Ben object."""
        return self.tally({name: self.word(card) for name, card in tops.items()})

    def fists(self, fists: Mapping[str, Mapping[str, int]]) -> str:
        """Names with the chips in their hands: Ana 3 (red 1, blue 2), Ben 0."""
        return ", ".join(self._fist(name, chips) for name, chips in fists.items())

    def said(self, thing: object) -> str:
        """A saying within a saying; what nobody can translate stays as it is."""
        return self(thing) if isinstance(thing, Say) else str(thing)

    def news(self, says: Iterable[Say]) -> str:
        """Sentences one after the other."""
        return " ".join(map(self, says))

    def _fist(self, name: str, chips: Mapping[str, int]) -> str:
        total = sum(chips.values())
        return f"{name} {total}" + (f" ({self.colours(chips)})" if total else "")


Wording = Callable[[Language, Any], str]


def _counted(what: str) -> Wording:
    return lambda language, n: language.counted(what, n)


WORDINGS: dict[str, Wording] = {
    "who": Language.listed,
    "others": Language.listed,
    "several": Language.listed,
    "numbers": lambda language, numbers: language.listed(map(str, numbers)),
    "card": Language.word,
    "colour": Language.word,
    "tile": Language.word,
    "cards": Language.cards,
    "gone": Language.cards,
    "colours": lambda language, colours: language.listed(map(language.word, colours)),
    "tally": Language.tally,
    "by_colour": Language.colours,
    "fists": Language.fists,
    "tops": Language.tops,
    "prices": Language.colours,
    "use": Language.said,
    "other_use": Language.said,
    "title": Language.said,
    "news": Language.news,
    "thing": Language.said,
    "other_thing": Language.said,
    "things": lambda language, things: language.listed(map(language.said, things)),
    "money": Language.money,
    "total_money": Language.money,
    "worth": Language.money,
    **{what: _counted(what) for what in COUNTED},
}


@cache
def language(code: str) -> Language:
    """The language of that code; its catalogue is read once."""
    return Language(code)
