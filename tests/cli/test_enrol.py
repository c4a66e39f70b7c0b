"""`companion enrol`, as it is typed."""

import io
import json
import os
import pty
import re
import signal
import stat
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from companion.app.enrolment import EnrolSteps, attend_table
from companion.app.settings import data_folder, deck_path
from companion.app.setup.simulated_enrolment import (
    CLASSIC,
    SPOILT,
    STRANGER,
    TELEPHONE,
    SimulatedEnrolment,
    sticker_uid,
)
from companion.app.terminal_keys import TerminalKeys
from companion.cli import main
from companion.cli.enrol import KEYS
from companion.core.deck import Deck
from companion.core.i18n import LANGUAGES, Message
from companion.enrol import Walk, begin_walk, take_evidence
from companion.enrol.deck_file import load_deck, save_deck
from companion.games import find_game, game_names
from hardware import backends
from hardware.wiring import DEFAULT
from tests.worlds.campaign import pick
from tests.worlds.paths import ROOT

GUIDE = (ROOT / "docs" / "enrol.md").read_text("utf-8")
GAME = "banque_fatale"
BOX = find_game(GAME).standard_box()
Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A data folder of one's own, and nobody at the keys."""
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    monkeypatch.setattr(sys, "stdin", None)
    return tmp_path / "data"


def typing(keys: str, words: list[str]) -> int:
    """The command's exit status when these keys have been pressed already."""
    read, write = os.pipe()
    os.write(write, keys.encode())
    os.close(write)
    with os.fdopen(read) as terminal, pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(sys, "stdin", terminal)
        return main(["enrol", *words])


def uids(game: str) -> list[str]:
    holds = find_game(game).standard_box().tagged_pieces()
    own = [sticker_uid(thing, n) for thing, total in holds.items() for n in range(1, total + 1)]
    return [*own, CLASSIC, TELEPHONE, SPOILT, STRANGER]


def refused(words: list[str], capsys: Capture) -> str:
    """What the command says when it cannot be done: one sentence, and nothing else."""
    assert main(["enrol", *words]) == 2
    heard = capsys.readouterr()
    assert heard.out == ""
    assert heard.err.startswith("companion enrol: ")
    assert heard.err.count("\n") == 1
    return heard.err


@pytest.mark.parametrize(
    ("game", "lang"), list(zip(game_names(), LANGUAGES, strict=True))[pick(1, 0, 0) : pick(2, 3, 3)]
)
def test_a_simulated_hand_enrols_a_box_and_finds_it_again(
    game: str, lang: str, tmp_path: Path, capsys: Capture
) -> None:
    path, words = tmp_path / "deck.json", ["--sim", "--lang", lang]
    assert main(["enrol", game, *words, "--deck", str(path)]) == 0
    first = capsys.readouterr()
    assert main(["enrol", game, *words, "--deck", str(path), "--check"]) == 0
    second = capsys.readouterr()
    total = sum(find_game(game).standard_box().tagged_pieces().values())
    deck = load_deck(path, find_game(game).standard_box())
    assert len(deck.things) == total
    for line in (first.out.splitlines()[-1], second.out.splitlines()[-1]):
        assert line.count(str(total)) == 2
    printed = (first.out + first.err + second.out + second.err).lower()
    everything = printed.encode() + path.read_bytes().lower()
    for uid in uids(game):
        raw = bytes.fromhex(uid)
        assert not any(w in everything for w in (uid.encode(), raw, raw.hex(":").encode()))


def test_the_hand_makes_every_mistake_once_and_each_is_said(capsys: Capture) -> None:
    assert main(["enrol", GAME, "--sim"]) == 0
    lines = capsys.readouterr().out.splitlines()
    for sentence in (
        "This sticker was enrolled before, as red: ",
        "Several stickers came at once, on reader 1 and 2: ",
        "What lies on reader 1 is no sticker of the right kind: ",
        "Something on reader 1 has a new number every time",
        "What lies on reader 3 answers and cannot be read: ",
        "Reader 3 reads the same number as another reader: ",
    ):
        assert len([line for line in lines if line.startswith(sentence)]) == 1
        assert re.sub(r"\d( and \d)?", "…", re.split(r",|:", sentence)[0]) in GUIDE
    assert lines[-1] == "Nothing was kept; name a file with --deck to keep it."


