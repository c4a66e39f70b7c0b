"""Events: frozen facts that read back from what is written."""

import types
from collections.abc import Iterator
from functools import reduce
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import Malformed
from companion.core.events import from_fields, to_json
from companion.games import make_rulebook
from tests.worlds.campaign import pick
from tests.worlds.own_games import own_games

GAMES = sorted(own_games())
BANKUEBERFALL = make_rulebook("bankueberfall").event_types
NUMBERS = st.integers(-(2**53), 2**53)
DEEP: Any = reduce(lambda inside, _: {"red": inside}, range(50_000), 1)
SCALARS: dict[Any, st.SearchStrategy[Any]] = {
    int: NUMBERS,
    str: st.text(),
    bool: st.booleans(),
    type(None): st.none(),
}


def kinds() -> Iterator[tuple[str, type[Any]]]:
    """Every game with each of its events."""
    for game in GAMES:
        for kind in get_args(make_rulebook(game).event_types):
            yield game, kind


def written(hint: Any) -> st.SearchStrategy[Any]:
    """Draw any value of this field's type."""
    if hint in SCALARS:
        return SCALARS[hint]
    if get_origin(hint) is Literal:
        return st.sampled_from(get_args(hint))
    inside = [written(part) for part in get_args(hint) if part is not ...]
    if get_origin(hint) in (Union, types.UnionType):
        return st.one_of(inside)
    if get_origin(hint) is dict:
        return st.dictionaries(*inside, max_size=4)
    assert get_origin(hint) is tuple, hint
    if ... not in get_args(hint):
        return st.tuples(*inside)
    return st.lists(inside[0], max_size=4).map(tuple)


@pytest.mark.parametrize(
    ("game", "kind"), list(kinds()), ids=lambda case: getattr(case, "__name__", case)
)
@settings(max_examples=pick(20, 60, 400))
@given(data=st.data())
def test_every_event_reads_back_from_its_json(
    game: str, kind: type[Any], data: st.DataObject
) -> None:
    hints = get_type_hints(kind)
    fields = {name: written(hints[name]) for name in kind.__struct_fields__}
    event = data.draw(st.builds(kind, **fields))
    events = make_rulebook(game).event_types
    read = msgspec.json.decode(to_json(event), type=events)
    assert read == event
    assert type(read) is kind


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"event": "walked", "seat": 1}, "“walked” is not an event: Invalid value 'walked'"),
        ({"event": "w" * 100_000}, f"“{'w' * 39}…” is not an event: Invalid value '{'w' * 104}…."),
        ({"event": "passed"}, "missing required field `seat`"),
        ({"event": "passed", "seat": 1, "bank": 2}, "unknown field `bank`"),
        ({"event": "passed", "seat": 1.5}, "at `$.seat`"),
        ({"event": "passed", "seat": None}, "at `$.seat`"),
        ({"event": "entered", "seat": 1, "value": {"red": 0.5}}, "at `$.value"),
        ({"event": "started", "id": "\ud800", "players": 0}, "UnicodeEncodeError"),
        ({}, ""),
        ({"event": []}, ""),
        ({"event": "entered", "seat": 1, "value": 10**5000}, ""),
        ({"event": "entered", "seat": 1, "value": DEEP}, ""),
        ({"event": "sealed", "seat": 1, "seal": b"a"}, ""),
    ],
)
def test_a_malformed_event_is_one_sentence_that_names_the_place(
    fields: dict[str, Any], named: str
) -> None:
    with pytest.raises(Malformed) as caught:
        from_fields(fields, BANKUEBERFALL)
    said = str(caught.value)
    assert named in said
    assert said.endswith(".")
    assert "\n" not in said
    assert len(said) < 200
