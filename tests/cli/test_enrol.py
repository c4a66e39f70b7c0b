"""`companion enrol`, as it is typed."""

import json
import os
import re
import sys
from pathlib import Path

import pytest

from companion.app.settings import data_folder, deck_path
from companion.app.setup.terminal import sticker_uid
from companion.app.wires import load_learnt_wiring
from companion.cli import main
from companion.core.deck import Deck
from companion.core.i18n import LANGUAGES
from companion.games import find_game
from companion.host.settings import load_choices
from companion.setup.deck_file import load_deck, save_deck
from hardware import backends
from hardware.wiring import DEFAULT, load_profile
from tests.worlds.campaign import pick
from tests.worlds.own_games import own_games

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
    total = sum(find_game(game).standard_box().tagged_pieces().values())
    return [sticker_uid(n) for n in range(total)]


def refused(words: list[str], capsys: Capture) -> str:
    """What the command says when it cannot be done: one sentence, and nothing else."""
    assert main(["enrol", *words]) == 2
    heard = capsys.readouterr()
    assert heard.out == ""
    assert heard.err.startswith("companion enrol: ")
    assert heard.err.count("\n") == 1
    return heard.err


@pytest.mark.parametrize(
    ("game", "lang"), list(zip(own_games(), LANGUAGES, strict=True))[pick(1, 0, 0) : pick(2, 3, 3)]
)
def test_a_simulated_hand_enrols_a_box_and_finds_it_again(
    game: str, lang: str, home: Path, capsys: Capture
) -> None:
    words, path = ["--sim", "--lang", lang, "--data", str(home)], deck_path(game)
    assert main(["enrol", game, *words]) == 0
    first = capsys.readouterr()
    assert main(["enrol", game, *words, "--check"]) == 0
    second = capsys.readouterr()
    total = sum(find_game(game).standard_box().tagged_pieces().values())
    assert len(load_deck(path, find_game(game).standard_box()).things) == total
    for line in (first.out.splitlines()[-1], second.out.splitlines()[-1]):
        assert line.count(str(total)) == 2
    printed = (first.out + first.err + second.out + second.err).lower()
    everything = printed.encode() + path.read_bytes().lower()
    for uid in uids(game):
        raw = bytes.fromhex(uid)
        assert not any(w in everything for w in (uid.encode(), raw, raw.hex(":").encode()))


