"""What a new version has to prove before it is switched to: two versions compared, and real ones
that are broken."""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.core.events import to_json
from companion.games import game_names, make_rulebook
from companion.journal import Journal
from companion.records.format import build_record
from companion.records.store import import_record
from companion.table.permissions import HOST_AUTHOR
from companion.table.table import Table
from companion.update.outcome import TOLD, TOLD_VARIABLE, Told, read_told
from installer.proof import JUDGED_ANEW, FirstDifference, compare_games, is_alike, read_judged_anew
from installer.system import DATA, PASSING
from installer.trial import SERVICE, TRIAL
from tests.worlds.paths import ROOT
from tests.worlds.pi_folder import Workbench, clone, install
from tests.worlds.real_versions import RealVersions, edit, whole_clone
from tests.worlds.rulebook_players import Dice, Evening

PREFIX = "companion-try-"
Said = pytest.CaptureFixture[str]
JOURNAL = f"{DATA}/journal.sqlite3"


@pytest.mark.parametrize(
    ("old", "new", "alike"),
    [
        ({"coins": 4, "text": "Four."}, {"coins": 4, "text": "4 coins."}, True),
        ({"bid": 4, "sums": "4 + 4 = 8"}, {"bid": 4, "sums": "2 × 4 = 8"}, True),
        ({"coins": 4, "box": {"title": "A"}}, {"coins": 4, "box": {"title": "B"}}, True),
        ({"coins": 4}, {"coins": 4, "chips": ()}, True),
        ({"coins": 4}, {"coins": 5}, False),
        ([{"rule": "a"}], [{"rule": "a"}, {"rule": "b"}], False),
        ({"phase": "over"}, None, False),
    ],
)
def test_words_are_not_compared_and_neither_is_what_one_does_not_know(
    old: Any, new: Any, alike: bool
) -> None:
    assert is_alike(old, new) is alike


def game(paid: int, **more: Any) -> dict[str, Any]:
    """A game as a version tells it."""
    steps = [{"rule": "X.bid", "facts": {}}, {"rule": "X.pay", "facts": {"paid": paid}}]
    verdicts = [{"at": 7, "of": {"steps": steps}}]
    told = {"lines": 9, "state": {"phase": "over"}, "fingerprint": "ab"}
    return {"id": "evening", **told, "verdicts": verdicts, **more}


@pytest.mark.parametrize(
    ("new", "case"),
    [
        (game(3), None),
        (game(4), FirstDifference("evening", 7, "X.pay")),
        (game(3, verdicts=[]), FirstDifference("evening", 7, "X.bid")),
        (game(3, state={"phase": "fill"}), FirstDifference("evening", 0, "")),
        (game(3, fingerprint="cd"), FirstDifference("evening", 0, "")),
        (game(3, state={"phase": "fill"}, lines=10), None),
        (game(4, lines=10), FirstDifference("evening", 7, "X.pay")),
        ({}, FirstDifference("evening", 7, "X.bid")),
    ],
)
def test_the_first_case_is_found_with_its_rule(
    new: dict[str, Any], case: FirstDifference | None
) -> None:
    assert compare_games(game(3), new) == case


def test_rules_that_are_judged_anew_are_named_by_their_ids(tmp_path: Path) -> None:
    (tmp_path / "systemd").mkdir()
    assert read_judged_anew(tmp_path) == frozenset()
    (tmp_path / JUDGED_ANEW).write_text("# Why\n\nX.pay It was wrong.\nX.bid\n")
    assert read_judged_anew(tmp_path) == {"X.pay", "X.bid"}
    assert read_judged_anew(ROOT) == frozenset(), "nothing is judged anew in this version"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return whole_clone(tmp_path / "clone")


@pytest.fixture
def pi(bench: Any, source: Path, capsys: Said) -> Iterator[RealVersions]:
    """A table at which each game was played once."""
    made = RealVersions(bench.root)
    assert install(made, source) == 0
    with closing(Journal(made.path_of(JOURNAL))) as journal:
        for number, name in enumerate(game_names()):
            evening = Evening(name, Dice(Random(number)), 3, id=f"game-{number}").play()
            told = ((1000.5 + n, "phone 1", to_json(e)) for n, e in enumerate(evening.events))
            assert import_record(journal, build_record(evening.rules, f"game-{number}", 1, told))
    capsys.readouterr()
    yield made
    made.path_of(JOURNAL).unlink()


BROKEN = {
    "an import error": (
        "companion/app/bootstrap.py", "import asyncio\n", "import asyncio, nothing_there\n",
        "it does not start on a copy of your data (it ended: ModuleNotFoundError",
    ),
    "a wrong verdict": (
        "companion/games/bankueberfall/robbery.py", '"paid": bid,', '"paid": bid + 1,',
        " by rule B.pay differently from the one that runs, and the release does not say so.",
    ),
    "a journal that it cannot open": (
        "companion/journal/schema.py", "\nSCHEMA_VERSION = ", "\nSCHEMA_VERSION = -40 + ",
        "it cannot read the games of this table",
    ),
    "a page that cannot be shown": (
        "web/templates/table/page.html", "{%", "{% nonsense %}{%",
        "it does not start on a copy of your data (its page /table cannot be shown)",
    ),
    "a page that is gone": (
        "web/pages/table.py", 'url_prefix="/table"', 'url_prefix="/tables"',
        "it does not start on a copy of your data (its page /table cannot be shown)",
    ),
}  # fmt: skip


