"""Internationalisation: every text for people, in English, French and German.

Law: the program carries texts as *messages* — an English sentence with named gaps, and the facts
that fill them — and only the last step before a reader renders a message into words. A fact is a
plain value; its name decides how it is worded: `who` is a list of players, `coins` a number of
coins, `cards` a hand of cards, `use` a message of its own. A player is a seat key, and is named by
the names that the language was given (`with_names`), or as the seat. So a list reads well in every
language, and a test can compute with the same facts that people read.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from functools import cache, cached_property, lru_cache
from gettext import NullTranslations
from string import Formatter
from typing import Any, Self

import msgspec

from companion.core.catalogues import COMPANION, Catalogue, chain_catalogues

LANGUAGES = ("en", "fr", "de")
MOST_REPEATED = 3
"""As many equal cards are named one after the other in a sentence."""

Facts = Mapping[str, Any]
"""The facts of a message, each by the name of its gap."""


class Message(msgspec.Struct, frozen=True):
    """A sentence with named gaps, and the facts that fill them."""

    text: str
    facts: Facts = {}


def message(text: str, /, **facts: object) -> Message:
    """Make a message; the catalogue collects every text that is handed to this function."""
    return Message(text, facts)


def say_amount(what: str, n: int) -> Message:
    """Return an amount of something, such as coins, in words."""
    return Message(f"{{{what}}}", {what: n})


def N_(text: str) -> str:
    """Mark a text for the catalogue where it is only named and rendered later."""
    return text


def N_n(one: str, many: str) -> tuple[str, str]:
    """Mark a counted text for the catalogue: the form for one, and the form for more."""
    return one, many


class GameTexts(msgspec.Struct):
    """The texts of a game, or of all that are installed.

    `words` say what cards, colours and tiles are called, by the names in the box; `house_rules` how
    a table plays, by the name of a house rule and its answer.
    """

    words: Mapping[str, str] = {}
    house_rules: Mapping[tuple[str, str], str] = {}


COUNTED_NOUNS = {
    "coins": N_n("{n}\u00a0coin", "{n}\u00a0coins"),
    "chips": N_n("{n}\u00a0chip", "{n}\u00a0chips"),
    "count": N_n("{n}\u00a0card", "{n}\u00a0cards"),
    "objects": N_n("{n}\u00a0object", "{n}\u00a0objects"),
    "aces": N_n("{n}\u00a0ace", "{n}\u00a0aces"),
    "millions": N_n("{n}\u00a0million", "{n}\u00a0million"),
    "minutes": N_n("{n}\u00a0minute", "{n}\u00a0minutes"),
    "days": N_n("{n}\u00a0day", "{n}\u00a0days"),
    "moments": N_n("{n}\u00a0moment", "{n}\u00a0moments"),
    "points": N_n("{n}\u00a0point", "{n}\u00a0points"),
    "credits": N_n("{n}\u00a0red credit", "{n}\u00a0red credits"),
}


class Word(str):
    """A word of a game, and its forms in a sentence: “{colour}”, “{colour:e}”, “{colour:C}”.

    A translation of a word may name its forms after it: “grün|e=grüne|en=grünen”; a form that is
    not named is the word itself. A capital C before the form begins it with a capital.
    """

    forms: Mapping[str, str]

    def __new__(cls, written: str) -> Self:
        """Take a word as a catalogue has it, apart into its forms."""
        first, *others = written.split(FORMS)
        word = super().__new__(cls, first)
        word.forms = dict(other.partition("=")[::2] for other in others)
        return word

    @classmethod
    def without_forms(cls, said: str) -> Self:
        """Return any other text, which is the same in every form."""
        word = super().__new__(cls, said)
        word.forms = {}
        return word

    def __format__(self, form: str) -> str:
        """Return the form that a sentence asks for."""
        said = self.forms.get(form.removeprefix(CAPITAL), str(self))
        return said[:1].upper() + said[1:] if form.startswith(CAPITAL) else said


FORMS, CAPITAL = "|", "C"
SEAT = N_("Seat {seat}")
SEAT_KEY = re.compile("seat ([1-9][0-9]?)")


def write_number(n: object) -> str:
    """Return a number, or the name of a card that is one, with a minus sign that people write."""
    said = str(n)
    return f"−{said[1:]}" if said.startswith("-") else said


def seat_key(seat: int) -> str:
    """Return the key of this seat's player in facts, verdicts and records."""
    return f"seat {seat}"


def seat_keys(count: int) -> tuple[str, ...]:
    """Return the keys of the players of this many seats."""
    return tuple(map(seat_key, range(1, count + 1)))


def seat_of(key: str) -> int:
    """Return the seat that a key stands for; 0 if it is none."""
    found = SEAT_KEY.fullmatch(key) if key.startswith("seat ") else None
    return int(found[1]) if found else 0


