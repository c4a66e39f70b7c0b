"""The boxes: counts, values, colours and house rules, loaded from files.

Law: a box is data in a file and is checked when it is loaded. No number of a game is written in
code, so a box that differs is another file. A box declares what it needs; one from outside declares
its folder, too.
"""

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, ClassVar, TypeVar

import msgspec

from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.core.json_values import JsonObject

BOXES = Path(__file__).parents[1] / "boxes"
FIGURE = "figure"
TILE = "tile "

Count = Annotated[int, msgspec.Meta(ge=1, le=1_000)]
Money = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]


class Box(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The fields of every box; `answers` are the ways in which the rules can play its house rules.

    `folder` is where its file lies, `package` where the package of its game is.
    """

    answers: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    folder: ClassVar[Path] = BOXES
    package: ClassVar[str] = "companion.games"

    game: str
    title: str
    author: str
    publisher: str
    year: int
    players: "PlayerCount"
    house_rules: dict[str, tuple[str, ...]] = {}
    pieces: dict[str, Count] = {}

    def default_house_rules(self) -> dict[str, str]:
        """Return every house rule with its default answer."""
        return {name: choices[0] for name, choices in self.house_rules.items()}

    def tagged_pieces(self) -> dict[str, int]:
        """Return how often the box holds each piece with a tag, in the order of unpacking."""
        raise NotImplementedError

    def find_problems(self) -> list[str]:
        """Return one sentence for each fault of the file."""
        raise NotImplementedError


class PlayerCount(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many people the box seats."""

    least: Annotated[int, msgspec.Meta(ge=1, le=6)]
    most: Annotated[int, msgspec.Meta(ge=1, le=6)]


class BankueberfallBox(Box, frozen=True):
    """Banküberfall: money and character cards, action tiles, coins."""

    answers: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "shortfall": ("continue", "stop"),
        "final_direction": ("right_hand", "clockwise"),
    }

    banks: Count
    hand: Count
    purse: Count
    reward: Count
    cards: dict[str, Count]
    tiles: dict[str, Count]

    def tagged_pieces(self) -> dict[str, int]:
        tiles = {TILE + tile: n for tile, n in self.tiles.items()}
        return {**self.cards, **tiles, FIGURE: self.pieces.get("figures", 1)}

    def find_problems(self) -> list[str]:
        known = {"x", "seductress", "policeman", "detective", "thief"}
        odd = [card for card in self.cards if card not in known and not card.isdecimal()]
        problems = [f"cards.{card} is neither money nor a character" for card in odd]
        problems += [f"tiles.{tile} is no tile of this game"
                     for tile in self.tiles if tile not in TILES]  # fmt: skip
        problems += [f"tiles.{tile} is missing" for tile in TILES if tile not in self.tiles]
        if self.banks < self.players.most:
            problems.append("banks are fewer than players.most, and everyone sits behind one")
        if sum(self.cards.values()) < self.banks + self.players.most * self.hand:
            problems.append("cards are too few to deal every hand and one to each bank")
        return problems


