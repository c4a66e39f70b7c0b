"""What a new version has to prove before it is switched to: two versions compared, and real ones
that are broken."""

import json
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
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
from companion.records.witness import witness_game
from companion.table.permissions import HOST_AUTHOR
from companion.table.table import Table
from companion.update.outcome import TOLD, TOLD_VARIABLE, read_told
from installer.differences import FirstDifference, compare_games, is_alike
from installer.proof import JUDGED_ANEW, read_judged_anew
from installer.system import DATA, PASSING
from installer.trial import CURRENT, SERVICE, TRIAL
from tests.worlds.golden_games import golden_files, read
from tests.worlds.installed_games import write_game, write_package
from tests.worlds.paths import ROOT
from tests.worlds.pi_folder import Workbench, clone, install
from tests.worlds.real_versions import RealVersions, edit, whole_clone
from tests.worlds.rulebook_players import Dice, Evening

PREFIX = "companion-try-"
NO_PROCESS = 2**22 + 1
"""An id that the kernel gives to none."""
Said = pytest.CaptureFixture[str]
JOURNAL = f"{DATA}/journal.sqlite3"


@pytest.mark.parametrize(
    ("old", "new", "alike"),
    [
        ({"coins": 4, "text": "Four."}, {"coins": 4, "text": "4 coins."}, True),
        ({"bid": 4, "sums": "4 + 4 = 8"}, {"bid": 4, "sums": "2 × 4 = 8"}, True),
        ({"coins": 4, "box": {"title": "A"}}, {"coins": 4, "box": {"title": "B"}}, True),
        ({"coins": 4}, {"coins": 4, "chips": ()}, True),
        ({"coins": 4, "chips": ()}, {"coins": 4}, False),
        ({"coins": 4}, {"chips": 4}, False),
        ({"coins": 4}, {"coins": 5}, False),
        ({"paid": {"=Ana": 3, "=Ben": 4}}, {"paid": {"=Ana": 3}}, False),
        ({"paid": {"=Ana": 3}}, {"paid": {"=Ana": 3, "=Ben": 4}}, False),
        ({"paid": {"=text": 3}}, {"paid": {"=text": 4}}, False),
        ([{"rule": "a"}], [{"rule": "a"}, {"rule": "b"}], False),
        ({"phase": "over"}, None, False),
    ],
)
def test_words_are_not_compared_and_a_new_version_may_say_more_but_not_less(
    old: Any, new: Any, alike: bool
) -> None:
    assert is_alike(old, new) is alike


LATER = {"at": 8, "of": {"steps": [{"rule": "X.end", "facts": {}}]}}


def game(paid: int, **more: Any) -> dict[str, Any]:
    """A game as a version tells it."""
    steps = [{"rule": "X.bid", "facts": {}}, {"rule": "X.pay", "facts": {"paid": paid}}]
    verdicts = [{"at": 7, "of": {"steps": steps}}]
    told = {"lines": 9, "state": {"phase": "over"}}
    return {"id": "evening", **told, "verdicts": verdicts, **more}


@pytest.mark.parametrize(
    ("new", "case"),
    [
        (game(3), None),
        (game(4), FirstDifference("evening", 7, "X.pay")),
        (game(3, verdicts=[]), FirstDifference("evening", 7, "X.bid")),
        (game(3, state={"phase": "fill"}), FirstDifference("evening", 0, "")),
        (game(3, state={"phase": "fill"}, lines=10), None),
        (game(4, lines=10), FirstDifference("evening", 7, "X.pay")),
        (game(3, verdicts=[*game(3)["verdicts"], LATER]), FirstDifference("evening", 8, "X.end")),
        (game(3, verdicts=[*game(3)["verdicts"], LATER], lines=10), None),
        ({}, FirstDifference("evening", 7, "X.bid")),
    ],
)
def test_the_first_case_is_found_with_its_rule(
    new: dict[str, Any], case: FirstDifference | None
) -> None:
    assert compare_games(game(3), new) == case


Mutate = Callable[[dict[str, Any]], object]
MUTATIONS: dict[str, Mutate] = {
    "a seat is dropped": lambda robbery: robbery["paid"].popitem(),
    "a seat is added": lambda robbery: robbery["paid"].update({"=Nobody": 0}),
    "a coin more is paid": lambda robbery: add_to_first(robbery["paid"], 1),
    "a coin less is left": lambda robbery: add_to_first(robbery["change"], -1),
    "a bid is not told": lambda robbery: find_bids(robbery)["tally"].popitem(),
    "a fact of a step is gone": lambda robbery: find_bids(robbery).pop("tally"),
    "the last step is gone": lambda robbery: robbery["steps"].pop(),
    "a step is told twice": lambda robbery: robbery["steps"].append(robbery["steps"][-1]),
    "a field is gone": lambda robbery: robbery.pop("to_reserve"),
}  # fmt: skip


def find_bids(robbery: dict[str, Any]) -> dict[str, Any]:
    return next(step["facts"] for step in robbery["steps"] if "tally" in step["facts"])


def add_to_first(coins: dict[str, int], more: int) -> None:
    coins[next(iter(coins))] += more


