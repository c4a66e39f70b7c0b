"""The judge alone as one page, for a dispute without any table: the second courts of all games.

Laws: it is one file, in every language, and asks nothing of any network. It decides by the second
courts alone, which trust that a case is well formed; the page says so. A game without one is left
out.
"""

from collections.abc import Iterator, Mapping

from companion.core.i18n import LANGUAGES, N_, Language, get_language
from companion.core.json_values import JsonObject
from companion.games import find_game
from companion.judge.decide import find_judge, judged_games
from web.export.record_page import embed_json, make_templates
from web.export.scripts import court_path, fill_page, join_script, join_sheets
from web.rendering.game_words import dispute_heading
from web.rendering.templates import language_names

FIXED = ("game", "kind")
TEXTS = {
    "title": N_("The judge"),
    "question": N_("What is in dispute?"),
    "answer": N_("The verdict"),
    "more": N_("One more"),
    "name": N_("Name"),
    "unclear": N_("This cannot be decided as it is written."),
    "trust": N_(
        "Decided by a second judge, written from the booklets alone. Whether the box holds these"
        " pieces is not checked here. Lists are written with commas."
    ),
    "scripts": N_("Nothing is decided: this page needs scripts for that."),
}
NAMES = {
    "cards": N_("Cards"),
    "card": N_("Card"),
    "bids": N_("Bids"),
    "funds": N_("What everyone has"),
    "coins": N_("Coins"),
    "credits": N_("Credits"),
    "house_rules": N_("House rules"),
    "players": N_("Players, clockwise"),
    "start": N_("Start player"),
    "values": N_("Values"),
    "holdings": N_("Cards that players own"),
    "cash": N_("Cash"),
    "chips": N_("Chips"),
    "banks": N_("Banks"),
    "choices": N_("Choices"),
    "loot": N_("Loot"),
    "outcome": N_("Outcome"),
    "direction": N_("Order"),
    "paid": N_("Paid"),
    "change": N_("Won or lost"),
    "to_reserve": N_("Back to the reserve"),
    "winner": N_("Winner"),
    "winners": N_("Winners"),
    "totals": N_("Totals"),
    "bonuses": N_("Bonuses"),
    "first_pick": N_("Takes chips first"),
    "chips_on_table": N_("Chips on the table"),
    "taken": N_("Taken"),
    "left": N_("Left at the banks"),
    "raids": N_("Robberies"),
    "bank": N_("Bank"),
    "removed": N_("Removed"),
    "returns": N_("Given back"),
    "seller": N_("Who sells"),
    "won": N_("Card won in this round"),
    "risen": N_("Colours that rose in this round"),
    "allowed": N_("May be sold"),
    "price": N_("Price"),
    "turns": N_("Whose turn it is, one after the other"),
    "last": N_("Who laid the last card"),
    "front": N_("Bank in front of that player"),
    "robbed": N_("Banks robbed so far"),
    "empty": N_("Empty banks"),
    "order": N_("Order of the banks"),
    "next_bank": N_("Next bank"),
}
"""What the fields of cases and verdicts are called."""
WORDS = {
    "shared": N_("shared out"),
    "guarded": N_("guarded"),
    "stolen": N_("stolen"),
    "nothing": N_("no loot"),
    "lowest_first": N_("lowest first"),
    "highest_first": N_("highest first"),
    "true": N_("yes"),
    "false": N_("no"),
}


def make_judge_page() -> str:
    """Return the judge of all games that bring a second court as one page."""
    games = [game for game in judged_games() if court_path(game).is_file()]
    spoken = {code: get_language(code) for code in LANGUAGES}
    page = (
        make_templates()
        .jinja_env.get_template("export/judge.html")
        .render(texts=_render(TEXTS, spoken["en"]), languages=language_names(), sheet=join_sheets())
    )
    data: JsonObject = {
        "kinds": [kind for game in games for kind in _list_kinds(game, spoken)],
        "languages": {code: _list_words(games, words) for code, words in spoken.items()},
    }
    return fill_page(page, data=embed_json(data), script=join_script("judge", games))


def _list_kinds(game: str, spoken: Mapping[str, Language]) -> Iterator[JsonObject]:
    """Yield every kind of case of a game, with its example and what it is called."""
    title = find_game(game).standard_box().title
    for kind, example in find_judge(game).examples.items():
        says = {
            code: f"{title}: {words.render(dispute_heading(game, kind), {})}"
            for code, words in spoken.items()
        }
        yield {"example": example, "fixed": FIXED, "says": says, "words": _find_words(game)}


def _list_words(games: list[str], words: Language) -> JsonObject:
    """Return all that the page says in a language."""
    pieces = {each: words.render_word(each) for game in games for each in _find_words(game)}
    return {
        "texts": _render(TEXTS, words),
        "names": _render(NAMES, words),
        "words": {**pieces, **_render(WORDS, words)},
    }


def _find_words(game: str) -> list[str]:
    """Return the words that cases of this game use, as far as the possible values tell."""
    judge = find_judge(game)
    found: dict[str, None] = dict.fromkeys(find_game(game).screens.marks)
    for kind, fields in judge.open_fields.items():
        for field in fields.values():
            for value in _flatten(field.values(judge.examples[kind], ("", "", "0"))):
                found.setdefault(value)
    return [word for word in found if not word.isdigit() and word not in _names(judge.examples)]


def _flatten(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _flatten(each)


def _names(examples: Mapping[str, JsonObject]) -> set[str]:
    """Return the names of the players in these examples."""
    return {
        name
        for example in examples.values()
        for field in ("bids", "funds", "choices", "loot")
        for name in example.get(field, ())
    }


def _render(texts: Mapping[str, str], words: Language) -> dict[str, str]:
    return {name: words.render(text, {}) for name, text in texts.items()}
