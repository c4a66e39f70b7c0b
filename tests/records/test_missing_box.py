"""Records and journals of a game whose package is no longer installed."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import msgspec
import pytest

from companion.cli import main
from companion.core.events import to_json
from companion.games import make_rulebook
from companion.records.format import BadRecord, Record, build_record, parse_record, to_bytes
from tests.worlds.installed_games import installed, write_game
from tests.worlds.rulebook_players import Evening

Capture = pytest.CaptureFixture[str]
HARBOUR = "harbour"


@contextmanager
def harbour(folder: Path) -> Iterator[None]:
    """The game Harbour, installed for a while."""
    folder.mkdir(exist_ok=True)
    if not (folder / f"{HARBOUR}_game").exists():
        write_game(folder, HARBOUR)
    with installed("harbour-games", {HARBOUR: f"{HARBOUR}_game:GAME"}, folder):
        yield


def played() -> Record:
    """A whole evening at Harbour."""
    evening = Evening("robby_solo", Random(1), 3).play()
    rules = make_rulebook(HARBOUR)
    told = [(1000.5 + n, "phone 1", to_json(event)) for n, event in enumerate(evening.events)]
    return build_record(rules, "evening", 1, told)


@pytest.fixture
def record(tmp_path: Path) -> Record:
    with harbour(tmp_path / "packages"):
        return played()


def test_a_game_that_is_not_installed_is_named(
    record: Record, tmp_path: Path, capsys: Capture
) -> None:
    path = tmp_path / "evening.jsonl"
    path.write_bytes(to_bytes(record))
    for words in (["replay", "--verify"], ["replay"]):
        assert main([*words, str(path)]) in {1, 2}
        assert capsys.readouterr().err == (
            f"companion replay: The record is of the game harbour ({record.header.title}), which"
            " is not installed here.\n"
        )
    with harbour(tmp_path / "packages"):
        assert main(["replay", "--verify", str(path)]) == 0


def test_names_in_a_hostile_record_are_shown_safely(record: Record) -> None:
    for name in ("\x1b[2J", "x" * 4_000, "a\u202eb"):
        header = msgspec.structs.replace(record.header, game=name, title=name)
        with pytest.raises(BadRecord) as caught:
            parse_record(to_bytes(msgspec.structs.replace(record, header=header)))
        assert str(caught.value).isprintable()
        assert len(str(caught.value)) < 500
