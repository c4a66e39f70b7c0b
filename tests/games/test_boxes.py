"""The boxes: what is in them, what a file must say, and a box that differs."""

from pathlib import Path
from typing import Any

import pytest

from companion.core.cards import Box, load_box, standard_box
from companion.core.errors import Malformed
from companion.core.events import Passed
from companion.games import find_game, make_rulebook
from companion.games.bankueberfall.rules import BankueberfallBox
from companion.games.banque_fatale.rules import BanqueFataleBox
from companion.games.robby_solo.rules import RobbySoloBox
from tests.games.test_bankueberfall import Bankers
from tests.games.test_banque_fatale import Salon
from tests.worlds.own_games import own_games

GAMES = sorted(own_games())


def text(game: str) -> str:
    return (find_game(game).folder / "box.toml").read_text("utf-8")


def changed(folder: Path, game: str, *changes: tuple[str, str]) -> Path:
    """A file that says the same as the box as it is sold, but for these words."""
    told = text(game)
    for old, new in changes:
        assert old in told, old
        told = told.replace(old, new)
    path = folder / "mine.toml"
    path.write_text(told, "utf-8")
    return path


def fault(path: Path, kind: type[Box]) -> str:
    """What is said of a broken box; always one sentence that names the file."""
    with pytest.raises(Malformed) as caught:
        load_box(path, kind)
    said = str(caught.value)
    assert said.startswith(f"{path.name} is not a box: ")
    assert said.endswith(".")
    assert "\n" not in said
    return said


# As they are sold.


@pytest.mark.parametrize("game", GAMES)
def test_every_box_loads_and_is_the_one_its_game_is_played_with(game: str) -> None:
    sold: Any = find_game(game).standard_box()
    assert sold.game == game
    assert make_rulebook(game).box is sold
    assert sold.title
    assert sold.author
    assert sold.publisher


def test_bankueberfall_has_45_cards_7_tiles_and_85_coins() -> None:
    sold = standard_box(BankueberfallBox)
    assert sum(sold.cards.values()) == 45
    assert sum(sold.tiles.values()) == 7
    assert sold.pieces["coins"] == 85
    money = {card: n for card, n in sold.cards.items() if card.isdecimal()}
    assert money == {"2": 4, "3": 4, "4": 4, "5": 11, "10": 2}
    characters = {card: n for card, n in sold.cards.items() if card not in money}
    assert characters == dict.fromkeys(["x", "seductress", "policeman", "detective", "thief"], 4)
    assert sold.tiles == {"place": 4, "spy": 1, "reveal": 1, "rob": 1}
    assert (sold.banks, sold.players.least, sold.players.most) == (5, 2, 5)


def test_banque_fatale_has_40_chips_16_cards_and_52_pieces_of_money() -> None:
    sold = standard_box(BanqueFataleBox)
    assert sold.chips == dict.fromkeys(["red", "yellow", "green", "blue", "orange"], 8)
    assert len(sold.cards) == len(set(sold.cards)) == 16
    kinds = [len(set(card.split("-"))) + ("-" in card) for card in sold.cards]
    assert (kinds.count(1), kinds.count(3), kinds.count(2)) == (5, 10, 1)
    assert sold.money == {1: 13, 2: 13, 5: 13, 10: 13}
    assert (sold.track.least, sold.track.start, sold.track.most) == (2, 6, 12)
    assert sold.track.bonus == {11: 5, 12: 6}
    assert (sold.players.least, sold.players.most) == (3, 4)


def test_robby_solo_has_7_banks_42_robbery_cards_and_61_loot_cards() -> None:
    sold = standard_box(RobbySoloBox)
    assert len(sold.banks) == 7
    assert len(sold.banks) * sold.robbery_cards == 42
    assert sum(sold.loot.values()) == 61
    assert sold.object_scores == (0, 1000, 10000, 20000, 40000, 60000, 80000, 100000)
    assert (sold.players.least, sold.players.most) == (3, 6)


