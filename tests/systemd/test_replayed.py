"""Two versions that are asked what games come to: some at a time, and when one of them fails."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from companion.update.outcome import TOLD, TOLD_VARIABLE, read_told
from installer.machine import InstallFailed
from installer.proof import AT_ONCE, HANGS, MOST_NAMED, TELL, TOO_OLD, prove
from tests.worlds.pi_folder import Workbench

OLD, NEW = "/v/old/bin/python", "/v/new/bin/python"
STEP = {"rule": "X.pay", "facts": {"paid": 3}}


def told(id: str, paid: int = 3) -> dict[str, Any]:
    step = {**STEP, "facts": {"paid": paid}}
    return {"id": id, "lines": 4, "verdicts": [{"at": 4, "of": {"steps": [step]}}]}


class TwoVersions(Workbench):
    """A Pi whose versions say of games what is scripted; nothing else is asked of them."""

    def __init__(self, root: Path, games: int = 1) -> None:
        super().__init__(root, live=True)
        self.ids = [f"game-{n}" for n in range(games)]
        self.knows = {OLD: ["x"], NEW: ["x"]}
        self.answers_: dict[tuple[str, str], dict[str, Any]] = {}
        self.ends: dict[str, tuple[int, str]] = {}
        self.batches: list[int] = []

    def _prove(self, words: tuple[str, ...]) -> "subprocess.CompletedProcess[str]":
        python, ids = words[0], words[5:]
        if words[3] != TELL.read_text("utf-8"):
            return subprocess.CompletedProcess(words, 0, "", "")
        status, error = self.ends.get(python, (0, ""))
        listed = [{"knows": self.knows[python]}, *({"id": id, "game": "x"} for id in self.ids)]
        told_ = [self.answers_.get((python, id), told(id)) for id in ids] if ids else listed
        self.batches += [len(ids)] if ids else []
        out = "".join(f"{json.dumps(line)}\n" for line in told_)
        return subprocess.CompletedProcess(words, status, "" if status else out, error)

    def prove(self, again: str = "systemd/install --agree") -> str:
        """Prove the new version; return what was said."""
        said: list[str] = []
        prove(self, (OLD, NEW), self.root, said.append, again)
        return "\n".join(said)


@pytest.fixture
def pi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TwoVersions:
    monkeypatch.setenv(TOLD_VARIABLE, str(tmp_path / TOLD))
    (tmp_path / "systemd").mkdir()
    return TwoVersions(tmp_path)


def test_all_games_are_replayed_some_at_a_time_and_counted(tmp_path: Path, pi: TwoVersions) -> None:
    pi.ids = [f"game-{n}" for n in range(3 * AT_ONCE + 40)]
    said = pi.prove()
    assert pi.batches == [AT_ONCE, AT_ONCE] * 3 + [40, 40]
    assert f"  proven  {AT_ONCE} of {len(pi.ids)} games of this table\n" in said
    facts = read_told(tmp_path)
    assert (facts.games, facts.of, facts.tried) == (len(pi.ids), len(pi.ids), True)


def test_a_case_in_the_last_game_of_thousands_is_found(pi: TwoVersions) -> None:
    pi.ids = [f"game-{n}" for n in range(1234)]
    pi.answers_[NEW, "game-1233"] = told("game-1233", paid=4)
    with pytest.raises(InstallFailed, match="sees game game-1233 at moment 4"):
        pi.prove()


def test_of_many_cases_that_the_release_lists_the_first_are_named(pi: TwoVersions) -> None:
    (pi.root / "systemd/judged_anew.txt").write_text("X.pay It was wrong.\n")
    pi.ids = [f"game-{n}" for n in range(MOST_NAMED + 5)]
    pi.answers_ = {(NEW, id): told(id, paid=4) for id in pi.ids}
    with pytest.raises(InstallFailed) as asked:
        pi.prove()
    assert (asked.value.code, len(asked.value.cases)) == ("agree", MOST_NAMED + 1)
    assert asked.value.cases[-1] == "5 more games"
    assert "5 more games, as its release says" in pi.prove(again="")


@pytest.mark.parametrize(
    ("status", "error", "says"),
    [
        (1, "Traceback\nImportError: nothing", r"cannot read the games .*\(ImportError: nothing\)"),
        (HANGS[1], "", r"cannot read the games of this table \(it hangs\)"),
        (1, "sqlite3: disk is full", "The disk is full: make room"),
        (TOO_OLD, "", "it cannot say what games come to"),
    ],
)
def test_a_new_version_that_does_not_answer_is_refused(
    status: int, error: str, says: str, pi: TwoVersions
) -> None:
    pi.ends[NEW] = status, error
    with pytest.raises(InstallFailed, match=says):
        pi.prove(again="")


def test_a_new_version_that_cannot_replay_one_game_is_refused_whatever_its_release_lists(
    pi: TwoVersions,
) -> None:
    (pi.root / "systemd/judged_anew.txt").write_text("X.pay It was wrong.\n")
    pi.answers_[NEW, "game-0"] = {"id": "game-0", "fails": "KeyError"}
    with pytest.raises(InstallFailed, match=r"cannot replay game game-0 \(KeyError\)"):
        pi.prove(again="")


def test_a_version_that_runs_and_cannot_be_asked_does_not_stand_in_the_way_of_its_cure(
    pi: TwoVersions,
) -> None:
    pi.ends[OLD] = 1, "ImportError: nothing"
    with pytest.raises(InstallFailed, match=r"does not replay its games \(ImportError") as asked:
        pi.prove()
    assert (asked.value.code, asked.value.cases, asked.value.missing) == ("agree", (), ())
    assert "skipped all games" in pi.prove(again="")
    pi.ends[OLD] = TOO_OLD, ""
    assert "skipped" not in pi.prove()


def test_a_game_that_only_the_version_that_runs_cannot_replay_is_named(pi: TwoVersions) -> None:
    pi.answers_[OLD, "game-0"] = {"id": "game-0", "fails": "KeyError"}
    assert "skipped game game-0: the version that runs cannot replay it" in pi.prove()


def test_games_that_the_new_version_lacks_are_agreed_to_by_name(pi: TwoVersions) -> None:
    pi.knows[OLD] = ["goofspiel", "wharf", "x"]
    with pytest.raises(InstallFailed, match="does not bring goofspiel, wharf: these") as asked:
        pi.prove()
    assert asked.value.missing == ("goofspiel", "wharf")
    assert "lacks   the game wharf" in pi.prove(again="")
