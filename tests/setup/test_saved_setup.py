"""What was learnt and chosen outlives the process, and what is said elsewhere has the last word."""

from pathlib import Path

import msgspec
import pytest

from companion.app import settings
from companion.app.build_table import choose_rules
from companion.app.settings import Options
from companion.app.wires import (
    load_learnt_wiring,
    load_table_wiring,
    load_unlearnt_wiring,
    load_wiring,
    save_wiring,
    wiring_path,
)
from companion.games.new_game import NewGame
from companion.games.rulebook import Rulebook
from companion.host.settings import load_choices
from companion.setup.steps import SavedSetup
from hardware.errors import WiringError
from hardware.wiring import DEFAULT, load_profile
from tests.worlds.fresh_table import Fresh, code, cross_wires, fresh_table

CROSSED = cross_wires("eight-readers")


def test_setup_resumes_where_it_stopped(tmp_path: Path) -> None:
    with fresh_table(tmp_path) as at:
        for _ in range(3):
            at.acts("next")
        at.wait(1)
        for _ in range(4):
            at.does()
    with fresh_table(tmp_path) as again:
        assert (again.shown.step, again.shown.asked, again.shown.done) == ("banks", 5, 4)
        assert load_learnt_wiring(tmp_path) == again.real.wires.wiring
        assert again.real.wires.wiring.readers[3] == CROSSED.readers[3]
        assert again.through("banks").done == 8
        again.goes("done")
        assert again.real.wires.wiring.readers == CROSSED.readers


def test_a_deck_that_cannot_be_read_is_not_written_over(tmp_path: Path) -> None:
    with fresh_table(tmp_path, game="banque_fatale") as at:
        (tmp_path / "decks").mkdir()
        deck = tmp_path / "decks/banque_fatale.json"
        deck.write_text("nonsense")
        showing = at.goes("stickers")
        assert (showing.trouble, showing.thing, showing.asks) == (True, "", None)
        assert at.says().startswith("The deck of Banque Fatale cannot be read")
        at.does()
        at.acts("next")
        assert deck.read_text() == "nonsense"


# What is said elsewhere.


def test_the_wiring_of_the_config_is_not_for_the_browser_to_change(tmp_path: Path) -> None:
    with fresh_table(tmp_path, profile="five-readers") as at:
        (offer,) = at.shown.profiles
        assert (offer.profile, offer.readers) == ("five-readers", 5)
        assert code(at.first.choose_wiring("eight-readers")) == "no_wiring"
        assert at.first.choose_wiring("five-readers") is None
        assert at.through("banks").done == 5
    assert load_wiring(tmp_path, "five-readers").readers == cross_wires("five-readers").readers
    assert load_wiring(tmp_path, "eight-readers") == load_unlearnt_wiring("eight-readers")
    assert load_wiring(tmp_path, None).learnt_from == "five-readers"


def test_a_wiring_of_ones_own_is_learnt_too(tmp_path: Path) -> None:
    own = tmp_path / "our table.toml"
    own.write_text(
        'title = "Two"\nreset = 25\n[readers]\n1 = "spidev:0.0"\n2 = "spidev:0.1"\n'
        "[buttons]\n1 = 4\n2 = 5\n"
    )
    soldered = load_unlearnt_wiring(str(own)).with_learnt(banks={1: 2})
    with fresh_table(tmp_path, profile=str(own), soldered=lambda _profile: soldered) as at:
        assert at.shown.profile == "our table"
        assert at.host.read_health().wiring == "own", "what it is called stays here"
        assert at.through("banks").done == 2
        assert {dict(at.shown.steps)["lamps"]} == {"spared"}
        text = own.read_text()
        own.write_text("half of what somebody is wri")
        assert at.shown.profile == "our table", "it is read again at the next start"
        at.goes("buttons")
        at.does()
        assert "cannot be understood" in at.says(), "nothing is learnt that cannot be saved"
        own.unlink()
        at.does()
        assert at.says() == "our table.toml cannot be read: No such file or directory."
        assert at.first.choose_wiring("our table") is None
        own.write_text(text)
    assert load_wiring(tmp_path, str(own)).readers == soldered.readers
    own.write_text(own.read_text().replace("spidev:0.1", "spidev:1.0"))
    assert load_learnt_wiring(tmp_path) is None, "it was soldered anew"
    with fresh_table(tmp_path, profile=str(own)) as at:
        assert at.goes("banks").done == 0


def test_a_learnt_wiring_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    wiring_path(tmp_path).write_text("nonsense")
    with pytest.raises(WiringError, match="cannot be understood"):
        load_wiring(tmp_path, None)


