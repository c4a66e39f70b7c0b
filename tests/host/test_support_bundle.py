"""The support bundle: enough to help with, and nothing that is anybody's."""

import io
import json
import zipfile
from pathlib import Path

import msgspec
import pytest

from companion.core.i18n import Message, message
from companion.host.health import BoxHealth, ReaderHealth, TableHealth
from companion.host.report import (
    LONGEST,
    HealthReport,
    build_report,
    pack_bundle,
    strip_facts,
    summarize_game,
)
from companion.journal.errors import JournalHealth
from tests.worlds.watched_table import Watched

READERS = tuple(ReaderHealth(place, "well", 0.1, 0) for place in range(1, 9))
HEALTH = TableHealth(
    companion="0.1.0",
    python="3.11",
    wiring="/home/ana/eight-readers.toml",
    simulated=False,
    readers=READERS,
    boxes=(BoxHealth("bankueberfall", "Banküberfall", "2026-11-01", 53, 53),),
    journal=JournalHealth(40_960, 17, 17, False, 5.0, 2**33),
    trouble=(message("{field} cannot be used: {reason}.", field="/home/ana/x", reason="Ana"),),
    uptime=4000.0,
    clock=0.0,
    clock_set_back=False,
)


def parts(packed: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(packed)) as file:
        return {name: file.read(name) for name in file.namelist()}


def test_the_bundle_tells_of_readers_journal_and_game(tmp_path: Path) -> None:
    table = Watched(tmp_path / "journal.sqlite3", house_rules={"shortfall": "stop"})
    found = parts(pack_bundle(build_report(HEALTH), summarize_game(table.table)))
    assert len(json.loads(found["health.json"])["readers"]) == 8
    game = json.loads(found["game.json"])
    assert (game["game"], game["phase"], game["moments"]) == ("bankueberfall", "tile", 1)
    assert game["house_rules"]["shortfall"] == "stop"
    assert found["trouble.txt"] == b"\xe2\x80\xa6 cannot be used: \xe2\x80\xa6.\n"
    table.journal.close()


def test_a_path_and_a_name_in_what_is_wrong_do_not_go_along() -> None:
    packed = b"".join(parts(pack_bundle(build_report(HEALTH), None)).values())
    assert b"ana" not in packed.lower()
    assert b"/home" not in packed


@pytest.mark.parametrize("fact", ["Ana", ["Ana"], Message("Ana"), "04aa55"])
def test_of_a_trouble_only_the_numbers_are_told(fact: object) -> None:
    told = strip_facts(Message("{who} waits for {n} minutes.", {"who": fact, "n": 7}))
    assert told == "… waits for 7 minutes."


def test_the_bundle_stays_small() -> None:
    troubles = tuple(message("Trouble number {n}.", n=n) for n in range(100_000))
    packed = pack_bundle(build_report(msgspec.structs.replace(HEALTH, trouble=troubles)), None)
    assert all(len(part) <= LONGEST for part in parts(packed).values())


def told(table: Watched) -> bytes:
    """The bundle of this very table, its journal counted as it is."""
    lines = sum(1 for _ in table.journal.read_lines())
    journal = JournalHealth(lines * 100, lines, lines, False, 5.0, 2**33)
    health: HealthReport = build_report(msgspec.structs.replace(HEALTH, journal=journal))
    return pack_bundle(health, summarize_game(table.table))


def at_open_hands(path: Path, names: tuple[str, ...], bids: tuple[int, ...], tag: int) -> Watched:
    table = Watched(path, names=names)
    table.lay("5", 2, tag)
    table.do(1, 'tile_turned seat=1 tile="rob"', "bank_chosen seat=1 bank=2")
    table.close(*bids)
    return table


def test_worlds_that_differ_in_what_is_secret_have_the_same_bundle(tmp_path: Path) -> None:
    here = at_open_hands(tmp_path / "1", ("Ana", "Ben", "Cleo"), (1, 2, 3), 0)
    there = at_open_hands(tmp_path / "2", ("Maximilian", "Yan", "Zoë"), (9, 0, 7), 1)
    assert told(here) == told(there)
    for table in (here, there):
        table.journal.close()


def test_a_hand_that_was_closed_again_does_not_show(tmp_path: Path) -> None:
    tables = [Watched(tmp_path / name) for name in ("1", "2")]
    for table in tables:
        table.do(1, 'tile_turned seat=1 tile="rob"', "bank_chosen seat=1 bank=2").close(1, 2)
    tables[1].close(9)
    assert told(tables[0]) == told(tables[1])
    for table in tables:
        table.journal.close()
