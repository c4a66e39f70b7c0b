"""In every phase of every game, with pieces in fingers, in the wrong hand and beside the table: a
page of the simulated table does not depend on the faces that its seat may not see."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app.default_players import NAMES
from companion.app.simulated.room import SimulatedRoom
from companion.app.simulated.simulated_table import Lineup
from companion.app.simulated.simulation import build_simulation
from companion.core.table_events import Settled
from companion.games import game_names, make_rulebook
from companion.journal import Journal
from companion.pieces.piles import PLACE
from companion.pieces.visibility import piece_kind
from companion.seating.seats import Seats
from companion.table.permissions import Author
from hardware.simulator.hands_on_table import StillClock
from tests.worlds.presence_profile import presence_profile
from tests.worlds.simulated_hands import faces, looks, sits, spots
from tests.worlds.stream_text import full_state
from tests.worlds.visitor import UNHURRIED
from web.app import create_app
from web.context import CONTEXT_KEY, AppContext
from web.rendering.screens import Screen

SEATS = (1, 2)
GESTURES = (("place-2", "hand"), ("pile", "hand"), ("deck", "aside"), ("hand", "aside"),
            ("tiles", "aside"), ("pile", "aside"), ("place-3", "aside"))  # fmt: skip
OFTEN = 1
"""So often each phase is looked at."""
CLOSED = ("pile", "deck", "tiles face down", "box", "discard")


class Watched:
    """A simulated table at which bots play, hands get in the way, and somebody looks."""

    def __init__(self, path: Path, game: str) -> None:
        self.journal, seats = Journal(path), Seats(open_house=True)
        room = SimulatedRoom(presence_profile(), StillClock())
        company = Lineup(NAMES[:3], 7, persons_seat=0)
        self.evening = build_simulation(make_rulebook(game), self.journal, room, company, seats)
        assert self.evening.bots.deal_again() is None
        here = AppContext(self.evening.host.table, seats, self.evening.controls)
        self.app = create_app(here, limits=UNHURRIED)

    def phases(self) -> Iterator[str]:
        """The phases of the game, as each begins."""
        phase = "start"
        while phase != "over":
            yield phase
            while self.evening.host.table.view().public.phase == phase:
                if not self.evening.bots.play_one():
                    looks(self.evening)
            phase = self.evening.host.table.view().public.phase

    def reaches(self, seat: int, n: int) -> None:
        """Somebody lifts something, lays it where it does not belong, and lifts another thing."""
        for (spot, goal), more in zip(GESTURES[n % 2 :: 2], ("pile", "place-1"), strict=False):
            seen = spots(self.evening, seat)
            if spot in seen and goal in seen and seen[spot].lifts:
                self.evening.hands.lift_piece(seat, spot, seen[spot].lifts[-1])
                self.evening.hands.put_down(seat, goal)
                self.evening.hands.lift_piece(seat, more, len(seen.get(more, seen[spot]).lies))
                assert not self.differing(), (spot, goal, more)
                self.evening.hands.put_down(seat, "fingers")

    def differing(self) -> list[int]:
        """Who sees another page, once what they may not see has other faces."""
        things = self.evening.source.pieces.things
        truly, found = dict(things), []
        for seat in SEATS:
            before = self.page(seat)
            hidden = self.hidden(seat)
            for kind in ("card", "tile"):
                tags = [tag for tag in hidden if piece_kind(truly[tag]) == kind]
                names = [truly[tag] for tag in tags]
                things.update(zip(tags, names[1:] + names[:1], strict=True))
            found += [seat] if self.page(seat) != before else []
            things.update(truly)
        return found

    def page(self, seat: int) -> str:
        return full_state(self.app, self.app.extensions[CONTEXT_KEY], Screen("play", seat, "en"))

    def hidden(self, seat: int) -> set[str]:
        """What lies in piles, in others' hands, or face down and not known to this seat."""
        pieces, view = self.evening.source.pieces, self.evening.host.table.view(seat)
        told = {(one["bank"], one["slot"]) for one in getattr(view.mine, "cards", ())}
        hidden = set[str]()
        for heap, tags in pieces._heaps.items():
            for slot, tag in enumerate(tags, 1):
                closed = heap.kind in CLOSED or (heap.kind == "hand" and heap.number != seat)
                if heap.kind == PLACE and hasattr(view.public, "tiles") and heap.number < 8:
                    face = dict(enumerate(view.public.banks[heap.number - 1], 1)).get(slot)
                    closed = face is None and (heap.number, slot) not in told
                if closed and not self.open_here(tag):
                    hidden.add(tag)
            if heap.kind == "loot of":
                hidden |= {tag for tag in tags[:-1] if not self.open_here(tag)}
        return hidden

    def open_here(self, tag: str) -> bool:
        """Whether it lies where everything lies open."""
        at = self.evening.source.pieces.actual_heap(tag)
        everywhere = not hasattr(self.evening.host.table.view().public, "tiles")
        return at.kind == PLACE and (everywhere or at.number == 8)


@pytest.fixture(params=game_names())
def watched(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Watched]:
    found = Watched(tmp_path / "journal.sqlite3", request.param)
    yield found
    found.evening.source.close()
    found.journal.close()


@pytest.mark.wide
def test_no_page_of_the_pieces_depends_on_what_its_seat_may_not_see(watched: Watched) -> None:
    looked = dict[str, int]()
    for phase in watched.phases():
        looked[phase] = looked.get(phase, 0) + 1
        if looked[phase] <= OFTEN:
            for seat in SEATS:
                sits(watched.evening, seat)
                watched.reaches(seat, looked[phase])
                assert not watched.differing()
                watched.evening.bots.leave_seat(seat)
            watched.evening.source.pieces.put_right()
            looks(watched.evening)
    assert len(looked) > 3


def test_an_undone_card_stays_face_down_in_another_hand(tmp_path: Path) -> None:
    watched = Watched(tmp_path / "journal.sqlite3", "bankueberfall")
    evening = watched.evening
    sits(evening, 2)
    assert evening.hands.lift_piece(2, "place-3", 1) is None
    assert evening.hands.put_down(2, "hand") is None
    looks(evening)
    assert evening.host.table.request(Settled(3, "cards"), Author(2, "phone 2")) is None
    looks(evening)
    assert faces(evening, 2, "hand")[-1] is None
    assert len(spots(evening, 2)["hand"].lies) == 6
    evening.source.close()
    watched.journal.close()
