"""The pace of bots: as people play, longer over a closed hand."""

from pathlib import Path
from statistics import fmean
from typing import Any

from companion.app.simulated.bot_driver import PACES
from companion.journal import Journal
from tests.worlds.left_open import closed_later
from tests.worlds.simulated_hands import deal, simulated

STEP = 0.05
ROUNDS = 4


def waits(folder: Path, seed: int) -> list[tuple[str, float]]:
    """The phase of each action of the bots, and how long it was waited for, by their own clock."""
    journal, now = closed_later(Journal(folder / f"{seed}.sqlite3")), 0.0
    evening = simulated(journal, "robby_solo", seed=seed, wiring="phones-only", clock=lambda: now)
    table: Any = evening.host.table
    bots = evening.bots
    deal(evening)
    found = list[tuple[str, float]]()
    acted_at = now
    while table.state.hands.round <= ROUNDS:
        before, phase = table.version, table.state.phase
        now += STEP
        bots.play_when_due()
        if table.version > before:
            found.append((phase, now - acted_at))
            acted_at = now
    evening.source.close()
    journal.close()
    return found


def test_a_bot_thinks_longest_about_a_closed_hand(tmp_path: Path) -> None:
    found = waits(tmp_path, 7)
    usual = PACES["human"]
    by_phase = {phase: [wait for p, wait in found if p == phase] for phase, _ in found}
    assert fmean(by_phase["seal"]) > 1.2 * usual
    assert fmean(by_phase["seal"]) > 1.5 * fmean(by_phase["open"])
    assert fmean(by_phase["fill"]) < usual
    assert len({round(wait, 1) for wait in by_phase["seal"]}) > 4
    assert 0.1 * usual < min(wait for _, wait in found) < max(wait for _, wait in found) < 5 * usual
