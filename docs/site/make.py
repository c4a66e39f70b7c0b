"""Make the try-it site: recorded evenings, rules, the judge, the documentation, pictures.

Laws: every page is a file that needs no server and fetches nothing from elsewhere, and every link
within leads to a file of the site (`tests/docs/test_site.py`). What it shows is made from the same
records, rules and judge as at a table.
"""

import html
import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from companion.core.i18n import LANGUAGES, Language, get_language, message
from companion.games import find_game, game_names
from companion.games.rule_texts import SEALING, TABLE
from companion.host.demo_scenes import load_evenings
from web.export.judge_page import make_judge_page
from web.export.record_page import make_record_page

ROOT = Path(__file__).resolve().parents[2]
STYLE = """
body { font: 1.05rem/1.6 Georgia, serif; color: #22180f; background: #f6efe0; margin: 0; }
main { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1.1rem 4rem; overflow-wrap: anywhere; }
nav { background: #1f3d2e; padding: .7rem 1.1rem; } nav a { color: #f6efe0; margin-right: 1.2rem; }
a { color: #7a1f2b; } img { max-width: 100%; height: auto; border-radius: .4rem; }
pre { background: #ece2cc; padding: .8rem; overflow-x: auto; } code { font-size: .9em; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
td, th { border: 1px solid #cbbd9e; padding: .3rem .6rem; text-align: left; vertical-align: top; }
:focus-visible { outline: 3px solid #7a1f2b; outline-offset: 2px; }
"""
POLICY = "default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'"
LINKED = re.compile(r"[\w.-]+(?:/[\w.-]+)*")
SAYS = {
    "en": {
        "title": "A companion for a table of real cards",
        "lead": "It watches the banks with card readers, seals the bids on the players' phones and "
        "explains every pay-out. Here are recorded evenings to look at, and the judge to try.",
        "evenings": "Recorded evenings", "rules": "Rules, in our own words", "judge": "The judge",
        "try": "Type in a case, and read the verdict step by step. It runs in this browser alone.",
        "docs": "Documentation (in English)", "home": "Start",
        "pictures": "The table screen, and a phone",
    },
    "fr": {
        "title": "Un compagnon pour une table de vraies cartes",
        "lead": "Il surveille les banques avec des lecteurs de cartes, scelle les mises sur les "
        "téléphones et explique chaque paiement. Voici des soirées enregistrées, et l’arbitre à "
        "essayer.",
        "evenings": "Soirées enregistrées", "rules": "Les règles, avec nos mots",
        "judge": "L’arbitre",
        "try": "Saisissez un cas et lisez le verdict pas à pas. Tout se passe dans ce navigateur.",
        "docs": "Documentation (en anglais)", "home": "Accueil",
        "pictures": "L’écran de table, et un téléphone",
    },
    "de": {
        "title": "Ein Begleiter für einen Tisch mit echten Karten",
        "lead": "Er beobachtet die Banken mit Kartenlesern, versiegelt die Gebote auf den Handys "
        "und erklärt jede Auszahlung. Hier sind aufgezeichnete Abende zum Ansehen und das "
        "Schiedsgericht zum Ausprobieren.",
        "evenings": "Aufgezeichnete Abende", "rules": "Die Regeln, mit unseren Worten",
        "judge": "Das Schiedsgericht",
        "try": "Gib einen Fall ein und lies das Urteil Schritt für Schritt. Alles läuft nur in "
        "diesem Browser.",
        "docs": "Dokumentation (auf Englisch)", "home": "Start",
        "pictures": "Der Tischbildschirm und ein Handy",
    },
}  # fmt: skip
NAMES = {"en": "English", "fr": "Français", "de": "Deutsch"}
PICTURES = ("docs/pictures/table.png", "docs/pictures/phone.png")


def make_site(out: Path) -> list[Path]:
    """Write the site into an empty folder; return its files."""
    shutil.rmtree(out, ignore_errors=True)
    documents = collect_documents("README.md")
    for name in documents:
        _write(out / _page_of(name), draw_document(name, documents))
    for picture in PICTURES:
        _copy(out, picture)
    for file in _linked_files(documents):
        _copy(out, file)
    _write(out / "judge.html", make_judge_page())
    for code in LANGUAGES:
        words = get_language(code)
        for record in load_evenings():
            place = out / f"evenings/{record.header.game}.{code}.html"
            _write(place, make_record_page(record, code))
        for game in game_names():
            _write(out / f"rules/{game}.{code}.html", draw_rules(game, words))
        _write(out / f"index.{code}.html", draw_start(code))
    _write(out / "index.html", draw_start("en"))
    return sorted(path for path in out.rglob("*") if path.is_file())


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def _copy(out: Path, name: str) -> None:
    (out / name).parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(ROOT / name, out / name)


# Documents.