@pytest.fixture(scope="module")
def robberies(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """What the golden games of Banküberfall come to."""
    with closing(Journal(tmp_path_factory.mktemp("golden") / "journal.sqlite3")) as journal:
        bring_golden_games(journal, "bankueberfall")
        told = [witness_game(journal, id, "bankueberfall") for id in golden_ids("bankueberfall")]
    assert sum("outcome" in verdict["of"] for each in told for verdict in each["verdicts"]) > 60
    return told


def golden_ids(game: str) -> list[str]:
    return [path.stem for path in golden_files() if path.stem.startswith(game)]


def bring_golden_games(journal: Journal, game: str) -> None:
    """Put the golden games of a game into a journal, each under its own name."""
    for path in golden_files():
        if path.stem in golden_ids(game):
            rules, events = read(path)
            told = ((1000.5 + n, "phone 1", to_json(event)) for n, event in enumerate(events))
            assert import_record(journal, build_record(rules, path.stem, 1, told))


@pytest.mark.parametrize("mutation", MUTATIONS)
def test_one_golden_robbery_that_is_judged_differently_is_found(
    mutation: str, robberies: list[dict[str, Any]]
) -> None:
    for game in robberies:
        assert compare_games(game, json.loads(json.dumps(game))) is None
        for number, verdict in enumerate(game["verdicts"]):
            if "outcome" in verdict["of"]:
                other = json.loads(json.dumps(verdict))
                MUTATIONS[mutation](other["of"])
                verdicts = [*game["verdicts"][:number], other, *game["verdicts"][number + 1 :]]
                case = compare_games(game, {**game, "verdicts": verdicts})
                assert case is not None
                assert (case.game, case.at) == (game["id"], verdict["at"])
                assert case.rule.startswith("B.")


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


@pytest.fixture
def golden(bench: Any, source: Path, capsys: Said) -> Iterator[RealVersions]:
    """A table at which the golden games of Banküberfall were played."""
    made = RealVersions(bench.root)
    assert install(made, source) == 0
    with closing(Journal(made.path_of(JOURNAL))) as journal:
        bring_golden_games(journal, "bankueberfall")
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


ONE_ROBBERY = 'rest == 7 and bid == 2 and who == ["Ben"]'
"""Of all golden robberies, it is the first one of the first game."""
WRONG_ONCE = {
    "a coin more is said to be paid": ('"paid": bid,', f'"paid": bid + ({ONE_ROBBERY}),'),
    "a seat is dropped": (
        "loot, paid, dict(paid), rest, credits)",
        "loot, {k: paid[k] for k in paid if loot != 9 or [*paid.values()] != [4, 2] or k != 'Ben'}"
        ", dict(paid), rest, credits)",
    ),
}  # fmt: skip


@pytest.mark.wide
@pytest.mark.parametrize("name", WRONG_ONCE)
def test_an_update_that_judges_one_golden_robbery_differently_is_refused_with_the_case(
    name: str, golden: RealVersions, source: Path, capsys: Said
) -> None:
    edit(source, "companion/games/bankueberfall/robbery.py", *WRONG_ONCE[name])
    runs = golden.runs
    assert install(golden, source, "--agree") == 1
    case = "The new version sees game bankueberfall-1 at moment 20 by rule B.pay"
    assert case in capsys.readouterr().err
    assert golden.runs == runs


@pytest.mark.wide
def test_a_golden_robbery_that_the_release_lists_is_shown_to_the_host_who_agrees(
    golden: RealVersions, source: Path, capsys: Said, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    edit(
        source,
        "companion/games/bankueberfall/robbery.py",
        *WRONG_ONCE["a coin more is said to be paid"],
    )
    (source / JUDGED_ANEW).write_text("B.pay The coin of the bank counts.\n")
    monkeypatch.setenv(TOLD_VARIABLE, str(tmp_path / TOLD))
    assert install(golden, source) == 1
    told, case = read_told(tmp_path), "game bankueberfall-1 at moment 20 by rule B.pay"
    assert (told.code, told.cases) == ("agree", (case,))
    assert f"differs {case}, as its release says" in capsys.readouterr().out
    assert install(golden, source, "--agree") == 0


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
    told, games = read_told(tmp_path), len(game_names())
    assert (told.stage, told.code, told.text, told.cases) == ("watch", "done", "", ())
    assert (told.games, told.of, told.tried) == (games, games, True)
    assert (told.runs, told.before) == (pi.runs, runs)
    assert told.libraries == told.of_libraries > 0


@pytest.mark.wide
def test_a_game_of_others_that_the_new_version_lacks_is_named_to_the_host(
    pi: RealVersions, source: Path, capsys: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lib = pi.path_of(f"{CURRENT}/lib")  # As pip puts it into the version that runs.
    write_game(lib, "wharf")
    write_package(lib, "wharf-package", {"wharf": "wharf_game:GAME"})
    runs = pi.runs
    monkeypatch.setenv(TOLD_VARIABLE, str(tmp_path / TOLD))
    assert install(pi, source) == 1, "built again, because its files are not as they were"
    told, err = read_told(tmp_path), capsys.readouterr().err
    assert (told.code, told.missing, told.cases, pi.runs) == ("agree", ("wharf",), (), runs)
    assert "does not bring wharf: these evenings stay readable" in err
    assert install(pi, source, "--agree") == 0
    assert pi.runs != runs
    assert read_told(tmp_path).games == len(game_names())


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
    left = leave_copy(Path("/var/tmp"), f"{PREFIX}{NO_PROCESS}-")
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
