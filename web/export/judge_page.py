"""The judge alone as one page, for a dispute without any table: the second courts of all games.

Laws: it is one file, in every language, and asks nothing of any network. Its forms are those of the
companion; they refuse what the box cannot hold, and the second courts alone decide the rest. A game
without one is left out.
"""

import re
from collections.abc import Mapping

import msgspec
from flask import Flask

from companion.core.errors import JsonObject
from companion.core.i18n import LANGUAGES, N_, Language, get_language
from companion.games import find_game
from companion.judge.decide import find_kinds
from web.export.judge_forms import JudgeForm, describe_kind, list_forms, list_games
from web.export.scripts import (
    fill_page,
    find_picture,
    join_form_sheet,
    join_game_sheet,
    join_script,
    picture_data,
)
from web.rendering import game_words
from web.rendering.languages import LANGUAGE_NAMES

TEXTS = {
    "title": N_("The judge"),
    "question": N_("What is disputed?"),
    "answer": N_("The verdict"),
    "unclear": N_("This cannot be decided as it is filled in."),
    "missing": N_("Still missing, or not possible: {what}."),
    "fewer": N_("{label}: fewer"),
    "more": N_("{label}: more"),
    "pair": N_("{name}: {thing}"),
    "trust": N_(
        "Decided by a second judge, written from the booklets alone. It needs no table and no"
        " network."
    ),
    "kept": N_("The address holds the whole case, for anyone who has this file."),
    "case": N_("The case as data, for “companion judge”"),
    "print": N_("Print"),
    "scripts": N_("Nothing is decided: this page needs scripts for that."),
}
PLACES = {name: f"{{{name}}}" for name in ("what", "label", "name", "thing")}
_PICTURE = re.compile(r'data-picture="([^"]+)"')
NAMES = {
    "credits": N_("Credits"),
    "players": N_("Who plays?"),
    "values": N_("Values"),
    "loot": N_("Loot"),
    "outcome": N_("Outcome"),
    "direction": N_("Order"),
    "paid": N_("Paid"),
    "change": N_("Won or lost"),
    "to_reserve": N_("Back to the reserve"),
    "winner": N_("wins"),
    "winners": N_("wins"),
    "totals": N_("Total"),
    "bonuses": N_("Bonuses"),
    "first_pick": N_("Takes chips first"),
    "chips_on_table": N_("Chips on the table"),
    "taken": N_("Taken"),
    "left": N_("Left at the banks"),
    "raids": N_("Robberies"),
    "bank": N_("Bank"),
    "removed": N_("Removed"),
    "returns": N_("Given back"),
    "allowed": N_("May be sold"),
    "price": N_("Price"),
    "turns": N_("Whose turn it is, one after the other"),
    "order": N_("Order of the banks"),
    "next_bank": N_("Next bank"),
}
"""Names of the fields of verdicts; a field of a case is called by what it asks."""
WORDS = {
    "shared": N_("shared out"),
    "guarded": N_("guarded"),
    "stolen": N_("stolen"),
    "nothing": N_("no loot"),
    "lowest_first": N_("lowest first"),
    "highest_first": N_("highest first"),
    "true": N_("Yes"),
    "false": N_("No"),
}


def make_judge_page() -> str:
    """Return one page with the judges of all games that have a `verdict.mjs`."""
    app, games = Flask("web", static_folder=None), list_games()
    game_words.install(app)
    spoken = {code: get_language(code) for code in LANGUAGES}
    forms = list(list_forms(app))
    page = app.jinja_env.get_template("export/judge.html").render(
        texts=_render(TEXTS, spoken["en"]),
        languages=LANGUAGE_NAMES,
        forms=forms,
        sheet=join_form_sheet(),
        game_sheets={game: join_game_sheet(game) for game in games},
    )
    data: JsonObject = {
        "kinds": [_describe_kind(form, spoken) for form in forms],
        "languages": {code: _list_words(games, words) for code, words in spoken.items()},
        "pictures": {name: picture_data(find_picture(name)) for name in _list_pictures(forms)},
    }
    return fill_page(page, data=_embed_json(data), script=join_script(games))


def _embed_json(value: JsonObject) -> str:
    """Return JSON that can stand in a page: nothing in it ends a script."""
    return msgspec.json.encode(value).decode().replace("<", "\\u003c")


def _describe_kind(form: JudgeForm, spoken: Mapping[str, Language]) -> JsonObject:
    """Return a kind of dispute with its form, its title, and its fields' questions."""
    kind, title = form.kind, form.kind.box.title
    heads = {
        code: words.render(TEXTS["pair"], {"name": title, "thing": words.render(kind.question, {})})
        for code, words in spoken.items()
    }
    asks = {
        code: {name: words.render(one.asks, {}) for name, one in kind.shapes.items() if one.asks}
        for code, words in spoken.items()
    }
    named = {"game": kind.example["game"], "kind": kind.example["kind"]}
    return {**named, "says": form.says, "heads": heads, "asks": asks, "shapes": describe_kind(kind)}


def _list_pictures(forms: list[JudgeForm]) -> list[str]:
    found = (_PICTURE.findall(form.markup) for form in forms)
    return sorted({name for each in found for name in each})


def _list_words(games: list[str], words: Language) -> JsonObject:
    """Return all texts of the page in a language."""
    pieces = {each: words.render_word(each) for game in games for each in _find_words(game)}
    return {
        "texts": _render(TEXTS, words),
        "names": _render(NAMES, words),
        "words": {**pieces, **_render(WORDS, words)},
    }


def _find_words(game: str) -> list[str]:
    """Return the names of colours and pieces in cases of this game."""
    found: dict[str, None] = dict.fromkeys(find_game(game).screens.colours)
    for kind in find_kinds(game).values():
        for held in kind.holds:
            found |= dict.fromkeys(thing for thing in held.most if isinstance(thing, str))
    return [word for word in found if not word.isdigit()]


def _render(texts: Mapping[str, str], words: Language) -> dict[str, str]:
    """Return texts in a language; the places that the page fills in stay."""
    return {name: words.render(text, PLACES) for name, text in texts.items()}