class Language:
    """One language: it renders messages into words."""

    _names: tuple[str, ...] = ()
    _catalogues: tuple[Catalogue, ...]

    def __init__(self, code: str) -> None:
        self.code = code
        if code != LANGUAGES[0] and not COMPANION.find_file(code, ".mo").exists():
            raise FileNotFoundError(COMPANION.find_file(code, ".mo"))
        self._cached_template = lru_cache(maxsize=2048)(self._prepare_template)
        self.inflect_word = lru_cache(maxsize=512)(self._translate_name)
        """Translates a name as render_word does, with its forms."""
        self.render_count = lru_cache(maxsize=512)(self._translate_count)
        """Returns a number with its noun, and its forms: 1 coin, 2 coins."""
        self.use_games(())

    def with_names(self, names: Sequence[str]) -> "Language":
        """Return this language with these names, in the order of seats; an empty name is
        unknown."""
        found = copy(self)
        found._names = tuple(names)
        return found

    def name_player(self, key: str) -> str:
        """Return the name of the player at a seat, or the seat; any other text unchanged."""
        seat = seat_of(key)
        if not seat:
            return key
        known = self._names[seat - 1 : seat]
        return known[0] if known and known[0] else self.render(SEAT, {"seat": seat})

    def name_seats(self, seats: Iterable[int]) -> list[str]:
        """Return the name of the player at each of these seats, or the seat."""
        return [self.name_player(seat_key(seat)) for seat in seats]

    def use_games(self, catalogues: Iterable[Catalogue]) -> None:
        """Translate the texts of these games as well; clear the cache of sentences."""
        self._catalogues = (COMPANION, *catalogues)
        for read in ("_catalogue", "_games_first"):
            self.__dict__.pop(read, None)
        self._cached_template.cache_clear()
        self.inflect_word.cache_clear()
        self.render_count.cache_clear()

    @cached_property
    def _catalogue(self) -> NullTranslations:
        """The texts of all catalogues, read when the first one is worded."""
        return chain_catalogues(self.code, self._catalogues)

    @cached_property
    def _games_first(self) -> NullTranslations:
        """The same texts, but a game's word wins over the companion's."""
        companion, *games = self._catalogues
        return chain_catalogues(self.code, (*games, companion))

    def __call__(self, message: Message) -> str:
        return self.render(message.text, message.facts)

    def translate(self, text: str, /, **facts: object) -> str:
        """Return a sentence with these facts; templates call this `_`."""
        return self.render(text, facts)

    def render(self, text: str, facts: Facts) -> str:
        """Return the translated sentence with its gaps filled."""
        sentence, worded = self._cached_template(text)
        if worded:
            facts = dict(facts)
            for name, wording in worded:
                facts[name] = wording(self, facts[name])
        return sentence.format_map(facts)

    def _prepare_template(self, text: str) -> tuple[str, tuple[tuple[str, "Wording"], ...]]:
        sentence = self._catalogue.gettext(text)
        gaps = {name for _, name, _, _ in Formatter().parse(sentence) if name}
        words = ((gap, WORDINGS.get(gap, Language.render_value)) for gap in sorted(gaps))
        return sentence, tuple(words)

    def render_word(self, name: object) -> str:
        """Translate the name of a card, a colour or a tile; name both colours of a card of two."""
        return str(self.inflect_word(name))

    def _translate_name(self, name: object) -> Word:
        if isinstance(name, int):
            return Word(self.render_money(name))
        if str(name).startswith("-"):
            return Word(write_number(name))
        parts, words = str(name).split("-"), INSTALLED.words  # Any other text stays as it is.
        said = (self._games_first.gettext(words[one]) if one in words else one for one in parts)
        first, *others = map(Word, said)
        return Word("–".join((first, *others))) if others else first

    def _translate_count(self, noun: str, n: int) -> Word:
        return Word(self._catalogue.ngettext(*COUNTED_NOUNS[noun], n).format(n=write_number(n)))

    def render_value(self, fact: object) -> object:
        """Return the value of any other fact; one that holds several as cards."""
        if isinstance(fact, list | tuple):
            return self.render_cards(fact)
        return write_number(fact) if isinstance(fact, int) and fact < 0 else fact

    def render_money(self, dollars: int) -> str:
        """Return dollars as this language writes them."""
        grouped = f"{dollars:,}"
        return self._catalogue.gettext("${amount}").format(
            amount=grouped.replace(",", {"en": ",", "fr": "\u202f", "de": "."}[self.code])
        )

    def render_list(self, words: Iterable[str]) -> str:
        """Return a list as it is spoken: A, B and C."""
        return self._join(N_("{first} and {last}"), words)

    def render_players(self, players: Iterable[str]) -> str:
        """Return players as they are spoken of: Ana, Ben and Cleo."""
        return self.render_list(map(self.name_player, players))

    def render_choice(self, words: Iterable[str]) -> str:
        """Return a list of alternatives: A, B or C."""
        return self._join(N_("{first} or {last}"), words)

    def _join(self, both: str, words: Iterable[str]) -> str:
        """Return a list with the last word joined by this sentence; “no one” if it is empty."""
        *first, last = list(words) or [self._catalogue.gettext("no one")]
        if not first:
            return last
        return self._catalogue.gettext(both).format(first=", ".join(first), last=last)

    def render_cards(self, cards: Iterable[object]) -> str:
        """Return a handful of cards, equal ones counted."""
        counts = dict[object, int]()
        for card in cards:
            counts[card] = counts.get(card, 0) + 1
        words = list[str]()
        for card, n in counts.items():
            word = self.render_word(card)  # Of many, their number: “5 ×2” reads as a product.
            words += [word] * n if n <= MOST_REPEATED else [f"{n}\u00a0× {word}"]
        return self.render_list(words) if words else self._catalogue.gettext("no cards")

    def render_tally(self, amounts: Mapping[str, object]) -> str:
        """Return players with their amounts: Ana 3, Ben 0; a name that ends in a number, as that of
        an unnamed seat, has a colon: Seat 1: 3."""
        told = (self._name_amount(self.name_player(who), n) for who, n in amounts.items())
        return ", ".join(told)

    def _name_amount(self, name: str, amount: object) -> str:
        colon = ("\u00a0:" if self.code == "fr" else ":") if name[-1:].isdigit() else ""
        return f"{name}{colon} {write_number(amount)}"

    def render_colours(self, amounts: Mapping[str, int]) -> str:
        """Return colours with their amounts, without those at nought."""
        shown = {self.render_word(colour): n for colour, n in amounts.items() if n}
        return self.render_tally(shown) or "0"

    def render_tops(self, tops: Mapping[str, object]) -> str:
        """Return names with the top card of their pile: Ana $7,000, Ben object."""
        return self.render_tally({name: self.render_word(card) for name, card in tops.items()})

    def render_hands(self, fists: Mapping[str, Mapping[str, int]]) -> str:
        """Return names with the chips in their hands: Ana 3 (red 1, blue 2), Ben 0."""
        return ", ".join(self._render_hand(name, chips) for name, chips in fists.items())

    def render_nested(self, fact: object) -> str:
        """Render a message within a message; return any other value as text."""
        return str(self.inflect_nested(fact))

    def inflect_nested(self, fact: object) -> Word:
        """Render a value as render_nested does; a message that only counts something keeps the
        forms of its noun."""
        if not isinstance(fact, Message):
            return Word.without_forms(str(fact))
        noun = fact.text[1:-1]
        if noun in COUNTED_NOUNS and noun in fact.facts:
            return self.render_count(noun, fact.facts[noun])
        return Word.without_forms(self(fact))

    def _render_hand(self, name: str, chips: Mapping[str, int]) -> str:
        total = sum(chips.values())
        fist = f" ({self.render_colours(chips)})" if total else ""
        return self._name_amount(self.name_player(name), total) + fist


