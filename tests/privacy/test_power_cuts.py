"""Whole games with drawn names, erased, and the power that goes at any moment of it."""

import os
import signal
import time
import unicodedata
from pathlib import Path
from random import Random

import pytest

from companion.backup.archive import write_backup
from companion.games.start import LONGEST_NAME, fold_name, is_visible
from companion.records.format import to_bytes
from companion.records.store import make_record
from companion.records.verify import check_record
from tests.worlds.campaign import pick
from tests.worlds.named_table import NamedTable

LETTERS = (
    "abcdefghijklmnopqrstuvwxyzABCDEFÄÖÜßéèñçøåłşİıѣжщЯΩλמשלقعحनमस्ते中村さくら한국어",
    "0123456789-'’.&/\\\"<>{}%😀🐲½",
)
LONGEST_ERASURE = 0.4
"""Seconds within which the power goes."""


def draw_names(random: Random) -> tuple[str, ...]:
    """Draw the names of a table: of any script, of at least four signs, no two alike."""
    found: dict[str, str] = {}
    while len(found) < random.randint(2, 5):
        signs = [random.choice(random.choice(LETTERS)) for _ in range(random.randint(4, 20))]
        name = unicodedata.normalize("NFC", " ".join("".join(signs).split()))
        if len(name) >= 4 and len(name) <= LONGEST_NAME and is_visible(name):
            found[fold_name(name)] = name
    return tuple(found.values())


def play_evening(folder: Path, random: Random, games: int) -> list[str]:
    """Play games and make a backup; return every name."""
    names: list[str] = []
    room = NamedTable(folder)
    for _ in range(games):
        players = draw_names(random)
        names += players
        room.seat(1, players[0])
        room.play(*players)
        room.clear()
        room.seats.clear()
    write_backup(folder, None, folder / "backups" / "companion-2026-01-01.zip")
    room.names.count_time()
    room.switch_off()
    return names


def check_records(room: NamedTable) -> None:
    for game in room.journal.list_games():
        assert check_record(to_bytes(make_record(room.journal, game.id))).failed == ()


@pytest.mark.parametrize("seed", range(pick(1, 12, 200)))
def test_no_byte_holds_a_name_after_erasing(tmp_path: Path, seed: int) -> None:
    names = play_evening(tmp_path, Random(seed), 2)
    room = NamedTable(tmp_path)
    assert room.find_names(names) == names
    room.names.erase_all()
    assert room.find_names(names) == []
    check_records(room)
    room.switch_off()
    assert room.find_names(names) == []


@pytest.mark.parametrize("seed", range(pick(1, 24, 300)))
def test_the_power_goes_while_names_are_erased(tmp_path: Path, seed: int) -> None:
    random = Random(f"cut {seed}")
    names = play_evening(tmp_path, random, 1)
    was_done = _erase_and_cut(tmp_path, random.random() * LONGEST_ERASURE)
    room = NamedTable(tmp_path)
    assert room.journal.notices == []
    left = room.find_names(names)
    assert not (was_done and left)
    room.names.erase_all()
    assert room.find_names(names) == []
    check_records(room)
    room.switch_off()


def _erase_and_cut(folder: Path, after: float) -> bool:
    """Erase everything in a process that is killed; return whether it had said that it is done."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            room = NamedTable(folder)
            os.write(writing, b"r")
            room.names.erase_all()
            os.write(writing, b"d")
            time.sleep(60)
        finally:
            os._exit(1)
    os.close(writing)
    assert os.read(reading, 1) == b"r"
    time.sleep(after)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with os.fdopen(reading, "rb") as told:
        return told.read() == b"d"
