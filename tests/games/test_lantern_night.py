"""A game from outside, played as the three are: the example of docs/new-game.md."""

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from lantern_night.game import LanternBox, resolve_contest

from companion.cli import main
from companion.core.cards import load_box, standard_box
from companion.core.errors import Malformed
from companion.core.events import Opened, Value
from companion.core.i18n import GameTexts, get_language, install_game_texts
from companion.core.table_events import Undone
from companion.core.verdict import render_steps
from companion.games import find_game, list_games, load_games, make_rulebook
from companion.records.format import to_bytes
from companion.records.parse import parse_record
from companion.records.verify import prove_record
from tests.laws import test_two_worlds, test_whole_games
from tests.web.pages import test_all_games as pages
from tests.web.rendering import test_blocks as blocks
from tests.worlds.campaign import pick
from tests.worlds.event_story import Story
from tests.worlds.lantern_night import GAME, on_the_shelf
from tests.worlds.paths import ROOT
from tests.worlds.phone_players import Phones
from tests.worlds.visitor import words
from tests.worlds.watched_table import NONCE, Watched

HERE = ROOT / "examples" / "lantern-night" / GAME
TEXT = (ROOT / "docs" / "new-game.md").read_text("utf-8")


@pytest.fixture(autouse=True, scope="module")
def shelf() -> Iterator[None]:
    pages.PLAYED["lanterns"] = (GAME, 3, {})
    with on_the_shelf():
        yield
    del pages.PLAYED["lanterns"]


def lit(*cards: str, **started: Any) -> Story:
    """Three players; nobody bids alone for any of these lanterns but the last."""
    *gone, last = cards
    story = Story(GAME, "Ana", "Ben", "Cleo", **started)
    for card in gone:
        story.when(f'lantern_lit card="{card}"').hands(0, 0, 0)
    return story.when(f'lantern_lit card="{last}"')


# Beside other games.


def test_another_game_does_not_rename_its_fields() -> None:
    rules = make_rulebook(GAME)
    state = rules.apply(None, rules.make_start_event("g", ("Ana", "Ben")))
    of_others = GameTexts(words={"lanterns": "swag", "out": "thrown away", "pile": "heap"})
    try:
        install_game_texts([of_others, *(game.all_texts() for game in list_games())], ())
        shown = words(pages.Shown(rules).page(state, 0) + pages.Shown(rules).page(state, 1))
    finally:
        load_games.cache_clear()
        load_games()
    assert "lanterns" in shown
    assert not [name for name in of_others.words.values() if name in shown]


# The rules, in stories.


def test_the_highest_bid_that_nobody_else_made_takes_the_lantern() -> None:
    story = lit("7").hands(5, 5, 3).then(phase="light", active=2)
    assert story.state.players[2].lanterns == ("7",)
    assert [player.coins for player in story.state.players] == [20, 20, 17]


def test_a_lantern_for_which_nobody_bids_alone_goes_out() -> None:
    story = lit("10").hands(4, 4, 4).then(out=("10",), lit="", pile=9)
    assert [player.coins for player in story.state.players] == [20, 20, 20]
    story.refused('lantern_lit card="10"', "not_offered", "L.light")


def test_the_verdict_tells_why_step_by_step() -> None:
    found = resolve_contest("7", {"Ana": 5, "Ben": 5, "Cleo": 0})
    assert [step["text"] for step in render_steps(found, get_language("en"))] == [
        "The bids: Ana 5, Ben 5, Cleo 0.",
        "Ana and Ben bid the same, 5: it does not count.",
        "Cleo made the highest bid that is left, takes lantern 7 and pays 0\u00a0coins.",
    ]
    assert [step.rule for step in found.steps] == ["L.bid", "L.alone", "L.alone"]


@pytest.mark.parametrize(("rule", "total"), [("nothing", 10), ("a_tenth", 11)])
def test_the_last_lantern_ends_the_game_and_the_house_rule_counts_coins(
    rule: str, total: int
) -> None:
    cards = [str(n) for n in range(1, 11)]
    story = lit(*cards, house_rules={"coins_at_end": rule}).hands(2, 1, 0).then(phase="over")
    assert story.state.score.totals["Ana"] == total
    assert story.state.score.winners == ("Ana",)


@pytest.mark.parametrize(("value", "code"), [(21, "not_offered"), ("red", "not_a_hand")])
def test_a_hand_holds_coins_that_its_player_owns(value: Value, code: str) -> None:
    story = lit("3").seal(1, value).seal(2, 0).seal(3, 0)
    story.refused(Opened(1, value, NONCE), code, "L.bid")


def test_a_box_that_cannot_be_played_is_refused(tmp_path: Path) -> None:
    sold = (HERE / "box.toml").read_text("utf-8")
    other = tmp_path / "other.toml"
    other.write_text(sold.replace("10 = 1", "moon = 1"), "utf-8")
    with pytest.raises(
        Malformed, match=r"Expected `str` matching regex .* - at `key` in `\$\.cards`"
    ):
        load_box(other, LanternBox)
    assert sum(standard_box(LanternBox).tagged_pieces().values()) == 10