@pytest.mark.parametrize(
    ("told", "is_learnt"),
    [("", True), ('profile = "eight-readers"', True), ('profile = "phones-only"', False)],
)  # fmt: skip
def test_commands_take_the_profile_with_which_the_service_runs(
    told: str, is_learnt: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "companion.toml"
    monkeypatch.setattr(settings, "SYSTEM", tmp_path)
    monkeypatch.setattr(settings, "CONFIG", config)
    config.write_text('profile = "phones-only"')
    assert load_table_wiring(None).name == "phones-only"
    crossed = load_unlearnt_wiring(DEFAULT).with_learnt(buttons={1: 2, 2: 1})
    save_wiring(tmp_path, crossed)
    config.write_text(told)
    assert load_table_wiring(None).buttons == (crossed.buttons if is_learnt else {})
    assert load_table_wiring(DEFAULT) == load_profile(DEFAULT), "as it is to be built"


def test_another_wiring_comes_to_the_table_at_once(tmp_path: Path) -> None:
    with fresh_table(tmp_path) as at:
        at.through("buttons")
        steps = at.real.wires.steps()
        assert at.first.choose_wiring("five-readers") is None
        at.wait(2)
        assert at.real.wires.steps() > steps
        assert [c.place for c in at.real.wires.conditions()] == [1, 2, 3, 4, 5]
        assert at.goes("buttons").done == 0, "that was another wiring"
        assert at.first.choose_wiring("phones-only") is None
        assert (at.real.wires.conditions(), at.seats.open_house) == ([], True)
        spared = {step for step, how in at.shown.steps if how == "spared"}
        assert spared == {"banks", "buttons", "lamps", "stickers", "check"}
        assert code(at.first.go_to("banks")) == "no_step"
        assert at.first.choose_wiring("eight-readers") is None
        at.wait(2)
        assert (len(at.real.wires.conditions()), at.seats.open_house) == (8, False)
        assert at.real.table.reports.is_listening
    assert load_wiring(tmp_path, None).buttons == load_profile("eight-readers").buttons, (
        "learnt no more"
    )


def test_a_reader_that_lies_beside_its_place_is_opened_as_such(tmp_path: Path) -> None:
    with fresh_table(tmp_path) as at:
        assert code(at.first.choose_mode(2, "tap")) == "nothing_asked"
        at.goes("banks")
        opened = at.table
        assert at.first.choose_mode(2, "tap") is None
        assert dict(at.shown.modes)[2] == "tap"
        at.goes("done")
        assert at.table is not opened, "a driver that is told so when it is opened"
        assert at.real.wires.wiring.modes[2] == "tap"
    assert load_wiring(tmp_path, None).modes[2] == "tap"


# What was chosen.


def test_the_box_that_was_chosen_counts_until_another_is_played(tmp_path: Path) -> None:
    with fresh_table(tmp_path) as at:
        at.first.settings.change(lambda saved: saved.with_done("check"))
        assert at.first.choose_box("bankueberfall") is None
        assert "check" in load_choices(tmp_path).done
        assert at.first.choose_box("robby_solo") is None
        assert load_choices(tmp_path).done == ("box",), "another box was never checked"
        assert at.shown.game == "robby_solo"
        assert code(at.first.choose_box("chess")) == "no_box"
        kept = load_choices(tmp_path)
        assert (kept.game, kept.after) == ("robby_solo", "")
        assert at.journal.newest_game() is None
        table = at.real.table
        assert (table.rules.box.game, opened(at).box.game) == ("robby_solo", "robby_solo")
        assert opened(at, game="banque_fatale").box.game == "banque_fatale"
        assert at.host.begin_game(NewGame("bankueberfall", ("Ana", "Ben"))) is None
        assert opened(at).box.game == "bankueberfall"
        assert at.host.reset_table() is None
        assert at.first.choose_box("robby_solo") is None
        assert opened(at).box.game == "robby_solo"


def opened(at: Fresh, game: str | None = None) -> Rulebook:
    """The game at the next start in this folder."""
    options = Options(kind="physical", folder=at.folder, address="127.0.0.1", port=8000, game=game)
    return choose_rules(options, at.journal, load_choices(at.folder))


SPOILT = ("", "[]", '{"done": ["cooking"]}', "\xff", '{"language": "\xff"}', '{"x": ' + "[" * 10**5)


@pytest.mark.parametrize("text", SPOILT)
def test_a_file_that_cannot_be_read_is_as_good_as_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "table.json").write_text(text, "latin-1")
    assert load_choices(tmp_path) == SavedSetup()
    with fresh_table(tmp_path) as at:
        assert at.shown.step == "language"
    assert msgspec.json.decode(msgspec.json.encode(SavedSetup()), type=SavedSetup) == SavedSetup()


def test_a_table_at_which_somebody_has_played_is_not_new(tmp_path: Path) -> None:
    with fresh_table(tmp_path) as made:
        assert not made.first.is_set_up
        assert made.host.begin_game(NewGame("bankueberfall", ("Ana", "Ben"))) is None
    with fresh_table(tmp_path) as again:
        assert again.first.is_set_up
        assert not again.shown.set_up, "but nobody has come to the end of its first start"
