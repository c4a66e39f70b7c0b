"""The table: one door, one writer, and nobody hears of what is not on disk."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.core.commitment import make_seal
from companion.core.errors import Refusal
from companion.core.events import Opened, Sealed
from companion.core.sensor_events import Arrived, ButtonPressed, Left, ReaderLost
from companion.table.permissions import HOST_AUTHOR, Author
from tests.worlds.journal_lines import every_line
from tests.worlds.watched_table import EN, NONCE, Watched, code_of

ANA, BEN, HOST = 1, 2, HOST_AUTHOR
SPECTATING, READER = Author(0, "spectator"), Author(0, "reader 3")


class Room(Watched):
    """A table whose game begins when the test says so, and what its watchers were told."""

    def begin(self) -> None:
        """Not yet: see `start`."""
        self.told: list[int] = []
        self.table.watch(lambda: self.told.append(self.table.version))

    def start(self, author: Author = HOST, id: str = "g1") -> Refusal | None:
        return self.table.start(self.rules.start_event(id=id, players=2), author)

    def refused(self, author: int | Author, event: Any, code: str, rule: str) -> None:
        """Refused with this code and rule; nothing is written, nothing changes, nobody is told."""
        before = (self.state, self.table.version, self.lines(), list(self.told))
        refused = self.ask(author, event)
        assert refused is not None, f"{event} is granted"
        assert (refused.code, refused.rule) == (code, rule), refused
        assert EN(refused.say)
        assert (self.state, self.table.version, self.lines(), self.told) == before

    def over(self) -> Any:
        """As if the game had come to its end."""
        fields = {name: getattr(self.state, name) for name in self.state.__struct_fields__}
        ended = type(self.state)(**fields | {"phase": "over"})
        self.table.history = msgspec.structs.replace(self.table.history, state=ended)
        return ended

    def lines(self) -> list[str]:
        """What is on disk, as another program sees it."""
        with closing(sqlite3.connect(self.path)) as disk:
            return [f"{via}: {event}" for via, event in disk.execute("SELECT via, event FROM line")]


@pytest.fixture
def room(tmp_path: Path) -> Room:
    """A table in a room, no game begun."""
    return Room(tmp_path / "journal.sqlite3", seats=2, readers=())


@pytest.fixture
def game(room: Room) -> Room:
    """A game of two is under way; Ana is at turn."""
    assert room.start() is None
    return room


# Beginning.


def test_before_the_start_there_is_nothing_to_ask_for_or_to_see(room: Room) -> None:
    assert code_of(room.ask(ANA, 'tile_turned seat=1 tile="place"')) == "not_started"
    assert (room.table.view(1), room.table.view(), room.table.lamp_state(1)) == (None, None, "off")
    room.lay("5", 1)
    assert (room.lines(), room.told) == ([], [])


@pytest.mark.parametrize("author", [Author(1, "phone 1"), SPECTATING, READER, Author(1, "table")])
def test_only_the_host_begins_a_game(room: Room, author: Author) -> None:
    refused = room.start(author=author)
    assert refused is not None
    assert (refused.code, refused.rule) == ("not_yours", "B.setup")
    assert (room.table.state, room.lines(), room.told) == (None, [], [])


def test_another_game_may_begin_after_the_end(game: Room) -> None:
    game.over()
    assert game.start(id="g2") is None
    assert (game.state.id, game.table.version, game.told) == ("g2", 1, [1, 1])
    assert [line.id for line in every_line(game.journal)] == ["g1", "g2"]


# The door.


def sealed(seat: int, bid: int, round: int = 1) -> Sealed:
    return Sealed(seat, make_seal("g1", round, seat, bid, NONCE))


NAMED = 'card_named bank=3 slot=1 card="5"'
PLACE = 'tile_turned seat=1 tile="place"'
ROB = ('tile_turned seat=1 tile="rob"', "bank_chosen seat=1 bank=3")
Said = tuple[int | Author, Any]
BEGUN: tuple[Said, ...] = ()
PLACING = ((READER, PLACE),)
ROBBED = tuple((ANA, event) for event in ROB)
ANEW = (*ROBBED, (ANA, "resealed"), (HOST, "resealed"))
CLOSED = (*ANEW, (ANA, sealed(1, 3, round=3)), (BEN, sealed(2, 0, round=3)))
ENTERED = (*CLOSED, (HOST, "entered seat=1 value=3"), (HOST, "entered seat=2 value=0"))
OPEN = (*CLOSED, (ANA, Opened(1, 3, NONCE)), (BEN, Opened(2, 0, NONCE)))
EMPTIED = (*OPEN, (BEN, NAMED))
DOOR: list[tuple[tuple[Said, ...], Author, Any, str, str]] = [
    (BEGUN, HOST, 'started id="g2" players=2', "wrong_phase", "B.turn"),
    (BEGUN, BEN, PLACE, "not_yours", "B.turn"),
    (BEGUN, ANA, 'tile_turned seat=2 tile="place"', "not_yours", "B.turn"),
    (BEGUN, SPECTATING, PLACE, "not_yours", "B.turn"),
    (BEGUN, Author(1, "table"), "paused", "not_yours", "T.pause"),
    (BEGUN, SPECTATING, 'tile_turned seat=0 tile="place"', "not_your_turn", "B.turn"),
    (BEGUN, ANA, NAMED, "not_yours", "B.setup"),
    (BEGUN, HOST, NAMED, "not_yours", "B.setup"),
    (BEGUN, SPECTATING, NAMED, "not_yours", "B.setup"),
    (((READER, NAMED),), READER, NAMED, "not_its_name", "T.hidden"),
    (PLACING, READER, PLACE, "wrong_phase", "B.place"),
    (PLACING, READER, "card_placed seat=1 bank=6", "no_such_bank", "B.place"),
    (ROBBED, SPECTATING, sealed(1, 3), "not_yours", "B.bid"),
    (ROBBED, SPECTATING, Sealed(0, "a" * 64), "no_such_seat", "S.seal"),
    (ROBBED, SPECTATING, "resealed", "not_yours", "S.reseal"),
    (ROBBED, READER, "resealed", "not_yours", "S.reseal"),
    (CLOSED, BEN, "entered seat=1 value=3", "not_yours", "S.enter"),
    (CLOSED, SPECTATING, "entered seat=1 value=3", "not_yours", "S.enter"),
    (CLOSED, ANA, "entered seat=1 value=3", "not_yours", "S.enter"),
    (ENTERED, SPECTATING, NAMED, "not_yours", "B.rob"),
    (OPEN, SPECTATING, NAMED, "not_yours", "B.rob"),
    (EMPTIED, BEN, "bank_refilled bank=3", "not_yours", "B.refill"),
    (EMPTIED, SPECTATING, "bank_refilled bank=3", "not_yours", "B.refill"),
    ((*EMPTIED, (ANA, "bank_refilled bank=3")), BEN, PLACE, "not_yours", "B.turn"),
]
"""What was granted before, who asks for what, and why that is refused: each acts for its own seat,
any player for the table, a reader for whoever is at turn, and a spectator for nobody."""


@pytest.mark.parametrize(("before", "author", "event", "code", "rule"), DOOR)
def test_the_door_grants_everyone_their_own(
    game: Room, before: tuple[Said, ...], author: int | Author, event: Any, code: str, rule: str
) -> None:
    for who, what in before:
        game.do(who, what)
    game.refused(author, event, code, rule)


def test_an_id_is_used_once(game: Room) -> None:
    game.over()
    assert code_of(game.start(id="g1")) == "id"


def test_a_watcher_that_fails_stops_nobody(game: Room, caplog: pytest.LogCaptureFixture) -> None:
    heard: list[int] = []
    game.table.watch(lambda: heard.append(1 // 0))
    game.table.watch(lambda: heard.append(game.table.version))
    game.do(ANA, 'tile_turned seat=1 tile="place"')
    assert heard == [2]
    assert "watcher_failed" in caplog.text


# The one way round.


def test_watchers_are_told_when_the_line_is_on_disk_and_the_state_is_new(game: Room) -> None:
    heard: list[tuple[int, int, str]] = []
    game.table.watch(
        lambda: heard.append((len(game.lines()), game.table.version, game.state.phase))
    )
    game.do(ANA, 'tile_turned seat=1 tile="place"', "card_placed seat=1 bank=3")
    assert heard == [(2, 2, "place"), (3, 3, "tile")]


def test_an_event_that_cannot_be_written_has_not_happened(game: Room) -> None:
    before = game.state
    game.journal.close()
    assert code_of(game.ask(ANA, 'tile_turned seat=1 tile="place"')) == "not_written"
    assert (game.state, game.table.version, game.told) == (before, 1, [1, 1])
    ended = game.over()
    assert code_of(game.start(id="g2")) == "not_written"
    assert (game.state, game.table.version, game.told) == (ended, 1, [1, 1])


# What comes from the readers, and what goes to the viewers.


def test_evidence_that_means_something_is_asked_for_at_the_same_door(game: Room) -> None:
    game.listen(*range(1, 9))
    game.lay("tile place", 8)
    assert game.state.phase == "place"
    game.lay("5", 3)
    assert game.state.banks[2][1].card == "5"
    game.lay("figure", 3)
    assert game.state.phase == "tile", "nobody robs while a tile is to be turned"
    assert len(game.lines()) == 3


def test_evidence_that_means_nothing_is_nothing(game: Room) -> None:
    for evidence in (
        Left(0.0, 3, game.tags["5"][0]), ButtonPressed(0.0, 1), ReaderLost(0.0, 3),
        Arrived(0.0, 3, "ffff"),
    ):  # fmt: skip
        assert game.table.sense(evidence) is None
    assert game.table.version == 1