# The laws of every game.


def test_games_in_any_order_keep_every_law() -> None:
    machine = type("Whole_lanterns", (test_whole_games.WholeGame,), {"game": GAME})
    settings = test_whole_games.settings(test_whole_games.HYPOTHESIS, max_examples=pick(5, 15, 60))
    test_whole_games.run_state_machine_as_test(machine, settings=settings)


@pytest.mark.parametrize("readers", [True, False])
def test_seeded_games_keep_every_law(readers: bool) -> None:
    for seats, started in ((2, {}), (4, {"house_rules": {"coins_at_end": "a_tenth"}})):
        test_whole_games.test_seeded_games_keep_every_law(GAME, seats, started, readers)


def test_every_way_through_its_phases_is_gone() -> None:
    test_whole_games.test_every_way_through_the_phase_table_is_gone(GAME)


def test_nobody_is_sent_what_is_hidden_from_them() -> None:
    test_two_worlds.test_hidden_facts_change_no_byte_of_a_view(GAME)
    test_two_worlds.test_the_owner_sees_what_is_hidden_from_other_seats(GAME)
    test_two_worlds.test_the_first_hand_to_open_shows_nothing_until_the_last_one_does(GAME)


# At a real table.


class Bidders(Phones):
    """Phones on which up to four coins are bid."""

    def fist(self, seat: int) -> Value:
        return self.random.randint(0, min(4, self.state.players[seat - 1].coins))


def test_with_phones_alone_a_game_is_played_undone_resumed_and_proven(tmp_path: Path) -> None:
    table = Watched(tmp_path / "journal.sqlite3", GAME, readers=())
    phones = Bidders(table, Random(4))
    while table.state.pile > 6 or table.state.phase != "seal":
        assert phones.step() is None
    lit, at = table.state.lit, table.table.version
    while table.state.phase != "light":
        assert phones.step() is None
    table.do(2, Undone(at, "another lantern came up"))
    assert (table.state.phase, table.state.pile) == ("light", 7)
    assert lit in table.state.unseen_lanterns()
    table.pull_the_plug()
    assert table.resumed
    phones.play()
    assert table.state.score.winners
    record: Any = table.table.played.last_record()
    assert prove_record(parse_record(to_bytes(record))).history.is_over
    table.journal.close()


def test_a_reader_lights_the_lantern_and_asks_for_it_to_be_taken_away(tmp_path: Path) -> None:
    table = Watched(tmp_path / "journal.sqlite3", GAME)
    table.lay("7", 1)
    assert table.last() == ("reader 1", "lantern_lit")
    assert table.state.phase == "seal"
    tag = table.lay("9", 1)
    assert table.todos() == ["Place 1: 1\u00a0card too many. Take it off."]
    table.lift(tag)
    table.close(3, 2, 0).show(3, 2, 0)
    assert table.todos() == ["Place 1 still holds 1\u00a0card: take them off."]
    table.clear(1)
    assert table.todos() == []
    table.lay("9", 1)
    assert table.state.lit == "9"
    table.journal.close()


def test_every_phase_is_on_every_screen_and_phones_offer_what_may_be_done() -> None:
    pages.test_every_phase_is_shown_on_every_screen_in_every_language("lanterns")
    pages.test_a_phone_asks_for_all_that_its_seat_may_do_and_all_it_offers_is_granted("lanterns")


def test_the_facts_of_its_blocks_do_not_tell_what_is_hidden(tmp_path: Path) -> None:
    """It brings no template, so this is about the default ones."""
    assert not (find_game(GAME).folder / "templates").exists()
    blocks.test_the_facts_of_every_block_are_equal_in_two_worlds(GAME, tmp_path)


def test_the_command_line_knows_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", GAME]) == 0
    assert "L.alone" in capsys.readouterr().out


# The document.


def test_every_file_and_name_that_the_document_names_is_there() -> None:
    files = dict(re.findall(r"^\| `(\w+\.\w+)` \| (.*?) \|", TEXT, re.MULTILINE))
    assert files.keys() == {"box.toml", "rules.py", "game.py"}
    for name, said in files.items():
        source = (HERE / name).read_text("utf-8")
        for word in re.findall(r"`([A-Za-z_]\w+)`", said):
            assert re.search(rf"\b{word}\b", source), (name, word)
    for path in re.findall(r"`((?:companion|web|hardware|tests)/[\w/.]+)`", TEXT):
        assert (ROOT / path).exists(), path


def test_the_code_in_the_document_is_that_of_the_game() -> None:
    for code in re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL):
        assert code in (HERE / "game.py").read_text("utf-8")
    assert set(re.findall(r"\bL\.\w+", TEXT)) <= find_game(GAME).rules.rules.keys()


def test_it_is_as_short_as_it_is_said_to_be() -> None:
    written = [
        path.read_text("utf-8") for path in HERE.iterdir() if path.suffix in (".py", ".toml")
    ]
    assert sum(text.count("\n") for text in written) <= 200
