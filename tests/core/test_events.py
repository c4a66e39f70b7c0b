"""Events: frozen facts with two written forms that say the same."""

import types
from collections.abc import Iterator
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import Malformed
from companion.core.events import Passed, Started, from_fields, from_text, to_json, to_text
from companion.games import make_rulebook
from companion.games.bankueberfall.state import BankueberfallStarted, CardPlaced
from tests.worlds.campaign import pick
from tests.worlds.own_games import own_games

GAMES = sorted(own_games())
BANKUEBERFALL = make_rulebook("bankueberfall").event_types
NUMBERS = st.integers(-(2**53), 2**53)
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
def test_every_event_reads_back_from_its_text_and_from_its_json(
    game: str, kind: type[Any], data: st.DataObject
) -> None:
    hints = get_type_hints(kind)
    fields = {name: written(hints[name]) for name in kind.__struct_fields__}
    event = data.draw(st.builds(kind, **fields))
    events = make_rulebook(game).event_types
    text = to_text(event)
    assert text.splitlines() == [text]
    assert from_text(text, events) == event
    assert msgspec.json.decode(to_json(event), type=events) == event
    assert type(from_text(text, events)) is kind


def test_an_event_is_written_as_one_readable_line() -> None:
    assert to_text(CardPlaced(2, 3, "5")) == 'card_placed seat=2 bank=3 card="5"'
    assert to_text(CardPlaced(2, 3)) == "card_placed seat=2 bank=3"
    assert to_json(CardPlaced(2, 3, "5")) == b'{"event":"card_placed","seat":2,"bank":3,"card":"5"}'


def test_texts_with_quotes_spaces_and_line_breaks_stay_on_one_line() -> None:
    for id in ('Jo "Ace" Ø', "tab\there", "two\nlines", "\u2028\x85", "a b=c"):
        _stays_on_one_line(BankueberfallStarted(id, 2))


def _stays_on_one_line(event: BankueberfallStarted) -> None:
    text = to_text(event)
    assert text.splitlines() == [text]
    assert from_text(text, BANKUEBERFALL) == event


def test_an_event_is_frozen() -> None:
    with pytest.raises(AttributeError):
        Passed(1).seat = 2  # type: ignore[misc]


def test_a_start_of_one_game_is_not_read_as_that_of_another() -> None:
    started = to_text(make_rulebook("bankueberfall").start_event("g", 2, front=(1, 2)))
    with pytest.raises(Malformed, match="front"):
        from_text(started, make_rulebook("banque_fatale").event_types)
    assert isinstance(from_text('started id="g" players=0', BANKUEBERFALL), Started)


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("", "does not begin with the name of an event"),
        ("Passed seat=1", "“Passed seat=1” does not begin"),
        ("=1", "“=1” does not begin"),
        ("passed seat", "“seat” is not of the form field=value"),
        ("passed seat=", "“seat=” is not of the form"),
        ("passed seat=one", "“seat=one” is not of the form"),
        ("passed  seat=1", "“seat=1” is not of the form"),
        ("passed seat=1seat=2", "“seat=2” is not of the form"),
        ("passed seat=1 seat=1", "“seat=1” is not of the form"),
        ("passed seat=1 ", "“passed seat=1” is not of the form"),
        ("passed seat=1\n", "“passed seat=1” is not of the form"),
        ('card_placed seat=1 bank=2 card="5', "“card=\"5” is not of the form"),
        ("passed seat=" + "[" * 100_000, "is not of the form"),
        ("passed seat=" + "9" * 5_000, "is not of the form"),
        ('started id="\\ud800" players=0', "is not of the form"),
        ('entered seat=1 value={"red":1,"red":2}', "is not of the form"),
        ("walked seat=1", "“walked” is not an event: Invalid value 'walked'"),
        ("passed", "missing required field `seat`"),
        ("passed seat=1 bank=2", "unknown field `bank`"),
        ('card_placed seat=1 bank=2 cards="5"', "unknown field `cards`"),
        ("passed seat=1.5", "at `$.seat`"),
        ("passed seat=true", "at `$.seat`"),
        ("passed seat=null", "at `$.seat`"),
        ("passed seat=NaN", "at `$.seat`"),
        ('passed seat="1"', "at `$.seat`"),
        ("entered seat=1 value=[1]", "at `$.value`"),
        ('entered seat=1 value={"red":0.5}', "at `$.value"),
        ('started id="g" players="Ana"', "at `$.players`"),
        ('started id="g" players=2 front=[1,"Ana"]', "at `$.front[1]`"),
    ],
)  # fmt: skip
def test_a_malformed_line_is_one_sentence_that_names_the_place(line: str, named: str) -> None:
    with pytest.raises(Malformed) as caught:
        from_text(line, BANKUEBERFALL)
    said = str(caught.value)
    assert named in said
    assert said.endswith(".")
    assert "\n" not in said
    assert len(said) < 200


def test_fields_from_elsewhere_are_checked_alike() -> None:
    assert from_fields({"event": "passed", "seat": 1}, BANKUEBERFALL) == Passed(1)
    for fields in ({}, {"event": 3}, {"event": "passed", "seat": "1"}, {"seat": 1}):
        with pytest.raises(Malformed, match="is not an event"):
            from_fields(fields, BANKUEBERFALL)