# A box that differs is a different file.


def test_a_box_with_four_banks_and_a_hand_of_three_plays_by_its_own_numbers(tmp_path: Path) -> None:
    path = changed(
        tmp_path, "bankueberfall",
        ("banks = 5", "banks = 4"), ("hand = 5", "hand = 3"), ("purse = 10", "purse = 6"),
        ("reward = 5", "reward = 2"), ("most = 5", "most = 4"), ("place = 4", "place = 2"),
        ("5 = 11", "5 = 3\n6 = 1"),
    )  # fmt: skip
    story = Bankers("Ana", "Ben", box=load_box(path, BankueberfallBox))
    story.then(pile=38 - 4 - 2 * 3, tiles={"place": 2, "spy": 1, "reveal": 1, "rob": 1})
    assert [player.hand for player in story.state.players] == [3, 3]
    story.turn("place").refused("card_placed seat=1 bank=5", "no_such_bank", "B.place")
    story.when('card_placed seat=1 bank=4 card="6"').at(2, "policeman").rob(0, 3, bank=2)
    assert story.coins == {"Ana": 8, "Ben": 6}
    story.when("bank_refilled bank=2").given(pile=0)
    for _ in range(5):
        story.given(tiles={"place": 1, "spy": 1, "reveal": 1, "rob": 1}).place(1, "6")
    story.then(phase="seal", figure=1, finals=(4, 3, 2))


def test_a_smaller_banque_fatale_plays_by_its_own_numbers(tmp_path: Path) -> None:
    path = changed(
        tmp_path, "banque_fatale",
        ("chips_each = 2", "chips_each = 1"), ("start = 6", "start = 5"), ("up = 2", "up = 3"),
        ("11 = 5, 12 = 6", "8 = 4"), ('    "red-red",\n', ""), ("open_cards = 3", "open_cards = 2"),
    )  # fmt: skip
    story = Salon("Ana", "Ben", "Cleo", box=load_box(path, BanqueFataleBox)).then(pile=12)
    for seat, card in enumerate(("red", "yellow", "green"), 1):
        story.when(f'card_dealt seat={seat} card="{card}"')
    story.when('card_turned card="blue"', 'card_turned card="red-blue"').then(phase="choose")
    story.auction("red-blue", {"red": 1}, {"red": 1}, {})
    assert story.cash == [8, 0, 0]
    assert story.state.values["red"] == 5


def test_a_robby_solo_with_other_banks_and_loot_is_enrolled_as_it_is(tmp_path: Path) -> None:
    path = changed(tmp_path, "robby_solo", ("9000 = 6", "9500 = 2"), ('"khaki"', '"orange"'))
    mine = load_box(path, RobbySoloBox)
    assert sum(mine.loot.values()) == 57
    rules = make_rulebook("robby_solo", mine)
    six = tuple("ABCDEF")
    state = rules.apply(None, rules.start_event(id="mine", players=len(six)))
    assert list(state.banks) == ["yellow", "green", "red", "blue", "grey", "purple", "orange"]
    assert rules.refuse(state, Passed(1)) is not None


# A broken box is one sentence, naming the file and the field.