def collect_documents(first: str) -> list[str]:
    """Return the names of all documents that are linked from the first one, by however many."""
    found, left = list[str](), [first]
    while left:
        name = left.pop(0)
        if name not in found:
            found.append(name)
            left += [to for to in _targets(name) if to.endswith(".md")]
    return found


def _linked_files(documents: list[str]) -> set[str]:
    """Return the files other than documents that are linked from these."""
    return {to for name in documents for to in _targets(name) if not to.endswith(".md")}


def _targets(name: str) -> Iterator[str]:
    """Yield the files of this repository to which a document leads."""
    for token in _tokens(name):
        place = str(token.attrs.get("href") or token.attrs.get("src") or "")
        target = _target_of(name, place.partition("#")[0])
        if target:
            yield target


def _tokens(name: str) -> Iterator[Token]:
    for token in _parse(name):
        yield from (child for child in token.children or () if child.attrs)


def _parse(name: str) -> list[Token]:
    text = (ROOT / name).read_text("utf-8")
    return MarkdownIt("commonmark", {"html": False}).enable("table").parse(text)


def _target_of(name: str, place: str) -> str:
    """Return the file to which a link of a document leads; empty if it is none of ours."""
    if not LINKED.fullmatch(place.removeprefix("../").removeprefix("../")):
        return ""
    target = os.path.normpath(Path(name).parent / place)
    return target if (ROOT / target).is_file() and not target.startswith("..") else ""


def _page_of(name: str) -> str:
    return name.removesuffix(".md") + ".html"


def draw_document(name: str, documents: list[str]) -> str:
    """Return a document as a page whose links lead to pages and files of the site."""
    tokens = _parse(name)
    for number, token in enumerate(tokens):
        if token.type == "heading_open":
            token.attrs["id"] = slug(tokens[number + 1].content)
        for child in token.children or ():
            place, mark, anchor = str(child.attrs.get("href", "")).partition("#")
            target = _target_of(name, place) if place else ""
            if target in documents:
                child.attrs["href"] = _page_of(place) + mark + anchor
            elif place and "://" not in place and not target:
                del child.attrs["href"]  # A folder of the repository.
    drawn = (
        MarkdownIt("commonmark", {"html": False})
        .enable("table")
        .renderer.render(tokens, MarkdownIt("commonmark").options, {})
    )
    title = next((t.content for t in tokens if t.type == "inline"), name)
    up = "../" * (len(Path(name).parts) - 1)
    return frame(title.replace("`", ""), drawn, "en", up)


def slug(heading: str) -> str:
    """Return the anchor of a heading, as links name it."""
    kept = re.sub(r"[^\w\- ]", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower())
    return kept.replace(" ", "-")


# Our own pages.


def draw_rules(game: str, words: Language) -> str:
    """Return the rules of a game, with what every game has."""
    found = find_game(game)
    box, lines = found.standard_box(), list[str]()
    for id, rule in (found.rules.rules | SEALING | TABLE).items():
        text = html.escape(words(message(rule.text)))
        lines.append(f'<h2 id="{id}"><code>{id}</code></h2><p>{text}</p>')
    for id, ruling in found.rules.rulings.items():
        text = html.escape(words(message(ruling)))
        lines.append(f'<h2 id="{id}"><code>{id}</code></h2><p>{text}</p>')
    said = f"<h1>{html.escape(box.title)}</h1>{''.join(lines)}"
    return frame(box.title, said, words.code, "../")


def draw_start(code: str) -> str:
    """Return the first page in a language."""
    says = SAYS[code]
    games = {game: find_game(game).standard_box().title for game in game_names()}

    def links(folder: str) -> str:
        rows = (
            f'<li><a href="{folder}/{game}.{code}.html">{html.escape(title)}</a></li>'
            for game, title in games.items()
        )
        return f"<ul>{''.join(rows)}</ul>"

    shown = "".join(f'<p><img src="{name}" alt="{says["pictures"]}"></p>' for name in PICTURES)
    body = (
        f"<h1>{says['title']}</h1><p>{says['lead']}</p>"
        f"<h2>{says['evenings']}</h2>{links('evenings')}"
        f'<h2>{says["judge"]}</h2><p><a href="judge.html">{says["judge"]}</a>. {says["try"]}</p>'
        f"<h2>{says['rules']}</h2>{links('rules')}"
        f'<h2>{says["docs"]}</h2><p><a href="README.html">README</a></p>'
        f"<h2>{says['pictures']}</h2>{shown}"
    )
    return frame(says["title"], body, code, "")


def frame(title: str, body: str, code: str, up: str) -> str:
    """Return a page with its head, and the links that every page has."""
    others = "".join(
        f'<a href="{up}index.{each}.html" lang="{each}">{NAMES[each]}</a>' for each in LANGUAGES
    )
    return (
        f'<!doctype html>\n<html lang="{code}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        f"<title>{html.escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"<nav>{others}</nav>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


if __name__ == "__main__":
    print(f"{len(make_site(Path((sys.argv[1:] or ['dist/site'])[0])))} files")
