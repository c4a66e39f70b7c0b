"""Loot over readers in the physical air: what is taken is what lay there, and no round is stuck."""

from pathlib import Path

from tests.worlds.campaign import pick
from tests.worlds.silent_loot import SilentLoot

SEEDS = pick([5], [5, 8], range(4))
ROUNDS = pick(5, 16, 16)


def test_everyone_takes_the_true_cards_whatever_was_heard_or_entered(tmp_path: Path) -> None:
    swept = settled = 0
    for seed in SEEDS:
        table = SilentLoot(tmp_path / f"{seed}.sqlite3", seed)
        while table.state.phase != "over" and table.state.hands.round <= ROUNDS:
            found = table.play_round()
            assert (found.told_gone, found.is_true) == (0, True), (seed, found)
            assert found.phase in ("fill", "over"), (seed, found)
            swept += len(found.swept)
        settled += table.count["settled"]
        table.end()
    assert swept
    assert settled