@pytest.mark.wide
@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_version_is_refused_before_the_switch(
    name: str, pi: RealVersions, source: Path, capsys: Said
) -> None:
    file, old, new, says = BROKEN[name]
    edit(source, file, old, new)
    before, runs = pi.files_of_table(), pi.runs
    asked = len(pi.asked)
    assert install(pi, source) == 1
    assert says in capsys.readouterr().err
    assert (pi.runs, pi.has_traces(TRIAL)) == (runs, False)
    assert pi.files_of_table() == before
    assert not [words for words in pi.asked[asked:] if words[:2] == ("systemctl", "restart")]


@pytest.mark.wide
def test_a_verdict_that_the_release_names_is_left_to_the_owner(
    pi: RealVersions, source: Path, capsys: Said
) -> None:
    runs = pi.runs
    edit(source, *BROKEN["a wrong verdict"][:3])
    (source / JUDGED_ANEW).write_text("B.pay The coin of the bank counts.\n")
    assert install(pi, source) == 1
    said = capsys.readouterr()
    assert " by rule B.pay, as its release says" in said.out
    assert "If you agree: sudo systemd/install --agree." in said.err
    assert pi.runs == runs
    assert install(pi, source, "--agree") == 0
    assert pi.runs != runs


@pytest.mark.wide
def test_a_version_with_other_words_is_proven_and_installed(
    pi: RealVersions, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(source, "companion/games/bankueberfall/robbery.py", "The lowest bid is paid first.",
         "The lowest bid comes first.")  # fmt: skip
    runs, before = pi.runs, pi.files_of_table()
    monkeypatch.setenv(TOLD_VARIABLE, str(tmp_path / TOLD))
    assert install(pi, source) == 0
    assert pi.runs != runs
    assert pi.files_of_table() == before
    assert read_told(tmp_path) == Told(
        "watch", "done", "", (), len(game_names()), True, pi.runs, runs
    )


def begin_game(pi: RealVersions) -> None:
    """A game at this table that is not over."""
    with closing(Journal(pi.path_of(JOURNAL))) as journal:
        rules = make_rulebook("robby_solo")
        table = Table(rules, journal, None, lambda: 2000.0)
        assert table.start(rules.start_event("now", ("Ana", "Ben", "Cem")), HOST_AUTHOR) is None


@pytest.mark.wide
def test_while_a_game_is_under_way_nothing_is_switched_unless_asked(
    pi: RealVersions, source: Path, capsys: Said
) -> None:
    edit(source, "companion/games/robby_solo/__init__.py", '"""', '"""Better. ')
    pi.active |= {SERVICE}
    begin_game(pi)
    runs, before, says = pi.runs, pi.files_of_table(), "A game is under way, and nothing was swi"
    assert install(pi, source) == 1
    assert says in capsys.readouterr().err
    assert (pi.runs, pi.files_of_table()) == (runs, before)
    assert install(pi, source, "--now") == 0
    assert pi.runs != runs
    capsys.readouterr()
    assert install(pi, source, "--rollback") == 1
    assert "or type sudo companion rollback --now" in capsys.readouterr().err
    assert install(pi, source, "--rollback", "--now") == 0
    assert pi.runs == runs


@pytest.mark.wide
def test_the_copy_of_a_run_that_was_cut_off_is_removed(pi: RealVersions, source: Path) -> None:
    with subprocess.Popen(["true"]) as gone:
        pass
    left = leave_copy(Path("/var/tmp"), f"{PREFIX}{gone.pid}-")
    edit(source, "companion/games/robby_solo/__init__.py", '"""', '"""Better. ')
    assert install(pi, source) == 0
    assert not left.exists()


@pytest.mark.skipif(not shutil.which("systemd-tmpfiles"), reason="systemd-tmpfiles is missing")
def test_the_copy_that_a_power_cut_left_is_removed_at_the_next_start(
    bench: Workbench, tmp_path: Path
) -> None:
    assert install(bench, clone(tmp_path / "clone")) == 0
    left, other = leave_copy(tmp_path, f"{PREFIX}77-"), leave_copy(tmp_path, "mine-")
    config = tmp_path / "companion.conf"
    config.write_text(bench.read_text(PASSING).replace("/var/tmp", str(tmp_path)))
    command = ["systemd-tmpfiles", "--remove", "--boot", str(config)]
    subprocess.run(command, check=True, capture_output=True)
    assert (left.exists(), other.exists()) == (False, True)


def leave_copy(folder: Path, prefix: str) -> Path:
    """A copy of the data that was left there."""
    left = Path(tempfile.mkdtemp(prefix=prefix, dir=folder))
    (left / "journal.sqlite3").write_bytes(b"names")
    return left
