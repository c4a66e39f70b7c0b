"""A disk that fills up in mid-evening: every screen says so, and play goes on by itself."""

import subprocess
import sys
from pathlib import Path

from tests.worlds.paths import ROOT
from tests.worlds.watched_table import EN, Watched

EVENING = """
import sys
from pathlib import Path
from resource import RLIM_INFINITY, RLIMIT_FSIZE, setrlimit
from tests.worlds.watched_table import EN, Watched

table = Watched(Path(sys.argv[1]))
for bank in range(1, 6):
    table.lay("5", bank)
table.lay("tile place", 8)
told = []
table.table.watch(lambda: told.append(table.table.view().table.trouble))
before = (table.state, table.table.version, table.written())

def room(bytes_):
    size = table.path.with_name(table.path.name + "-wal").stat().st_size
    setrlimit(RLIMIT_FSIZE, (size + bytes_ if bytes_ is not None else RLIM_INFINITY, RLIM_INFINITY))

room(0)
table.lay("thief", 3)  # the reader sees it, and nothing can be noted
refused = table.ask(0, "undone target=2")
assert refused is not None and refused.code == "not_written", refused
for seat in (0, 1):
    said = [EN(say) for say in table.table.view(seat).table.trouble]
    assert said == ["The disk does not take what is written: it is full or failing."], said
assert told and told[-1], "the screens were told"
assert (table.state, table.table.version, table.written()) == before
table.table.run_maintenance()
assert table.table.version == before[1]
room(None)
table.tick()
table.table.run_maintenance()
assert [card.card for card in table.state.banks[2]] == ["5", "thief"], "it was not forgotten"
assert table.table.view().table.trouble == ()
table.do(0, f"undone target={table.table.version}")
table.pull_the_plug()
assert table.state.phase == "place"
print("well")
"""


def test_pending_events_are_written_when_there_is_room_again(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", EVENING, str(tmp_path / "journal.sqlite3")],
        capture_output=True, text=True, check=False, cwd=ROOT,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("well\n", "")


CLOCK = "The clock was set back by {minutes}\u00a0minutes. The order of the moments is not touched."


def test_a_clock_that_was_set_back_is_said_and_changes_no_order(tmp_path: Path) -> None:
    table = Watched(tmp_path / "journal.sqlite3")
    table.do(1, 'tile_turned seat=1 tile="place"')
    table.now -= 3 * 3600
    table.do(1, "card_placed seat=1 bank=1")
    view = table.table.view(2)
    assert view is not None
    assert [EN(say) for say in view.table.trouble] == [CLOCK.format(minutes=180)]
    table.pull_the_plug()
    assert (table.state.phase, table.state.active) == ("tile", 2)
    table.journal.close()
