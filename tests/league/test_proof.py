"""A league in a folder: every forged, doubled or foreign record is named, and no sound one is."""

from pathlib import Path
from random import Random

import pytest

from companion.league.acts import add_record, pair_next_round
from companion.league.book import parse_lines
from companion.league.proof import BOOK, prove_folder
from companion.league.standing import make_standing
from companion.league.state import LeagueSheet
from companion.records.fingerprint import group_digits
from tests.worlds.campaign import pick
from tests.worlds.forged_leagues import KINDS, ForgedFolder
from tests.worlds.league_folder import found, play_league, play_somehow
from tests.worlds.signed_records import GAMES


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league of three rounds with two games each, all signed."""
    folder = tmp_path_factory.mktemp("sound") / "league"
    store = found(folder)
    play_league(store, pick(1, 2, 3))
    store.close()
    return folder


def test_every_forged_doubled_or_foreign_record_is_named(sound: Path, tmp_path: Path) -> None:
    for n in range(pick(5, 100, 300)):
        forged = ForgedFolder(sound, tmp_path / str(n), Random(n))
        kind = KINDS[n % len(KINDS)]
        expected = kind(forged)
        proof = prove_folder(forged.folder)
        told = {fault.file: fault.code for fault in proof.faults}
        for file, codes in expected:
            assert told.get(file) in codes, (n, kind.__name__, proof.faults)
        assert not proof.is_proven
        if all(file != BOOK for file, _ in expected):
            assert proof.league is not None
            counted = {proof.league.sheets[code].file for code in proof.league.results}
            assert counted.isdisjoint(file for file, _ in expected if told[file] != "doubled")


def test_no_sound_record_is_accused(tmp_path: Path) -> None:
    records = 0
    while records < pick(2, 60, 500):
        seed, game = records, GAMES[records % len(GAMES)]
        store = found(tmp_path / str(records), 6, game)
        for n in range(pick(1, 4, 4)):
            for sheet in pair_next_round(store).open_sheets:
                records += 1
                taken = add_record(store, play_somehow(sheet, seed + 10 * n + records, game))
                assert isinstance(taken, LeagueSheet), (records, taken)
        proof = prove_folder(store.folder)
        assert proof.is_proven, proof.faults
        assert list(proof.standing) == make_standing(store.read_league())
        store.close()


def test_a_sound_folder_is_proven_and_each_of_its_fingerprints_is_known(sound: Path) -> None:
    shown = fingerprints(sound)
    assert len(set(shown)) == len(shown) > 8
    assert all(prove_folder(sound, [digits]).is_proven for digits in shown[::5])
    assert not prove_folder(sound, ["0" * 16]).is_proven


def fingerprints(folder: Path) -> list[str]:
    """What the league showed after each line of its book."""
    lines = parse_lines((folder / BOOK).read_bytes())
    return [group_digits(line.chain).replace(" ", "") for line in lines]


@pytest.mark.wide
def test_a_league_that_is_made_anew_is_told_by_its_fingerprint_alone(
    sound: Path, tmp_path: Path
) -> None:
    kept = fingerprints(sound)[-1:]
    store = found(tmp_path / "anew")
    play_league(store, 1, seed=50, signed=False)
    store.close()
    assert prove_folder(tmp_path / "anew").is_proven, "without the fingerprint nobody could tell"
    told = prove_folder(tmp_path / "anew", kept)
    assert [(fault.file, fault.code) for fault in told.faults] == [(BOOK, "book")]
