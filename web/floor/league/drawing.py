"""Draw the page of a league in one language: the sheets of the round, the standing, the members.

Law: a name is drawn only if its member agreed to that; everything is escaped, as people typed it.
"""

import hashlib
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import msgspec

from companion.core.i18n import Language, get_language
from companion.floor.arrival_note import ArrivalNote
from companion.floor.tiles import FloorTiles
from companion.games import find_game, game_names
from companion.league.book import CONSENT_WORDS
from companion.league.lists import list_last_sheets, name_member, spell_points
from companion.league.points import share_points
from companion.league.sheet_words import sheet_words
from companion.league.standing import make_standing
from companion.league.state import League, LeagueSheet
from companion.league.store import FILE, LeagueStore
from companion.records.fingerprint import fingerprint_words
from web.floor.drawing import draw_floor_page

Facts = dict[str, object]


class Place(msgspec.Struct, frozen=True):
    """Where games can be begun: the name of a table, and the address of its pages."""

    name: str
    address: str


def list_places(tiles: FloorTiles) -> list[Place]:
    """Return the tables that are there, by name."""
    found = (tile.state for tile in tiles.list_tiles() if tile.is_online and tile.state.address)
    return [Place(state.name, state.address) for state in found]


def draw_league(
    folder: Path,
    places: Sequence[Place],
    language: str,
    notes: Sequence[ArrivalNote] = (),
) -> str:
    """Return the whole page; without a league, the form that founds one."""
    words = get_language(language)
    if not (folder / FILE).exists():
        boxes = [(game, find_game(game).standard_box().title) for game in game_names()]
        return draw_floor_page("league_new", language, boxes=boxes)
    store = LeagueStore(folder)
    try:
        league, names = store.read_league(), store.read_names()
    finally:
        store.close()
    members = [
        (league.members[id].number, name_member(league, names, id, words))
        for id in league.playing
    ]  # fmt: skip
    facts = _list_facts(league, names, places, words, notes)
    facts |= {"members": members, "consent": CONSENT_WORDS}
    facts["has_results"] = bool(league.results)
    facts["points"] = ", ".join(map(str, league.founded.points))
    return draw_floor_page("league", language, **facts)


def draw_live(
    folder: Path, places: Sequence[Place], language: str, notes: Sequence[ArrivalNote] = ()
) -> str:
    """Return the part of the page that follows the league."""
    store = LeagueStore(folder)
    try:
        league, names = store.read_league(), store.read_names()
    finally:
        store.close()
    facts = _list_facts(league, names, places, get_language(language), notes)
    return draw_floor_page("league_live", language, **facts)


def hash_text(text: str) -> str:
    """Return a short hash, by which a page knows whether it shows this already."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _list_facts(
    league: League,
    names: dict[str, str],
    places: Sequence[Place],
    words: Language,
    notes: Sequence[ArrivalNote],
) -> Facts:
    standing = [
        (row.place, name_member(league, names, row.member, words), spell_points(row.points, words),
         row.games, spell_points(row.wins, words), league.members[row.member].has_left)
        for row in make_standing(league)
    ]  # fmt: skip
    return {
        "title": league.founded.title,
        "box": find_game(league.founded.game).standard_box().title,
        "round": len(league.rounds),
        "sheets": [
            _sheet_facts(league, names, sheet, places, words) for sheet in list_last_sheets(league)
        ],
        "open": sum(sheet.round < len(league.rounds) for sheet in league.open_sheets),
        "byes": [
            name_member(league, names, member, words)
            for member in (league.rounds[-1].byes if league.rounds else ())
        ],
        "notes": [(note.name, note.game, words(note.say)) for note in notes],
        "standing": standing,
        "fingerprint": fingerprint_words(league.head.chain),
    }


def _sheet_facts(
    league: League,
    names: dict[str, str],
    sheet: LeagueSheet,
    places: Sequence[Place],
    words: Language,
) -> Facts:
    founded, result = league.founded, league.results.get(sheet.code)
    seats = len(sheet.members)
    points: Sequence[Fraction | None] = [None] * seats
    if result is not None:
        points = share_points(result.places, founded.points, founded.seats)
    return {
        "table": sheet.table,
        "seats": [
            (
                name_member(league, names, member, words),
                None if n is None else spell_points(n, words),
            )
            for member, n in zip(sheet.members, points, strict=True)
        ],
        "is_played": result is not None,
        "words": sheet_words(sheet.code),
        "begin": [
            (place.name, f"{place.address}host/new/{founded.game}?league={sheet.code}")
            for place in places
        ],
    }
