"""Alternatives: what the table may say happened instead; never more than the door would grant."""

from functools import cache
from typing import Any

import pytest

from companion.core.events import Event
from companion.core.table_events import Corrected, Undone
from companion.games.robby_solo.state import Declared
from companion.table.history import History, apply_event, build_history
from companion.table.putting_right import Alternative, put_right
from companion.table.view import log_entries
from tests.worlds.event_story import Story
from tests.worlds.golden_games import golden_files, read

GOLDEN = {path.stem: path for path in golden_files() if path.match("*-[12].txt")}
BEGUN = ("Ana", "Ben")


@cache
def game(name: str, moments: int) -> History:
    """The first moments of a golden game."""
    rules, events = read(GOLDEN[name])
    return build_history(rules, [(event, "phone 1", 0.0) for event in events[:moments]])


def history(game: str, *events: Event | str) -> History:
    """A game that went like this, over phones alone."""
    story = Story(game, *BEGUN).when(*events)
    return build_history(story.rules, [(event, "phone 1", 0.0) for event in story.events])


def said(found: list[Alternative], field: str) -> list[Any]:
    return [each.instead[field] for each in found]


@pytest.mark.parametrize("name", GOLDEN)
def test_only_moments_that_say_so_have_alternatives(name: str) -> None:
    played = game(name, 60)
    offered = {one.at: one.correctable for one in log_entries(played)}
    assert any(offered.values())
    for at, correctable in offered.items():
        house_rules = at == 1  # They are corrected from where a verdict names them.
        assert correctable or house_rules or put_right(played, at).options == ()


def test_an_undone_moment_has_no_corrections_and_a_corrected_one_the_first() -> None:
    played = history("bankueberfall", 'tile_turned seat=1 tile="rob"')
    struck = apply_event(played, Undone(2))
    assert put_right(struck, 2).options == ()
    spied = apply_event(played, Corrected(2, {"event": "tile_turned", "seat": 1, "tile": "place"}))
    assert said(put_right(spied, 2).options, "tile") == ["spy", "reveal", "rob"]


def test_a_declaration_may_have_been_about_any_bank_of_the_row() -> None:
    played = game("robby_solo-1", 60)
    (declared, *_) = [m for m in played.moments if isinstance(m.event, Declared)]
    offered = put_right(played, declared.at).options
    found = {(each.instead["bank"], each.instead["will"]) for each in offered}
    banks = {bank.name for bank in played.rules.public_view(played.state).banks}
    was = (declared.event.bank, declared.event.will)
    assert found == {(bank, will) for bank in banks for will in (True, False)} - {was}