def test_without_a_folder_nothing_is_kept(home: Path, capsys: Capture) -> None:
    assert main(["enrol", GAME, "--sim"]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == "Nothing was kept; name a folder with --data to keep it."
    assert not home.exists()


@pytest.mark.parametrize("wires", ["banks", "buttons", "lamps"])
def test_wires_are_found_at_a_terminal(wires: str, home: Path) -> None:
    assert main(["enrol", GAME, "--sim", "--data", str(home), "--wires", wires]) == 0
    learnt = load_learnt_wiring(home)
    assert learnt is not None
    assert learnt.leads_same(load_profile(DEFAULT))
    assert wires in load_choices(home).done


@pytest.mark.parametrize("profile", ["five-readers", "one-reader", "usb"])
def test_another_wiring_will_do(profile: str, capsys: Capture) -> None:
    assert main(["enrol", GAME, "--sim", "--profile", profile]) == 0
    assert "All is there: 16 of 16." in capsys.readouterr().out


SLOT = re.compile(r"slot [1-4]\b")


def test_each_card_of_a_kind_is_told_its_own_slot(home: Path, capsys: Capture) -> None:
    assert typing("sssq", ["robby_solo", "--sim", "--data", str(home)]) == 1
    slots = SLOT.findall(capsys.readouterr().out)
    assert sorted(slots) == ["slot 1", "slot 2", "slot 3", "slot 4"]


def test_a_walk_is_stopped_and_gone_on_with(home: Path, capsys: Capture) -> None:
    words = [GAME, "--sim", "--data", str(home)]
    assert typing("sSxuq", words) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [SLOT.sub("slot …", line) for line in lines[2:11]] == [
        "If its sticker is not glued yet: on its back, slot … of the jig.",
        "Left out: red.",
        "Lay this on any reader: yellow.",
        "If its sticker is not glued yet: on its back, slot … of the jig.",
        "Left out: yellow.",
        "Lay this on any reader: green.",
        "If its sticker is not glued yet: on its back, slot … of the jig.",
        "Taken back.",
        "Lay this on any reader: yellow.",
    ]
    assert lines[11] == lines[5], "what is asked for again keeps its slot"
    assert lines[-1].startswith("Still missing: red, yellow, green")
    assert not deck_path(GAME).exists(), "an empty deck is not worth keeping"
    assert typing("s", words) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "Not enrolled yet: red."
    assert main(["enrol", *words]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "Lay this on any reader: red."
    assert lines[-1] == "All is there: 16 of 16."


def part_of_a_deck(path: Path, count: int) -> None:
    maker = Deck({}, "5a" * 16)
    some = list(BOX.tagged_pieces())[:count]
    save_deck(
        path,
        Deck({maker.mark(sticker_uid(n)): t for n, t in enumerate(some)}, maker.salt),
        BOX,
        "2025-03-01",
    )


def test_a_check_says_what_is_missing_and_what_it_did_not_look_for(
    home: Path, capsys: Capture
) -> None:
    path = deck_path(GAME)
    part_of_a_deck(path, 14)
    assert main(["enrol", GAME, "--sim", "--check", "--data", str(home)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[-2:] == [
        "2 of 16 pieces have no sticker yet.",
        "Not enrolled yet: blue–orange and red–red.",
    ]
    maker = Deck({}, "5a" * 16)
    things = {maker.mark(f"04{n:012x}"): thing for n, thing in enumerate(BOX.tagged_pieces())}
    save_deck(path, Deck(things, maker.salt), BOX, "2025-03-01")
    assert main(["enrol", GAME, "--sim", "--check", "--data", str(home)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[-2].startswith("Still missing: red, yellow, green, blue, orange, red–yellow")


def test_programs_are_told_the_numbers(home: Path, capsys: Capture) -> None:
    path = deck_path(GAME)
    part_of_a_deck(path, 14)
    assert main(["enrol", GAME, "--sim", "--check", "--json", "--data", str(home)]) == 1
    heard = capsys.readouterr()
    assert json.loads(heard.out) == {"step": "check", "done": 14, "total": 16, "missing": []}
    assert "Lay everything on any reader" in heard.err


def test_what_cannot_be_done_is_one_sentence(home: Path, capsys: Capture) -> None:
    assert main(["enrol", GAME, "--sim", "--check"]) == 1
    assert "Not enrolled yet: red, yellow, green" in capsys.readouterr().out
    part_of_a_deck(deck_path(GAME), 16)
    deck_path(GAME).write_text("{}")
    assert "is not a deck: " in refused([GAME, "--check", "--sim", "--data", str(home)], capsys)
    assert "nine" in refused([GAME, "--sim", "--profile", "nine"], capsys)
    nothing = [GAME, "--sim", "--profile", "one-reader", "--wires", "lamps"]
    assert "This table has nothing to set up there." in refused(nothing, capsys)


def test_a_wired_table_takes_the_same_keys(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setitem(backends.BACKENDS, "pi", "hardware.simulated_table")
    assert typing("ssq", [GAME]) == 1
    assert "Left out: yellow.\nLay this on any reader: green." in capsys.readouterr().out
    part_of_a_deck(deck_path(GAME), 2)
    assert typing("q", [GAME, "--check"]) == 1
    assert capsys.readouterr().out.splitlines()[-3] == "Still missing: red and yellow."


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


def test_a_number_says_where_a_lamp_is_lit(capsys: Capture) -> None:
    assert typing("3q", [GAME, "--wires", "lamps", "--sim", "--profile", "eight-readers"]) == 1
    assert "Found: lamp of seat 3." in capsys.readouterr().out
