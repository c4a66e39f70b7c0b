"""One clock for all screens: while a verdict is told, none of them is ahead of it."""

import re
from pathlib import Path
from typing import Any

import pytest

from companion.core.i18n import get_language
from companion.core.verdict import render_steps
from companion.journal import Journal
from companion.seating.seats import Seats
from companion.table.table import Table
from companion.table.telling import STANDS
from tests.worlds.campaign import pick
from tests.worlds.hand_clock import HandClock
from tests.worlds.left_open import closed_later
from tests.worlds.own_games import own_games
from tests.worlds.simulated_hands import deal, simulated
from tests.worlds.visitor import UNHURRIED, Visitor, words
from web.app import create_app
from web.context import AppContext

PAGES = ("/table", "/phone/1", "/phone/2", "/share", "/play/1", "/judge")
REVEALS = pick(3, 25, 70)


@pytest.mark.parametrize("game", own_games())
def test_no_screen_is_ahead_of_the_clock(game: str, tmp_path: Path) -> None:
    journal, seats = closed_later(Journal(tmp_path / "journal.sqlite3")), Seats(open_house=True)
    looked_at = Seats(open_house=True)  # The bots play whoever looks on from these.
    evening = simulated(journal, game, seats, air="ideal")
    deal(evening)
    table, clock = evening.host.table, HandClock()
    table.telling.use_clock(clock)
    app = create_app(AppContext(table, looked_at, evening, evening.host), limits=UNHURRIED)
    phone = Visitor(app)
    phone.post("/api/join/seats/1")
    phone.post("/api/join/seats/2", also="true")
    told, before = 0, set[str]()
    for _ in range(30_000):
        if told == REVEALS:
            break
        if table.telling.current() is None:
            if table.history.is_over:
                deal(evening)
            evening.source.poll()
            evening.bots.play_one()
            continue
        before = follow(table, phone, clock, before)
        told += 1
    assert told == REVEALS
    evening.source.wires.close()
    table.close()
    journal.close()


def follow(table: Table, phone: Visitor, clock: HandClock, before: set[str]) -> set[str]:
    """Look at all screens at each step, until the stage is free; return the sentences of all steps.

    Those of the verdict before may still stand on a page of the judge, and hold a shorter one of
    now: “Seat 2 and Seat 3: …” has “Seat 3: …” in it.
    """
    telling = table.telling.current()
    assert telling is not None
    view: Any = table.view()
    steps = render_steps(view.public.verdict, get_language("en"))
    sentences = [words(step["text"]) for step in steps]
    spoiler = get_language("en")(view.public.now)
    counted = {noted_amounts(phone)}
    before_it = table.telling.told_history(table.history)
    owned = table.rules.corrections.count_own(before_it.state, 1)
    assert counted == {tuple(f"{name} {one.noted}" for name, one in owned.items())}
    while table.telling.unfinished() is not None:
        told = table.telling.told(telling)
        known = [*sentences[:told], *before]
        later = [text for text in sentences[told:] if not any(text in old for old in known)]
        for page in PAGES:
            shown = phone.reads(page)
            ahead = [text for text in later if text in shown]
            assert not ahead, (page, told)
            assert "The game is over." not in shown, page
            if page[-1] not in map(str, view.public.waiting):
                assert spoiler not in shown, (page, told)
        counted.add(noted_amounts(phone))
        if 0 < told < telling.steps:
            assert sentences[told - 1] in phone.reads("/table")
        clock.now += (table.telling.next_change() or 0.0) + 0.001
    assert len(counted) == 1, "what one owns changes once all is told"
    clock.now += STANDS + 1
    assert sentences[-1] in phone.reads("/phone/1") or table.history.is_over
    return {*sentences}


def noted_amounts(phone: Visitor) -> tuple[str, ...]:
    """What the page to count on says that seat 1 owns, as far as it is told."""
    page = phone.get("/phone/1/count").text
    found = tuple(re.findall(r'name="owns\.([^"]+)" value="(\d+)"', page))
    assert found
    return tuple(f"{name} {n}" for name, n in found)
