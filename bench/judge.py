"""The judge: a stream of robberies, and a single case from a cold start."""

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

from bench.measure import Figure, command_seconds, python_command
from companion.games.bankueberfall.judge import BOX
from companion.judge.decide import find_judge

CASES = 100_000
NAMES = ("Ana", "Ben", "Cem", "Dora", "Eli")
ECHO = """
import json, sys
for line in sys.stdin:
    sys.stdout.write(json.dumps(json.loads(line)) + "\\n")
"""
"""The peer: reads every case and writes it again, and judges nothing."""


def figures() -> Iterator[Figure]:
    """Measure the two speeds of the judge, start-up included."""
    companion = str(Path(sys.executable).with_name("companion"))
    with tempfile.TemporaryDirectory() as folder:
        stream, case = Path(folder, "cases.jsonl"), Path(folder, "case.json")
        _write_cases(stream)
        case.write_text(json.dumps(find_judge("bankueberfall").examples["robbery"]), "utf-8")
        speed = CASES / command_seconds([companion, "judge", "--stream"], stream)
        echo = CASES / command_seconds(python_command("-c", ECHO), stream)
        what = "robberies judged a CPU second, 100 000 in a stream"
        yield Figure(what, speed, "a second", 20_000, True, "json in and out", speed / echo)
        cold = command_seconds([companion, "judge", str(case)])
        bare = command_seconds(python_command("-c", "pass"))
        what = "one case from a cold start"
        yield Figure(what, cold, "s", 0.35, False, "an empty python", cold / bare)


def _write_cases(path: Path) -> None:
    random = Random(5)
    deck = [card for card, n in BOX.cards.items() for _ in range(n)]
    with path.open("w", encoding="utf-8") as file:
        for _ in range(CASES):
            bids = {name: random.randint(0, 15) for name in NAMES[: random.randint(2, 5)]}
            cards = random.sample(deck, random.randint(1, 8))
            case = {"game": "bankueberfall", "kind": "robbery", "cards": cards, "bids": bids}
            file.write(json.dumps(case) + "\n")