@pytest.mark.parametrize(
    ("game", "old", "new", "field"),
    [
        ("bankueberfall", "hand = 5", "", "hand"),
        ("bankueberfall", "hand = 5", "hand = 5\nfoot = 2", "foot"),
        ("bankueberfall", "hand = 5", "hand = 0", "$.hand"),
        ("bankueberfall", "hand = 5", "hand = -5", "$.hand"),
        ("bankueberfall", "hand = 5", "hand = 5.5", "$.hand"),
        ("bankueberfall", "hand = 5", "hand = true", "$.hand"),
        ("bankueberfall", "hand = 5", 'hand = "five"', "$.hand"),
        ("bankueberfall", "hand = 5", "hand = 9", "cards are too few"),
        ("bankueberfall", "banks = 5", "banks = 4", "banks are fewer than players.most"),
        ("bankueberfall", "thief = 4", "bandit = 4", "cards.bandit"),
        ("bankueberfall", "thief = 4", "thief = 0", "$.cards"),
        ("bankueberfall", "spy = 1", "peek = 1", "tiles.peek"),
        ("bankueberfall", "spy = 1\n", "", "tiles.spy is missing"),
        ("bankueberfall", "least = 2", "least = 6", "players.least"),
        ("bankueberfall", "most = 5", "most = 7", "$.players.most"),
        ("bankueberfall", 'game = "bank', 'game = "sparschwein', "game"),
        ("banque_fatale", '"red-red"', '"red-pink"', "cards names “red-pink”"),
        ("banque_fatale", '"red-red"', '"red-green-blue"', "cards names “red-green-blue”"),
        ("banque_fatale", '"red-red"', '"red-blue"', "cards has “red-blue” more than once"),
        ("banque_fatale", '"red", "yellow", "green", "blue", "orange",', "", "single colour"),
        ("banque_fatale", "open_cards = 3", "open_cards = 13", "open_cards"),
        ("banque_fatale", "chips_each = 2", "chips_each = 3", "chips are too few"),
        ("banque_fatale", "orange = 8", "pink = 8", "chips must name every colour"),
        ("banque_fatale", "start = 6", "start = 1", "track"),
        ("banque_fatale", "start = 6", "start = 11", "track"),
        ("banque_fatale", "12 = 6", "13 = 6", "track"),
        ("banque_fatale", "12 = 6", "twelve = 6", "$.track.bonus"),
        ("banque_fatale", "[track]", "[[track]]", "$.track"),
        ("banque_fatale", "1 = 13", "one = 13", "$.money"),
        ("robby_solo", "9000 = 6", "gold = 6", "loot.gold"),
        ("robby_solo", ', "khaki"', "", "banks must be one more"),
        ("robby_solo", ', "khaki"', ', "red"', "banks has “red” more than once"),
        ("robby_solo", "robbery_cards = 6", "robbery_cards = 5", "robbery_cards"),
        ("robby_solo", ", 100000", "", "object_scores"),
        ("robby_solo", "[0, 1000", "[-1, 1000", "$.object_scores[0]"),
    ],
)
def test_a_wrong_field_is_named(tmp_path: Path, game: str, old: str, new: str, field: str) -> None:
    path = changed(tmp_path, game, (old, new))
    assert field in fault(path, find_game(game).box)


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("hand = 5", "hand = ", "line 13"),
        ("hand = 5", "hand = 5\nhand = 5", "line 14"),
        ("[cards]", "[cards", "line"),
        ("hand = 5", "hand = " + "9" * 5000, "digits"),
        ("hand = 5", "hand = " + "[" * 5000, "recursion"),
    ],
)
def test_a_file_that_is_not_toml_says_where(tmp_path: Path, old: str, new: str, place: str) -> None:
    assert place in fault(changed(tmp_path, "bankueberfall", (old, new)), BankueberfallBox)


def test_a_file_that_is_no_text_or_not_there_is_said(tmp_path: Path) -> None:
    garbled = tmp_path / "garbled.toml"
    garbled.write_bytes(b"\xff\xfe\x00")
    assert "utf-8" in fault(garbled, BankueberfallBox)
    assert "No such file" in fault(tmp_path / "absent.toml", BankueberfallBox)
    empty = tmp_path / "empty.toml"
    empty.touch()
    assert "game" in fault(empty, RobbySoloBox)


@pytest.mark.parametrize("game", GAMES)
def test_the_box_of_one_game_is_not_taken_for_another(game: str, tmp_path: Path) -> None:
    path = changed(tmp_path, game)
    for other in GAMES:
        if other != game:
            fault(path, find_game(other).box)
