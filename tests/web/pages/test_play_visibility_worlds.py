"""Two simulated tables that differ only in the faces one seat may not see look alike to that seat,
byte for byte, whatever anybody lifts, lays down or turns over."""

import secrets
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from companion.app.default_players import NAMES
from companion.games.layout import piece_kind
from companion.games.new_game import NewGame, prepare_game
from companion.journal import Journal
from companion.seating.seats import Seats
from companion.table.permissions import HOST_AUTHOR
from tests.worlds.campaign import pick
from tests.worlds.left_open import closed_later
from tests.worlds.own_games import own_games
from tests.worlds.simulated_hands import looks, simulated, spots
from tests.worlds.standing_tables import cookie
from tests.worlds.stream_text import full_state
from tests.worlds.visitor import UNHURRIED, Visitor
from web.app import create_app
from web.context import CONTEXT_KEY, AppContext
from web.rendering.scene import Screen

SEEN = ("hand-1", "front-1", "front-2", "front-3")
DRAWN = 3
"""So many cards on top of the pile are alike in both worlds: seat 1 may draw them."""
SCREENS = (Screen("play", 1, "en"), Screen("phone", 1, "en"), Screen("table", 0, "en"))


class World:
    """A simulated table with browsers at seats 1 and 2."""

    def __init__(self, path: Path, game: str, other: bool) -> None:
        self.journal, seats = closed_later(Journal(path)), Seats(open_house=True)
        self.evening = simulated(self.journal, game, seats, persons_seat=1)
        _, started = prepare_game(NewGame(game, NAMES[:3]), "same")  # type: ignore[misc]
        self.evening.source.lay_out(started)
        if other:
            self.swap()
        assert self.evening.host.table.start(started, HOST_AUTHOR) is None
        looks(self.evening)
        here = AppContext(self.evening.host.table, seats, self.evening)
        self.app = create_app(here, limits=UNHURRIED)
        for seat in (1, 2):
            seats.claim_seat(seat, f"browser {seat}")

    def swap(self) -> None:
        """Every card that seat 1 may not see gets the face of another such card."""
        pieces = self.evening.source.pieces
        known = {
            tag
            for heap, tags in pieces.pieces_by_spot().items()
            for tag in (tags if self.named(heap) in SEEN else tags[-DRAWN:])
            if self.named(heap) in (*SEEN, "pile-0")
        }
        assert known
        hidden = [
            t for t in pieces.things if t not in known and piece_kind(pieces.things[t]) == "card"
        ]
        names = [pieces.things[tag] for tag in hidden]
        pieces.things.update(zip(hidden, names[1:] + names[:1], strict=True))

    def named(self, heap: Any) -> str:
        spots = self.evening.source.pieces.layout.spots
        shown = {spot.kind: spot.shown for spot in spots}
        return f"{shown.get(heap.kind, heap.kind)}-{heap.number}"

    def does(self, seat: int, act: str, **fields: Any) -> bytes:
        """The answer to something that hands do, and all that seat 1 sees then."""
        visitor = Visitor(self.app)
        visitor.client.set_cookie("companion", cookie(self.app, f"browser {seat}"))
        answer = visitor.tells(f"/api/play/{seat}/{act}", {"key": secrets.token_hex(8), **fields})
        looks(self.evening, 0.5)
        return answer.status.encode() + answer.data + self.shows(*SCREENS)

    def shows(self, *screens: Screen) -> bytes:
        here = self.app.extensions[CONTEXT_KEY]
        return b"".join(full_state(self.app, here, screen).encode() for screen in screens)

    def goes(self) -> None:
        self.evening.source.wires.close()
        self.journal.close()


@pytest.fixture
def worlds(tmp_path: Path) -> Iterator[Callable[[str, bool], World]]:
    """One table after the other: a process has one set of pins."""
    came: list[World] = []

    def come(game: str, other: bool) -> World:
        if came:
            came[-1].goes()
        came.append(World(tmp_path / f"{len(came)}.sqlite3", game, other))
        return came[-1]

    yield come
    came[-1].goes()


def moved(world: World) -> list[bytes]:
    """What seat 1 gets while it and others lift, lay and turn whatever they can."""
    found, many = [world.shows(*SCREENS)], len(spots(world.evening, 1)["pile"].lies)
    goals = cycle(("aside", "place-3", "place-1"))
    for seat in (1, 2):
        for spot, n in (("place-2", 1), ("pile", many), ("hand", 2), ("tiles", 7), ("front-2", 1)):
            goal = next(goals)
            found.append(world.does(seat, "turn", spot=spot, n=n))
            found.append(world.does(seat, "lift", spot=spot, n=n))
            found.append(world.does(seat, "put", spot=goal))
            lies = len(spots(world.evening, seat)[goal].lies)
            found.append(world.does(seat, "lift", spot=goal, n=lies))
            found.append(world.does(seat, "put", spot="fingers"))
    return found


@pytest.mark.parametrize("game", pick(["bankueberfall"], own_games(), own_games()))
def test_no_gesture_shows_a_face_to_eyes_that_may_not_see_it(worlds, game):
    here, there = (moved(worlds(game, other)) for other in (False, True))
    assert sum(answer.startswith(b"204") for answer in here) > 5
    assert [n for n, (a, b) in enumerate(zip(here, there, strict=True)) if a != b] == []


def test_the_owner_of_the_other_cards_sees_that_the_worlds_differ(worlds):
    own = Screen("play", 2, "en")
    here, there = (worlds("bankueberfall", other).shows(own) for other in (False, True))
    assert here != there
