"""What the host decides about the whole table, at a simulated one and at one of wires."""

import errno
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.app.default_players import NAMES
from companion.app.settings import deck_path
from companion.app.simulated.simulation import Simulation
from companion.core.errors import Refusal
from companion.core.events import from_fields
from companion.core.sensor_events import Arrived, ButtonHeldOn, ButtonPressed, Left
from companion.games.new_game import NewGame
from companion.host.host_pass import ASKED_FOR, MAX_ASKING
from companion.journal import Journal
from companion.seating.seats import Seats
from companion.table.history import event_union
from companion.table.permissions import Author
from hardware.wiring import load_profile
from tests.worlds.failing_disk import FailingDisk, Fault
from tests.worlds.journal_lines import every_line
from tests.worlds.left_open import closed_later
from tests.worlds.own_games import own_games
from tests.worlds.scripted_table import ScriptedTable, enrol, stickers
from tests.worlds.simulated_hands import simulated
from tests.worlds.watched_table import code_of

THREE = NAMES[:3]


@pytest.fixture
def table(tmp_path: Path) -> ScriptedTable:
    return ScriptedTable(tmp_path, enrolled=False)


def evening(folder: Path, game: str = "bankueberfall") -> Simulation:
    """A simulated table."""
    journal = closed_later(Journal(folder / "journal.sqlite3"))
    return simulated(journal, game, Seats(), THREE, memory=folder)


def sessions(table: ScriptedTable) -> tuple[str, set[str]]:
    """Whom the button let in that was held last, and every browser of a host."""
    shown = table.host.host_pass.shown_pass()
    return shown.admitted if shown else "", {*table.identity.state.hosts}


def plays(room: Simulation, moments: int = 8) -> None:
    for _ in range(400):
        if room.host.table.version > moments:
            return
        if not room.bots.play_one():
            room.source.tabletop.pass_time(0.5)
            room.source.poll()
    pytest.fail(f"stuck at moment {room.host.table.version}")


# Games begin and are put away.


def test_any_box_is_played_one_after_the_other_on_the_same_table(tmp_path: Path) -> None:
    room, told = evening(tmp_path), list[str]()
    house = room.host
    room.host.table.watch(lambda: told.append(room.host.table.rules.box.game))
    games = [*own_games(), next(iter(own_games()))]
    for game in games:
        assert house.begin_game(NewGame(game, THREE)) is None
        assert told[-1] == game
        plays(room)
        assert room.host.table.view().table.todos == ()  # type: ignore[union-attr]
        assert house.reset_table() is None
    assert [game.game for game in house.journal.list_games()] == games
    room.source.wires.close()


def test_a_reset_leaves_no_name_and_no_seat(tmp_path: Path) -> None:
    room = evening(tmp_path)
    assert room.host.begin_game(NewGame("bankueberfall", THREE)) is None
    room.host.seats.take_seat(2, "browser")
    assert room.host.reset_table() is None
    assert room.host.table.view() is room.host.table.view(2) is None
    assert room.host.seats.taken_seats() == frozenset()
    ended, cleared = every_line(room.host.journal)[-2:]
    assert (ended.via, ended.decode_event(dict)["event"]) == ("table", "ended")
    assert (cleared.via, cleared.decode_event(dict)["event"]) == ("table", "cleared")
    assert b"Ana" not in msgspec.json.encode((room.host.next_game, room.host.box_check()))
    assert room.host.reset_table() is None, "there is nothing left to put away"
    room.source.wires.close()


# The box is checked.


def test_the_simulated_box_is_swept_over_a_reader_after_a_reset(tmp_path: Path) -> None:
    room = evening(tmp_path, "banque_fatale")
    assert room.host.begin_game(NewGame("banque_fatale", THREE)) is None
    assert code_of(room.host.start_box_check()) == "under_way"
    assert room.host.reset_table() is None
    first = room.host.box_check()
    assert first is not None
    assert (first.done, len(first.missing)) == (0, 16)
    for _ in range(first.total):
        room.source.poll()
    last = room.host.box_check()
    assert last is not None
    assert (last.done, last.missing, last.trouble) == (first.total, (), False)
    assert room.host.begin_game(NewGame("banque_fatale", THREE)) is None
    assert room.host.box_check() is None
    room.source.wires.close()


def test_cards_are_ticked_off_and_what_is_missing_is_named(tmp_path: Path) -> None:
    enrol(tmp_path, "bankueberfall", without="thief")
    table = ScriptedTable(tmp_path, enrolled=False)
    tags, room = table.tags, table.host
    table.tell(Arrived(1.0, 3, tags["10"][0]))
    assert room.start_box_check() is None
    found: Any = room.box_check()
    assert found.done == 1, "it lies there from before"
    assert [thing.facts["number"] for thing in found.never] == [4]
    table.tell(Arrived(2.0, 1, tags["5"][0]), Left(3.0, 1, tags["5"][0]))
    table.tell(Arrived(4.0, 1, "04ffffffffffff"))
    found = room.box_check()
    assert (found.done, found.trouble, found.says.facts) == (2, True, {"place": 1})
    table.tell(Left(5.0, 1, "04ffffffffffff"))
    found = room.box_check()
    assert found.trouble is False
    everything = [tag for thing in tags for tag in tags[thing] if thing != "thief"]
    table.tell(*(Arrived(6.0 + n, 1, tag) for n, tag in enumerate(everything)))
    found = room.box_check()
    assert (found.done, found.missing) == (found.total - 4, ())
    assert everything[0].encode() not in msgspec.json.encode(found)
    room.stop_box_check()
    assert room.box_check() is None


