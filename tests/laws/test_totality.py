"""`apply` is total: whatever is claimed to have happened, in whatever game, nothing breaks."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import Malformed
from companion.core.events import Event, from_fields
from companion.core.i18n import LANGUAGES, get_language
from companion.games import make_rulebook
from tests.worlds.campaign import pick
from tests.worlds.own_games import own_games
from tests.worlds.rulebook_players import SETUPS, SWEPT, Evening

WORDS = ("", "5", "x", "thief", "rob", "place", "red", "red-blue", "yellow", "object", "nobody")
NUMBERS = st.integers(-2, 12) | st.just(10**9)
CHIPS = st.dictionaries(st.sampled_from(("red", "blue", "pink")), st.integers(-1, 9), max_size=3)

FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "seat": NUMBERS,
    "bank": NUMBERS | st.sampled_from(WORDS),
    "slot": NUMBERS,
    "value": NUMBERS | st.sampled_from(WORDS) | CHIPS,
    "card": st.sampled_from(WORDS) | st.sampled_from((1000, 9000, 123)) | st.none(),
    "colour": st.sampled_from(WORDS),
    "tile": st.sampled_from(WORDS),
    "will": st.booleans(),
    "seal": st.sampled_from(("", "0" * 64, "g" * 64)),
    "nonce": st.sampled_from(("", "0" * 32, "x")),
    "id": st.just("g"),
    "players": st.integers(-2, 9),
    "first": NUMBERS,
    "drawn": st.booleans(),
    "rules": st.integers(0, 2),
    "house_rules": st.dictionaries(st.sampled_from(("shortfall", "x")), st.just("stop")),
    "front": st.lists(NUMBERS, max_size=5).map(tuple),
    "junior": st.booleans(),
    "sweep": st.sampled_from(("", "doubtful", "always", "x")),
    "banks": st.lists(st.sampled_from(WORDS), max_size=8).map(tuple),
}


def some_event(game: str) -> st.SearchStrategy[Event]:
    rules = make_rulebook(game)
    kinds = [rules.start_event, *dict.fromkeys(row.event for row in rules.rows)]
    return (
        st.one_of([_fields(kind) for kind in kinds])
        .map(lambda fields: _read(fields, rules.event_types))
        .filter(bool)
    )


def _fields(kind: Any) -> st.SearchStrategy[dict[str, Any]]:
    fields = {field: FIELDS[field] for field in kind.__struct_fields__}
    return st.fixed_dictionaries({"event": st.just(kind.__struct_config__.tag), **fields})


def _read(fields: dict[str, Any], kinds: Any) -> Event | None:
    """The event, where the fields are of the right sort; others never get past the door."""
    try:
        return from_fields(fields, kinds)  # type: ignore[no-any-return]
    except Malformed:
        return None


@pytest.mark.parametrize("game", own_games())
def test_every_claimed_event_is_applied_or_leaves_the_game_as_it_was(game: str) -> None:
    states = _states(game)

    @settings(max_examples=pick(200, 1500, 10_000))
    @given(event=some_event(game), at=st.integers(0, len(states) - 1))
    def claimed(event: Event, at: int) -> None:
        rules, state = make_rulebook(game), states[at]
        refused = rules.refuse(state, event)
        after = rules.apply(state, event)
        assert (after is state) == (refused is not None)
        if refused is not None:
            sentences = {get_language(code)(refused.say) for code in LANGUAGES}
            assert all(sentence.endswith((".", ":")) for sentence in sentences), sentences
            assert refused.code
            assert refused.rule

    claimed()


def _states(game: str) -> list[Any]:
    """Every state of a few games, and the moment before the first event."""
    found: list[Any] = [None]
    for seed, (name, seats, started) in enumerate([*SETUPS, *SWEPT]):
        if name == game:
            evening = Evening(game, Random(seed), seats, seed % 2 == 0, **started)
            found += evening.play().states[1:]
    return found