class Track(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The value track of Banque Fatale, in millions."""

    least: Count
    most: Count
    start: Count
    up: Count
    down: Count
    fall: Count
    bonus: dict[int, Count]


class BanqueFataleBox(Box, frozen=True):
    """Banque Fatale: cards of one or two colours, chips of every colour, money."""

    answers: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "unplayed": ("to_minimum", "minus_two"),
        "sale_ban": ("just_won", "just_risen"),
        "chips_at_end": ("one_million", "nothing"),
    }

    colours: tuple[str, ...]
    open_cards: Count
    chips_each: Count
    cards: tuple[str, ...]
    chips: dict[str, Count]
    track: Track
    money: dict[int, Count]

    def tagged_pieces(self) -> dict[str, int]:
        return dict(Counter(self.cards))

    def find_problems(self) -> list[str]:
        problems = [f"cards names “{card}”, which is not made of one or two colours"
                    for card in self.cards
                    if not 1 <= len(card.split("-")) <= 2
                    or not set(card.split("-")) <= set(self.colours)]  # fmt: skip
        problems += _find_doubles("cards", self.cards) + _find_doubles("colours", self.colours)
        if sum("-" not in card for card in self.cards) < self.players.most:
            problems.append("cards of a single colour are too few to deal one to each player")
        if len(self.cards) < self.players.most + self.open_cards:
            problems.append("cards are too few to deal one to each player and lay open_cards")
        if self.open_cards > MOST_OPEN_CARDS:
            problems.append(f"open_cards is more than the {MOST_OPEN_CARDS} places for them")
        if set(self.chips) != set(self.colours):
            problems.append("chips must name every colour once")
        if any(n < self.chips_each * self.players.most for n in self.chips.values()):
            problems.append("chips are too few for every player")
        track = self.track
        lowest, highest = (end(track.bonus, default=track.most) for end in (min, max))
        if not track.least <= track.start < lowest <= highest <= track.most:
            problems.append("track must hold start, and bonus above it")
        return problems


class RobbySoloBox(Box, frozen=True):
    """Robby Solo: banks, a robbery card for each, and a deck of loot."""

    banks: tuple[str, ...]
    robbery_cards: Count
    police: Count
    object_scores: tuple[Money, ...]
    loot: dict[str, Count]

    def tagged_pieces(self) -> dict[str, int]:
        return dict(self.loot)

    def find_problems(self) -> list[str]:
        problems = [f"loot.{card} is neither money nor object"
                    for card in self.loot if card != "object" and not card.isdecimal()]  # fmt: skip
        problems += _find_doubles("banks", self.banks)
        if self.robbery_cards < self.players.most:
            problems.append("robbery_cards must be one for each player")
        if len(self.banks) <= self.players.most:
            problems.append("banks must be one more than the players")
        if len(self.object_scores) <= self.loot.get("object", 0):
            problems.append("object_scores must reach as far as the objects do")
        return problems


BOX_TYPES: dict[str, type[Box]] = {
    "bankueberfall": BankueberfallBox,
    "banque_fatale": BanqueFataleBox,
    "robby_solo": RobbySoloBox,
}

MOST_OPEN_CARDS = 3
TILES = ("place", "spy", "reveal", "rob")

B = TypeVar("B", bound=Box)


@cache
def standard_box(box_type: type[B]) -> B:
    """Load the box as it is sold."""
    name = next(game for game, known in BOX_TYPES.items() if known is box_type)
    return load_box(box_type.folder / f"{name}.toml", box_type)


def load_box(path: Path, box_type: type[B]) -> B:
    """Load and check a box file; raise Malformed with the fault."""
    try:
        found = msgspec.convert(
            _convert_number_keys(tomllib.loads(path.read_text("utf-8"))), box_type
        )
    except (OSError, ValueError, RecursionError, msgspec.ValidationError) as fault:
        raise Malformed(path.name, N_("{field} is not a box: {reason}."), reason=fault) from None
    for problem in _find_problems(found):
        raise Malformed(path.name, N_("{field} is not a box: {reason}."), reason=problem)
    return found


def _convert_number_keys(data: JsonObject) -> JsonObject:
    """Convert the keys of `bonus` and `money`, which TOML writes as text, to amounts."""
    for table, key in ((data.get("track", {}), "bonus"), (data, "money")):
        if isinstance(table, dict) and isinstance(table.get(key), dict):
            table[key] = {int(k) if k.isdecimal() else k: n for k, n in table[key].items()}
    return data


def _find_problems(box: Box) -> list[str]:
    problems = _check_house_rules(box.house_rules, box.answers)
    if box.players.least > box.players.most:
        problems.append("players.least is more than players.most")
    if box.game != next(game for game, kind in BOX_TYPES.items() if kind is type(box)):
        problems.append(f"game is “{box.game}”")
    return problems + box.find_problems()


def _check_house_rules(
    offered: Mapping[str, tuple[str, ...]], answers: Mapping[str, tuple[str, ...]]
) -> list[str]:
    problems = [f"house_rules.{name} is missing" for name in answers if name not in offered]
    problems += [f"house_rules.{name} is no house rule of this game"
                 for name in offered if name not in answers]  # fmt: skip
    problems += [f"house_rules.{name} offers no choice"
                 for name, choices in offered.items() if len(set(choices)) < 2]  # fmt: skip
    return problems + [
        f"house_rules.{name} cannot be “{choice}”"
        for name, choices in offered.items()
        for choice in choices
        if choice not in answers.get(name, choices)
    ]


def _find_doubles(field: str, names: Iterable[str]) -> list[str]:
    return [f"{field} has “{name}” more than once" for name, n in Counter(names).items() if n > 1]
