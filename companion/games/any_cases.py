"""What the cases of a game are made of that declares none: the types of its state and players."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Literal, NamedTuple, get_type_hints

import msgspec
from msgspec import UNSET, Struct, UnsetType, defstruct

from companion.core.events import Value
from companion.core.json_values import JsonObject
from companion.games.game_state import PlainState
from companion.judge.contract import AnyCase, CasePart, HouseRules, Names, OpenWord

COMMON = frozenset(PlainState.__struct_fields__)


class StateTypes(NamedTuple):
    """The types of what the state of a game has besides what every state has, and of what each of
    its players has besides a name."""

    table: Mapping[str, Any]
    fortune: Mapping[str, Any]


def shape_of(state: Any) -> StateTypes:
    """Return the shape of a game from one of its states."""
    return StateTypes(_own_types(state, COMMON), _own_types(state.players[0], ("name",)))


def _own_types(holder: Any, without: Collection[str]) -> dict[str, object]:
    hints = get_type_hints(type(holder))
    return {name: hints[name] for name in holder.__struct_fields__ if name not in without}


def case_types(game: str, kinds: Iterable[str], shape: StateTypes) -> dict[str, type[Struct]]:
    """Return what the cases of each of these kinds are made of."""
    title = "".join(word.capitalize() for word in game.split("_"))
    table = _part_type(game, f"{title}Table", shape.table)
    fortune = _part_type(game, f"{title}Fortune", shape.fortune)
    fields: list[Any] = [
        ("players", Names),
        ("active", OpenWord | UnsetType, UNSET),
        ("table", table | UnsetType, UNSET),
        ("funds", dict[str, fortune] | UnsetType, UNSET),  # type: ignore[valid-type]
        ("hands", dict[str, Value] | UnsetType, UNSET),
        ("move", JsonObject | UnsetType, UNSET),
        ("house_rules", HouseRules, UNSET),
    ]
    return {
        kind: defstruct(
            f"{title}{kind.capitalize()}",
            [("game", Literal[game]), ("kind", Literal[kind]), *fields],
            bases=(AnyCase,), module=game, frozen=True,
        )
        for kind in kinds
    }  # fmt: skip


def _part_type(game: str, name: str, types: Mapping[str, object]) -> type[Struct]:
    fields = [(field, _known_type(kind) | UnsetType, UNSET) for field, kind in types.items()]
    return defstruct(name, fields, bases=(CasePart,), module=game, frozen=True)


def _known_type(kind: object) -> object:
    """Return a type; anything for one that no schema can say."""
    try:
        msgspec.json.schema(kind)
    except (TypeError, ValueError):
        return Any
    return kind
