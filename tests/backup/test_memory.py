"""Backup, restore and the list of games need no more memory for four times as many games."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from companion.backup.service import MAX_UPLOAD_SIZE, describe_upload_limit
from companion.cli import main
from tests.worlds.campaign import pick
from tests.worlds.many_games import play_scripts, write_many_games

GAMES = pick(15, 50, 1_000)
MARGIN = 3_000
"""KiB by which two runs of the same may differ; four times the games are 3 MB more on disk."""
MEASURED = """
import json, re, sys
from companion.cli import main
statuses = [main(words) for words in json.loads(sys.argv[1])]
print(re.search(r"VmHWM:\\s*(\\d+) kB", open("/proc/self/status").read())[1], *statuses)
"""
LIMITED = """
import json, resource, sys
import companion.cli.backup
from companion.cli import main
words, rooms = json.loads(sys.argv[1])
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
for room in rooms:
    resource.setrlimit(resource.RLIMIT_AS, (used + room, resource.RLIM_INFINITY))
    status = main(words)
    print(status, file=sys.stderr)
"""


def run(program: str, given: object) -> tuple[list[str], list[str]]:
    """Run this in a process of its own; return what it printed and what it complained of."""
    command = [sys.executable, "-c", program, json.dumps(given)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout.splitlines(), done.stderr.splitlines()


@pytest.mark.wide
def test_memory_does_not_grow_with_the_journal(tmp_path: Path) -> None:
    scripts, peaks = play_scripts(3), list[int]()
    for games in (GAMES, 4 * GAMES):
        folder = tmp_path / str(games)
        folder.mkdir()
        write_many_games(folder / "journal.sqlite3", games, scripts)
        data, file = ["--data", str(folder)], str(folder / "backup.zip")
        told, _ = run(
            MEASURED,
            [["backup", *data, "--to", file], ["restore", file, *data], ["records", *data]],
        )
        peak, *statuses = told[-1].split()
        assert statuses == ["0", "0", "0"]
        peaks.append(int(peak))
    assert peaks[1] < peaks[0] + MARGIN


def test_too_little_memory_is_one_sentence(tmp_path: Path) -> None:
    write_many_games(tmp_path / "journal.sqlite3", 3, play_scripts(3))
    words = ["backup", "--data", str(tmp_path), "--to", str(tmp_path / "new.zip")]
    _, said = run(LIMITED, (words, [1 << 14, 1 << 16, 1 << 17]))
    assert said == ["companion: there is not enough memory for this.", "2"] * 3
    assert not (tmp_path / "new.zip").exists()
    # Without memory not even a folder can be removed; the next backup does it.
    assert main(words) == 0
    assert not list(tmp_path.glob(".*"))


def test_a_backup_that_cannot_be_uploaded_says_so() -> None:
    assert describe_upload_limit(MAX_UPLOAD_SIZE) is None
    said = describe_upload_limit(MAX_UPLOAD_SIZE + 1)
    assert said is not None
    assert (said.facts["n"], said.facts["most"]) == (65, 64)
