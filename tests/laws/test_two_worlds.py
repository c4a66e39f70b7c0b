"""Deny by default: what a viewer may not know changes no byte that the viewer is sent.

For every game, at every state of many evenings, in every phase, for every seat, the table screen
and a spectator: another world is made in which everything hidden from this viewer is different.
The viewer's view, what they may do, and every answer to whatever they could ask are the same, byte
for byte. That others see the worlds differ is shown in `tests/web/test_two_worlds.py`.
"""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from companion.core.events import Event
from companion.core.i18n import LANGUAGES, get_language
from companion.games.rulebook import Rulebook
from companion.table.permissions import Author, check_author
from companion.table.view import make_view
from tests.worlds.campaign import pick
from tests.worlds.own_games import own_games
from tests.worlds.rulebook_players import SETUPS, SWEPT, Evening
from tests.worlds.two_worlds import OTHER_WORLD

encode = msgspec.json.encode


def evenings(game: str) -> Iterator[Evening]:
    """Evenings of one game; some hands are opened out of order, so that a few are open alone."""
    for seed, (name, seats, started) in enumerate([*SETUPS, *SWEPT] * pick(1, 2, 2)):
        if name == game:
            yield Evening(game, Random(seed), seats, seed % 3 != 0, **started).play()


def sent(rules: Rulebook, state: Any, viewer: int) -> bytes:
    """Every byte that this viewer is sent."""
    return encode(make_view(rules, state, 7, viewer))


def answers(rules: Rulebook, state: Any, viewer: int, asked: list[Event]) -> list[Any]:
    """What this viewer is answered, in every language, to all of these requests."""
    return [_answer(rules, state, viewer, event) for event in asked]


def _answer(rules: Rulebook, state: Any, viewer: int, event: Event) -> Any:
    row = rules.find_row(state, type(event))
    refused = check_author(Author(viewer, "phone"), row, state, event) if row else None
    refused = refused or rules.refuse(state, event)
    return refused and [refused.code, *(get_language(code)(refused.say) for code in LANGUAGES)]


def askable(rules: Rulebook, state: Any, viewer: int, random: Random) -> list[Event]:
    """All kinds of requests, possible and impossible, that a viewer could send."""
    seats = [viewer, random.randint(1, len(state.players))]
    return [
        _request(row.event, seat, rules, random)
        for row in rules.rows
        for seat in (seats if "seat" in row.event.__struct_fields__ else (0,))
        for _ in range(2)
    ]


def _request(kind: Any, seat: int, rules: Rulebook, random: Random) -> Event:
    words = [*WORDS[rules.box.game], "nothing"]
    found: dict[str, Any] = {
        "seat": seat,
        "slot": random.randint(1, 4),
        "tile": random.choice(("place", "spy", "reveal", "rob")),
        "colour": random.choice(words),
        "will": random.random() < 0.5,
        "seal": f"{random.getrandbits(256):064x}",
        "nonce": "0" * 32,
        "card": random.choice(words),
        "bank": random.choice(words) if rules.box.game == "robby_solo" else random.randint(0, 6),
        "value": random.choice((0, 12, "yellow", {"red": 1}, {"red": 9})),
    }
    return kind(**{field: found[field] for field in kind.__struct_fields__})


WORDS = {
    "bankueberfall": ("5", "x", "thief", "policeman"),
    "banque_fatale": ("red", "blue", "red-blue", "red-red"),
    "robby_solo": ("yellow", "green", 1000, 9000, "object"),
}


@pytest.mark.parametrize("game", own_games())
def test_hidden_facts_change_no_byte_of_a_view(game: str) -> None:
    random = Random(game)
    differing: Counter[tuple[str, bool]] = Counter()
    for evening in evenings(game):
        rules = evening.rules
        for state in evening.states[1:]:
            for viewer in range(len(state.players) + 1):
                other = OTHER_WORLD[game](state, viewer, random)
                assert sent(rules, other, viewer) == sent(rules, state, viewer), state.phase
                asked = askable(rules, state, viewer, random) if random.random() < 0.1 else []
                assert answers(rules, other, viewer, asked) == answers(rules, state, viewer, asked)
                differing[state.phase, other != state] += 1
    for phase in {row.phase for row in rules.rows}:
        assert differing[phase, True] > 0, f"nothing was hidden in {phase}"