@pytest.mark.parametrize("profile", ["five-readers", "one-reader", "usb"])
def test_another_wiring_will_do(profile: str, capsys: Capture) -> None:
    assert main(["enrol", GAME, "--sim", "--profile", profile]) == 0
    assert "The deck is complete: 16 of 16." in capsys.readouterr().out


SLOT = re.compile(r"slot [1-4]\b")


def test_a_walk_is_stopped_and_gone_on_with(home: Path, tmp_path: Path, capsys: Capture) -> None:
    path = str(tmp_path / "deck.json")
    assert typing("sSxuq", [GAME, "--sim", "--deck", path]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [SLOT.sub("slot …", line) for line in lines[2:8]] == [
        "If its sticker is not glued yet, take slot … of the jig.",
        "Skipped: red. Lay on any reader: yellow.",
        "If its sticker is not glued yet, take slot … of the jig.",
        "Skipped: yellow. Lay on any reader: green.",
        "If its sticker is not glued yet, take slot … of the jig.",
        "Taken back. Lay on any reader: yellow.",
    ]
    assert lines[8] == lines[4], "what is asked for again keeps its slot"
    assert lines[-1].startswith("Not enrolled yet: red, yellow, green")
    assert not Path(path).exists(), "an empty deck is not worth keeping"
    assert typing("s", [GAME, "--sim", "--deck", path]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "Not enrolled yet: red."
    assert main(["enrol", GAME, "--sim", "--deck", path]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"Going on with {path}: 15 of 16 are enrolled."
    assert lines[2] == "Lay on any reader: red."
    assert main(["enrol", GAME, "--deck", path]) == 0, "a complete deck asks for no table"
    assert capsys.readouterr().out.splitlines()[-1] == "The deck is complete: 16 of 16."
    assert not home.exists()


def part_of_a_deck(path: Path, count: int) -> None:
    maker = Deck({}, "5a" * 16)
    some = list(BOX.tagged_pieces())[:count]
    save_deck(
        path, Deck({maker.mark(sticker_uid(t, 1)): t for t in some}, maker.salt), BOX, "2025-03-01"
    )


def test_a_check_says_what_is_missing_and_what_it_did_not_look_for(
    home: Path, capsys: Capture
) -> None:
    path = deck_path(GAME)
    part_of_a_deck(path, 14)
    assert main(["enrol", GAME, "--sim", "--check", "--deck", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Never enrolled, so not looked for: blue–orange and red–red."
    assert lines[2] == "An unknown sticker lies on reader 1: it is on nothing of this deck."
    assert lines[-1] == "All is there: 14 of 14."
    part_of_a_deck(path, 13)
    assert main(["enrol", GAME, "--sim", "--check", "--deck", str(path)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "All is there: 13 of 13."
    maker = Deck({}, "5a" * 16)
    things = {maker.mark(f"04{n:012x}"): thing for n, thing in enumerate(BOX.tagged_pieces())}
    save_deck(path, Deck(things, maker.salt), BOX, "2025-03-01")
    assert main(["enrol", GAME, "--sim", "--check", "--deck", str(path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1].startswith("Still missing: red, yellow, green, blue, orange, red–yellow")


def test_a_check_tells_programs_what_it_tells_people(home: Path, capsys: Capture) -> None:
    path = deck_path(GAME)
    part_of_a_deck(path, 14)
    assert main(["enrol", GAME, "--sim", "--check", "--json", "--deck", str(path)]) == 0
    heard = capsys.readouterr()
    told = json.loads(heard.out)
    assert (told["all_there"], told["missing"]) == (True, {})
    assert sorted(told["never_enrolled"].values()) == [1, 1]
    assert "All is there: 14 of 14." not in heard.out
    assert "Lay everything on any reader" in heard.err


def test_one_ruined_sticker_is_replaced_and_the_box_stays_enrolled(
    home: Path, capsys: Capture
) -> None:
    path = deck_path(GAME)
    part_of_a_deck(path, 16)
    assert main(["enrol", GAME, "--sim", "--data", str(home), "--replace", "red"]) == 0
    heard = capsys.readouterr().out
    assert heard.splitlines()[-1].startswith("red has its new sticker.")
    deck = load_deck(path, BOX)
    assert deck[STRANGER] == deck[sticker_uid("red", 1)] == "red"
    assert len(deck.things) == 16
    assert STRANGER not in heard + path.read_text()
    before = path.read_bytes()
    for words, sentence in (
        (["--replace", "red", "--sim"], "--replace needs the data folder of the table"),
        (["--replace", "thief", "--data", str(home)], "names no enrolled piece of this box"),
    ):
        assert sentence in refused_after([GAME, *words], capsys)
    assert typing("q", [GAME, "--sim", "--data", str(home), "--replace", "red"]) == 1
    assert path.read_bytes() == before


def test_the_slot_of_each_sticker_is_kept(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "deck.json"
    assert main(["enrol", GAME, "--sim", "--deck", str(path)]) == 0
    deck = load_deck(path, BOX)
    assert deck.slots.keys() == deck.things.keys()
    named = re.search(r"take slot (\d)", capsys.readouterr().out)
    assert named is not None
    assert deck.slots[next(iter(deck.things))] == int(named[1])


def test_a_deck_goes_to_another_table_and_is_forgotten(
    home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Capture
) -> None:
    copy = str(tmp_path / "copy.json")
    part_of_a_deck(deck_path(GAME), 5)
    assert deck_path(GAME) == home / "decks" / f"{GAME}.json"
    assert main(["enrol", GAME, "--export", copy]) == 0
    assert stat.S_IMODE(Path(copy).stat().st_mode) == 0o600
    assert "exists already" in refused_after([GAME, "--import", copy], capsys)
    before = Path(copy).read_bytes()
    assert "exists already; name a file" in refused_after([GAME, "--export", copy], capsys)
    assert Path(copy).read_bytes() == before
    assert main(["enrol", GAME, "--forget"]) == 0
    assert list((home / "decks").iterdir()) == []
    for words in (["--forget"], ["--check"], ["--export", copy + "2"]):
        assert f"type: companion enrol {GAME}" in refused_after([GAME, *words], capsys)
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "there"))
    assert main(["enrol", GAME, "--import", copy]) == 1
    assert "Not enrolled yet: red–yellow, " in capsys.readouterr().out
    assert load_deck(deck_path(GAME), BOX)[sticker_uid("orange", 1)] == "orange"


def test_another_folder_has_another_deck(home: Path, tmp_path: Path, capsys: Capture) -> None:
    there = tmp_path / "there"
    assert main(["enrol", GAME, "--sim", "--data", str(there)]) == 0
    assert len(load_deck(deck_path(GAME, there), BOX).things) == 16
    assert not home.exists()
    assert main(["enrol", GAME, "--data", str(there)]) == 0, "a complete deck asks for no table"
    with pytest.raises(SystemExit):
        main(["enrol", GAME, "--data", str(there), "--deck", "x"])


def refused_after(words: list[str], capsys: Capture) -> str:
    capsys.readouterr()
    return refused(words, capsys)


def test_what_cannot_be_done_is_one_sentence(home: Path, tmp_path: Path, capsys: Capture) -> None:
    none = str(tmp_path / "none.json")
    assert "none.json cannot be read" in refused([GAME, "--import", none], capsys)
    (tmp_path / "none.json").write_text("{}")
    assert "is not a deck: its field “deck”" in refused([GAME, "--import", none], capsys)
    assert "is not a deck: its field “deck”" in refused([GAME, "--sim", "--deck", none], capsys)
    for words in (["--check"], ["--forget"], ["--export", none], ["--import", none]):
        said = refused([GAME, "--sim", *words], capsys)
        assert "--sim" in said or "is not a deck" in said
    home.write_text("a file where the folder should be")
    part_of_a_deck(tmp_path / "some.json", 3)
    assert "cannot be written" in refused([GAME, "--import", str(tmp_path / "some.json")], capsys)
    assert "nine" in refused([GAME, "--sim", "--profile", "nine"], capsys)


def test_a_machine_that_is_no_pi_says_so(capsys: Capture) -> None:
    if Path("/proc/device-tree/model").exists():
        pytest.skip("this is a Pi")
    assert "use the simulated table" in refused([GAME], capsys)


def test_a_wired_table_takes_the_same_keys(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setitem(backends.BACKENDS, "pi", "hardware.simulated_table")
    assert typing("ssq", [GAME]) == 1
    assert "Skipped: yellow. Lay on any reader: green." in capsys.readouterr().out
    part_of_a_deck(deck_path(GAME), 2)
    assert typing("q", [GAME, "--check"]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "Still missing: red and yellow."


@pytest.mark.parametrize("after", range(1, 17, pick(8, 2, 1)))
def test_the_hand_goes_on_after_something_was_taken_back(after: int) -> None:
    holds, keys = BOX.tagged_pieces(), os.pipe()
    at, enrolled = SimulatedEnrolment(DEFAULT, holds), 0

    def tell(_walk: Walk, said: Message | None) -> None:
        nonlocal enrolled
        if said is not None and said.text.startswith("Enrolled: "):
            enrolled += 1
            if enrolled == after:
                os.write(keys[1], b"u")

    with os.fdopen(keys[0]) as terminal, pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(sys, "stdin", terminal)
        walk, _ = begin_walk(Walk(holds, Deck({}, "5a" * 16)))
        with TerminalKeys() as pressed:
            steps = EnrolSteps(take_evidence, KEYS, tell)
            walk = attend_table(walk, at, steps, pressed.read_keys)
    os.close(keys[1])
    at.close()
    assert walk.done
    assert len(walk.deck.things) == 16


def test_the_terminal_is_afterwards_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    above, below = pty.openpty()
    before = termios.tcgetattr(below)
    with os.fdopen(below) as terminal:
        monkeypatch.setattr(sys, "stdin", terminal)
        os.write(above, b"sq")
        assert main(["enrol", GAME, "--sim"]) == 1
        assert termios.tcgetattr(below) == before
    os.close(above)


@pytest.mark.parametrize("stdin", [None, io.StringIO("")])
def test_without_a_terminal_it_goes_on(
    stdin: io.StringIO | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", stdin)
    assert main(["enrol", GAME, "--sim"]) == 0


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
@pytest.mark.parametrize("after", [1, 9])
def test_what_was_called_enrolled_is_on_disk(end: int, after: int, tmp_path: Path) -> None:
    path = tmp_path / "deck.json"
    command = [sys.executable, "-m", "companion", "enrol", "robby_solo", "--sim", "--deck", path]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL}
    with subprocess.Popen(command, text=True, **pipes) as process:  # type: ignore[call-overload]
        seen = 0
        while seen < after:
            seen += process.stdout.readline().startswith("Enrolled: ")
        process.send_signal(end)
        _, err = process.communicate(timeout=60)
    assert err == ""
    # It may have been faster: over, or ending so far that it takes no signal for itself any more.
    assert process.returncode in (-signal.SIGKILL, 128 + signal.SIGINT, 0, -signal.SIGINT)
    assert (
        len(load_deck(path, find_game("robby_solo").standard_box()).things) >= after - 1
    )  # one was taken back


@pytest.mark.parametrize(
    ("told", "writable", "there"),
    [
        ({"COMPANION_DATA": "/a", "XDG_DATA_HOME": "/b"}, True, "/a"),
        ({"COMPANION_DATA": "", "XDG_DATA_HOME": "/b"}, False, "/b/companion"),
        ({"COMPANION_DATA": "", "XDG_DATA_HOME": ""}, False, "/home/ana/.local/share/companion"),
        ({"COMPANION_DATA": "", "XDG_DATA_HOME": "/b"}, True, "SHARED"),
    ],
)
def test_where_things_are_kept(
    told: dict[str, str],
    writable: bool,
    there: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    shared = tmp_path / "shared"
    if writable:
        shared.mkdir()
    monkeypatch.setattr("companion.app.settings.SYSTEM", shared)
    monkeypatch.setenv("HOME", "/home/ana")
    for name, value in told.items():
        monkeypatch.setenv(name, value)
    assert data_folder() == (shared if there == "SHARED" else Path(there))


def test_the_guide_names_what_can_be_typed(capsys: Capture) -> None:
    assert "`companion enrol" in GUIDE
    with pytest.raises(SystemExit) as ended:
        main(["enrol", "--help"])
    assert ended.value.code == 0
    help_ = capsys.readouterr().out
    options = re.findall(r"--[a-z]+", help_)
    assert all(option in GUIDE for option in options if option != "--help")
    assert all(game in GUIDE for game in game_names())
