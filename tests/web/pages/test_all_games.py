"""The pages of all three games: every phase on every screen, and nothing on a screen of others.

A table stands still here: a state out of an evening, as a game came to it, is shown as it is.
"""

import html
import json
import re
from collections.abc import Iterator
from functools import cache
from itertools import product
from operator import attrgetter
from random import Random
from typing import Any

import pytest
from jinja2 import StrictUndefined

from companion.app.simulated.simulation import Simulation
from companion.core.i18n import LANGUAGES, get_language, message
from companion.games.rulebook import May
from tests.worlds.campaign import pick
from tests.worlds.rulebook_players import SETUPS, Evening
from tests.worlds.stream_text import full_state
from tests.worlds.visitor import words
from web.api.operation import parse_event
from web.app import create_app
from web.context import CONTEXT_KEY, AppContext
from web.rendering.scene import Screen
from web.screen_check import StandingTable


class Shown:
    """The pages of such a table, on which a name that nobody gave is a fault."""

    def __init__(self, rules: Any) -> None:
        self.table = StandingTable(rules)
        self.app = create_app(AppContext(self.table))  # type: ignore[arg-type]
        self.app.jinja_env.undefined = StrictUndefined

    def page(self, state: Any, seat: int, code: str = "en") -> str:
        """The table screen, or the phone of a seat."""
        self.table.state = state
        screen = Screen("phone" if seat else "table", seat, code)
        return full_state(self.app, self.app.extensions[CONTEXT_KEY], screen)

    def differ(self, here: Any, there: Any) -> set[int]:
        """The screens on which two states are not the same."""
        seats = (0, *seats_of(here))
        return {seat for seat in seats if self.page(here, seat) != self.page(there, seat)}


PLAYED = {
    f"{game} {seats} {' '.join(started)}".strip(): (game, seats, started)
    for game, seats, started in (
        *SETUPS,
        ("bankueberfall", 3, {"readers": False}),
        ("robby_solo", 3, {"sweep": "always"}),
    )
}
"""By name; without readers, and where loot is swept, a phase more is played."""
SHOWN = [*[*PLAYED][pick(2, 0, 0) : -1 : pick(3, 1, 1)], [*PLAYED][-1]]


@cache
def evening(name: str) -> Simulation:
    game, seats, started = PLAYED[name]
    return Evening(game, Random(name), seats, **started).play()


def one_of_each(played: Simulation) -> list[Any]:
    """The first and the last state of every phase."""
    states = played.states[1:]
    first = {state.phase: state for state in reversed(states)}
    last = {state.phase: state for state in states}
    return [*first.values(), *last.values()]


def seats_of(state: Any) -> range:
    return range(1, len(state.players) + 1)


@pytest.mark.parametrize("name", SHOWN)
def test_every_phase_is_shown_on_every_screen_in_every_language(name: str):
    played = evening(name)
    states, pages = one_of_each(played), Shown(played.rules)
    missed = {row.phase for row in played.rules.rows} - {state.phase for state in states}
    assert missed <= {"turn_up", "sweep"} | ({"junior"} if "junior" not in name else set())
    assert not missed & (
        {"turn_up"} if "readers" in name else {"sweep"} if "sweep" in name else set()
    )
    for state in states:
        for code in LANGUAGES:
            now = words(get_language(code)(played.rules.describe_phase(state)))
            yours = get_language(code)(message("Your turn."))
            public = played.rules.public_view(state)
            waiting, hands = public.waiting, [*enumerate(public.seats, 1)]
            is_done = attrgetter("open" if state.phase == "open" else "closed")
            for seat in (0, *seats_of(state)):
                page = pages.page(state, seat, code)
                assert not re.search(r"\d 000", page), "a plain space parts a number"
                shown = words(page)
                assert now in shown or (tuple(waiting) == (seat,) and yours in shown)
                if 'class="others"' in page:
                    ticked = re.findall(r'class="seat-(\d) done"', page)
                    assert ticked == [f"{n}" for n, one in hands if is_done(one)], state.phase


@pytest.mark.parametrize("name", SHOWN)
def test_a_phone_asks_for_all_that_its_seat_may_do_and_all_it_offers_is_granted(name: str):
    played = evening(name)
    pages = Shown(played.rules)
    for state in one_of_each(played):
        for seat in seats_of(state):
            page = pages.page(state, seat)
            asked = dict(offers(page))
            may = played.rules.list_options(state, seat)
            assert {m.do for m in may} <= {*asked, "opened"}
            assert ("data-open" in page) == any(m.do == "opened" for m in may)
            for one in may:
                offered = asked.get(one.do, [])
                assert len(offered) == ways(one)
                for fields in offered:
                    wish = parse_event({"event": one.do, **fields}, played.rules, seat)
                    assert played.rules.refuse(state, wish) is None, wish


def offers(page: str) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """What the forms of a page can send: every button, and every value of every list."""
    found: dict[str, list[dict[str, Any]]] = {}
    for form in page.split("<form")[1:]:
        do = re.search(r'name="do" value="(\w+)"', form)
        if do is None:
            continue
        choices = re.findall(
            r'<(button|input type="(?:hidden|radio)") name="choice" value="([^"]*)"', form
        )
        pieces = re.findall(r'<input type="radio" name="(?!choice")(\w+)" value="([^"]*)"', form)
        answers = re.findall(r'<button name="(?!choice")(\w+)" value="([^"]*)"', form)
        found.setdefault(do[1], []).extend(
            {field: json.loads(html.unescape(written)) for field, written in taps}
            for taps in product(pieces, answers)
        )
        lists = re.findall(r'<select name="(\w+)"(.*?)</select>', form, re.DOTALL)
        for _, written in choices:
            choice = json.loads(html.unescape(written))
            values = [
                {**choice, field: json.loads(html.unescape(value))}
                for field, options in lists
                for value in re.findall(r'<option value="([^"]+)"', options)
            ] + [{**choice, field: json.loads(html.unescape(value))} for field, value in answers]
            found.setdefault(do[1], []).extend(values or [choice])
        found.setdefault(do[1], [])
    yield from found.items()


def ways(may: May) -> int:
    """Count the ways to ask for this; only a phone knows the ways to close a hand."""
    if may.do in ("sealed", "opened"):
        return 0
    many = 0
    for choice in may.choices:
        lists = [len(value) for value in choice.values() if isinstance(value, tuple)]
        many += sum(lists) or 1
    return many


def test_a_phone_may_end_a_sweep_once_a_card_was_shown():
    played = evening(SHOWN[-1])
    pages, found = Shown(played.rules), set()
    for state in played.states[1:]:
        sweep = played.rules.current_sweep(state)
        is_begun = sweep is not None and 0 < len(sweep.shown) < len(sweep.believed)
        if (state.phase, is_begun) not in found:
            found.add((state.phase, is_begun))
            assert ('id="sweep-ends"' in pages.page(state, 1)) == is_begun
    assert ("sweep", True) in found