def test_a_deck_that_cannot_be_read_leaves_the_table_as_it_was(table: ScriptedTable) -> None:
    path = deck_path("banque_fatale", table.folder)
    path.parent.mkdir()
    path.write_text("{")
    room = table.host
    refused = room.begin_game(NewGame("banque_fatale", THREE))
    assert isinstance(refused, Refusal)
    assert (refused.code, room.table.rules.box.game) == ("bad_deck", "bankueberfall")
    assert str(table.folder) not in str(refused)


def test_a_game_that_is_refused_leaves_the_set_up_where_it_is(table: ScriptedTable) -> None:
    left: list[str] = []
    table.host.before_game = lambda: left.append("step")
    assert code_of(table.host.begin_game(NewGame("bankueberfall", ("Ana", "Ana")))) == "names"
    assert left == []
    assert table.host.begin_game(NewGame("bankueberfall", THREE)) is None
    assert left == ["step"]


def test_names_that_may_be_on_disk_are_not_called_unwritten(table: ScriptedTable) -> None:
    disk, codes = FailingDisk(table.folder), list[str]()
    disk.require()

    def begin() -> None:
        codes.append(code_of(table.host.begin_game(NewGame("bankueberfall", THREE))))

    for n in (1, 2):
        disk.run(begin, Fault(n, errno.EIO, lasting=True))
    assert codes == ["not_written", "maybe_written"]


# Presses.


def test_a_button_that_is_held_makes_one_phone_the_hosts_until_the_next_group(
    table: ScriptedTable,
) -> None:
    room = table.host
    assert room.seats.wait_for_press("ana", "Ana") is None
    table.tell(ButtonPressed(1.0, 2))
    table.tell(ButtonHeldOn(3.0, 2))
    assert sessions(table) == ("sitter", {"ana"})
    assert room.reset_table() is None
    assert sessions(table)[1] == set()
    room.sessions.ask("ben")
    table.tell(ButtonHeldOn(60.0, 3))
    assert sessions(table) == ("asker", {"ben"})
    room.sessions.admit_by_pass("cleo")
    assert room.reset_table() is None
    assert sessions(table)[1] == {"cleo"}, "a pass counts until it is signed out"
    for browser in ("ben", "stranger"):
        room.sessions.ask(browser)
    table.tell(ButtonHeldOn(120.0, 3))
    assert sessions(table) == ("several", {"cleo"})
    for n in range(2 * MAX_ASKING):
        room.sessions.ask(f"stranger {n}")
    table.now += ASKED_FOR
    room.sessions.ask("ben")
    table.tell(ButtonHeldOn(300.0, 3))
    assert sessions(table) == ("asker", {"ben", "cleo"}), "what was asked is forgotten"


def test_a_press_that_the_game_waits_for_gives_no_seat_to_a_stranger(table: ScriptedTable) -> None:
    room = table.host
    assert room.begin_game(NewGame("bankueberfall", THREE)) is None
    assert table.seats.wait_for_press("her browser", "Ana") is None
    table.tell(ButtonPressed(1.0, 1))
    assert table.seats.ask_for_seat("a stranger", 1, THREE[0]) is None
    spy = from_fields(
        {"event": "tile_turned", "seat": 1, "tile": "spy"}, event_union(room.table.rules)
    )
    assert room.table.request(spy, Author(1, "phone 1")) is None
    table.tell(ButtonPressed(2.0, 1))
    assert table.seats.seats_of("her browser") == (1,), "she does without"
    assert room.table.state.active == 2
    table.tell(ButtonPressed(3.0, 1))
    assert table.seats.seats_of("a stranger") == (1,), "this one consents"


# How the table is.


def test_the_health_of_a_table_names_no_path_no_tag_and_nobody(tmp_path: Path) -> None:
    enrol(tmp_path, "robby_solo", without="object")

    class Own(ScriptedTable):
        profile = msgspec.structs.replace(load_profile(), learnt_from="/etc/tables/café.toml")

    table = Own(tmp_path, enrolled=False)
    room = table.host
    assert room.begin_game(NewGame("bankueberfall", THREE)) is None
    table.now += 60
    health = room.read_health()
    assert (health.wiring, health.uptime) == ("own", 60.0)
    assert [(reader.place, reader.word) for reader in health.readers] == [(1, "well")]
    boxes = {box.game: box for box in health.boxes}
    assert boxes["bankueberfall"].stickers == 0
    assert 0 < boxes["robby_solo"].stickers < boxes["robby_solo"].total
    assert not health.journal.mended
    told = msgspec.json.encode(health).decode()
    for secret in (str(table.folder), "sqlite", *THREE, stickers("robby_solo")["1000"][0]):
        assert secret not in told
    room.source.poll()
    assert room.read_health().journal.checked is not None
