"""The judge: a stream of robberies, and a single case from a cold start."""

import json
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

from bench.measure import Figure, command_seconds, python_command
from companion.core.cards import standard_box
from companion.core.errors import JsonObject, Malformed
from companion.core.i18n import get_language
from companion.games.bankueberfall.rules import BankueberfallBox
from companion.judge.decide import find_kinds
from companion.judge.it_depends import answer_case_in_words
from companion.judge.possibilities import MOST_JUDGED
from tests.worlds.dealt_cases import EVERY_VALUE, deal_open_case

CASES = 100_000
OPEN_CASES = 120
"""Cases of every kind with something unknown."""
THREE_BIDS = {"game": "bankueberfall", "kind": "robbery", "cards": ["10", "10", "x"]}
"""With three bids unknown nearly as many possibilities as are judged."""
NAMES = ("Ana", "Ben", "Cem", "Dora", "Eli")
ECHO = """
import json, sys
for line in sys.stdin:
    sys.stdout.write(json.dumps(json.loads(line)) + "\\n")
"""
"""The peer: reads every case and writes it again, and judges nothing."""


def figures() -> Iterator[Figure]:
    """Measure the two speeds of the judge, start-up included, and its slowest open case."""
    companion = str(Path(sys.executable).with_name("companion"))
    with tempfile.TemporaryDirectory() as folder:
        stream, case = Path(folder, "cases.jsonl"), Path(folder, "case.json")
        _write_cases(stream)
        case.write_text(json.dumps(find_kinds("bankueberfall")["robbery"].example), "utf-8")
        speed = CASES / command_seconds([companion, "judge", "--stream"], stream)
        echo = CASES / command_seconds(python_command("-c", ECHO), stream)
        what = "robberies judged a CPU second, 100 000 in a stream"
        yield Figure(what, speed, "a second", 20_000, "json in and out", speed / echo, True)
        cold = command_seconds([companion, "judge", str(case)])
        bare = command_seconds(python_command("-c", "pass"))
        what = "one case from a cold start"
        yield Figure(what, cold, "s", 0.35, "an empty python", cold / bare)
    yield _slowest_open_case()


def _slowest_open_case() -> Figure:
    """Measure the slowest case with up to three gaps, beside one that is known."""
    known = _judge_seconds(find_kinds("bankueberfall")["robbery"].example)
    cases = [
        deal_open_case(game, kind, number, MOST_JUDGED)[0]
        for game, kind in EVERY_VALUE
        for number in range(OPEN_CASES)
    ]
    cases.append({**THREE_BIDS, "bids": {name: {"from": 0, "to": 17} for name in NAMES[:3]}})
    slowest = max(map(_judge_seconds, cases))
    what = f"the slowest of {len(cases):,} cases with 1 to 3 unknowns"
    return Figure(what, 1_000 * slowest, "ms", 300, "a case that is known", slowest / known)


def _judge_seconds(case: JsonObject) -> float:
    """Return the CPU seconds of a case in words, the better of two; of a refusal as well."""
    return min(_judge_once(case) for _ in range(2))


def _judge_once(case: JsonObject) -> float:
    begun = time.process_time()
    with suppress(Malformed):
        answer_case_in_words(case, get_language("en"))
    return time.process_time() - begun


def _write_cases(path: Path) -> None:
    random = Random(5)
    deck = [card for card, n in standard_box(BankueberfallBox).cards.items() for _ in range(n)]
    with path.open("w", encoding="utf-8") as file:
        for _ in range(CASES):
            bids = {name: random.randint(0, 15) for name in NAMES[: random.randint(2, 5)]}
            cards = random.sample(deck, random.randint(1, 8))
            case = {"game": "bankueberfall", "kind": "robbery", "cards": cards, "bids": bids}
            file.write(json.dumps(case) + "\n")
