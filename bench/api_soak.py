"""`make bars`, third part: requests of all kinds to the API, against its document.

Every game in every phase, and never begun, frozen and ended; as a stranger, as a player and as the
host. Every answer is one that the document promises, and nothing answers 5xx.
"""

import argparse
import logging
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.worlds.request_campaign import HOST, PLAYER, STRANGER, Campaign, served
from tests.worlds.standing_tables import all_states

WHO = (STRANGER, PLAYER, HOST)


def main() -> int:
    """Run at least so many cases; return 1 if any answer was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=20_000)
    chosen = parser.parse_args()
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    statuses, wrong, seed, many = Counter[int](), set[str](), 0, 8
    while statuses.total() < chosen.cases:
        seed += 1
        for game, state in all_states():
            with tempfile.TemporaryDirectory() as folder:
                campaign = Campaign(served(Path(folder) / "journal.sqlite3", game, state), seed)
                for who in WHO:
                    campaign.ask_all(many, who)
            statuses += campaign.statuses
            wrong |= {f"{game}, {state}: {one}" for one in campaign.wrong}
        print(f"round {seed}: {statuses.total()} cases, {dict(sorted(statuses.items()))}, "
              f"{len(wrong)} wrong", flush=True)  # fmt: skip
    for line in sorted(wrong):
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