Wording = Callable[[Language, Any], object]


def _count_wording(what: str) -> Wording:
    return lambda language, n: language.render_count(what, n)


WORDINGS: dict[str, Wording] = {
    "who": Language.render_players,
    "others": Language.render_players,
    "begins": Language.name_player,
    "several": Language.render_players,
    "numbers": lambda language, numbers: language.render_list(map(str, numbers)),
    "card": Language.render_word,
    "colour": lambda language, name: language.inflect_word(name),
    "tile": Language.render_word,
    "cards": Language.render_cards,
    "gone": Language.render_cards,
    "colours": lambda language, colours: language.render_list(map(language.render_word, colours)),
    "tally": Language.render_tally,
    "by_colour": Language.render_colours,
    "fists": Language.render_hands,
    "tops": Language.render_tops,
    "prices": Language.render_colours,
    "use": Language.inflect_nested,
    "other_use": Language.inflect_nested,
    "title": Language.inflect_nested,
    "news": lambda language, sentences: " ".join(map(language, sentences)),
    "thing": Language.inflect_nested,
    "things": lambda language, things: language.render_list(map(language.render_nested, things)),
    "choice": lambda language, things: language.render_choice(map(language.render_nested, things)),
    "clauses": lambda language, said: ", ".join(map(language.render_nested, said)),
    "money": Language.render_money,
    "total_money": Language.render_money,
    "worth": Language.render_money,
    **{what: _count_wording(what) for what in COUNTED_NOUNS},
}


@cache
def get_language(code: str) -> Language:
    """Return the language of a code; its catalogue is read once."""
    return Language(code)


INSTALLED = GameTexts()


def install_game_texts(games: Iterable[GameTexts], catalogues: Iterable[Catalogue]) -> None:
    """Use the texts of these games, and of no others; where two differ the first has its way."""
    texts, chain = list(games)[::-1], tuple(catalogues)
    INSTALLED.words = {name: text for each in texts for name, text in each.words.items()}
    INSTALLED.house_rules = {of: text for each in texts for of, text in each.house_rules.items()}
    for code in LANGUAGES:
        get_language(code).use_games(chain)
