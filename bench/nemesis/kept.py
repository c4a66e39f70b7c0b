"""A run in a folder as it was recorded: it can be checked again without being played again.

    history.jsonl    the run in its first line, then every attempt, in the order of their beginning
    views.txt        the views that were shown
    data             the data folder of the companion as it was left

Law: what is checked is what was kept, also right after a run.
"""

from collections.abc import Iterable
from pathlib import Path

import msgspec

from bench.nemesis.attempts import LOOKS, Attempt, Death
from bench.nemesis.looks import Look

HISTORY, VIEWS, DATA = "history.jsonl", "views.txt", "data"


class Run(msgspec.Struct):
    """What is known of a run beside its attempts; `faults` are the counts of what happened."""

    seed: int
    game: str
    deaths: list[Death]
    notes: list[str]
    faults: dict[str, int]


def keep_run(folder: Path, run: Run, attempts: Iterable[Attempt]) -> None:
    """Write the history of a run."""
    with (folder / HISTORY).open("wb") as file:
        for each in (run, *attempts):
            file.write(msgspec.json.encode(each) + b"\n")


def read_run(folder: Path) -> tuple[Run, list[Attempt]]:
    """Return a run that was kept."""
    with (folder / HISTORY).open("rb") as file:
        run = msgspec.json.decode(file.readline(), type=Run)
        decoder = msgspec.json.Decoder(Attempt)
        attempts = [decoder.decode(line) for line in file]
    for each in attempts:
        if each.kind in LOOKS and each.answer is not None:
            each.answer = msgspec.convert(each.answer, Look)
    return run, attempts
