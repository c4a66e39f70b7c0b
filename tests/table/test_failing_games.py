"""A game whose own code raises while it is played: told in one sentence, and the table goes on."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.core.errors import Refusal
from companion.core.i18n import get_language
from companion.games.new_game import NewGame
from companion.table.faults import FAILED
from tests.worlds.campaign import pick
from tests.worlds.failing_game import NOT_SHOWN, SECRET, SENTENCES, FailingTable, failing_table

RULES = (
    "apply", "refuse", "list_options", "public_view", "private_view", "expected_cards",
    "awaited_seats", "describe_phase",
)  # fmt: skip
PLAYED = (*RULES, "infer_events", "receiving_places", "bot", "make_move", "clear_up")
NONSENSE = ("public_view", "list_options", "expected_cards", "apply")
FAILURES = [*PLAYED, *(f"{name} answers nonsense" for name in NONSENSE)]
SHOWN = ("public_view", "public_view answers nonsense", "awaited_seats", "describe_phase")
"""What is asked again only after an event which the game can apply."""
ON_THEIR_OWN = ("infer_events", "receiving_places", "clear_up")
"""Where the game goes on by other ways: bots tap what no reader noticed."""


@pytest.fixture
def fog(tmp_path: Path) -> Iterator[FailingTable]:
    with failing_table(tmp_path) as table:
        yield table


def failures(caplog: pytest.LogCaptureFixture) -> list[str]:
    lines = [record.getMessage() for record in caplog.records]
    return [line for line in lines if line.startswith("game_failed ")]


def says(table: FailingTable) -> list[str]:
    return [get_language("en")(said) for said in table.table.faults.messages()]


@pytest.mark.parametrize("where", pick(FAILURES[::3], FAILURES, FAILURES))
def test_the_table_stands_still_and_goes_on_once_the_game_does(
    where: str, fog: FailingTable, caplog: pytest.LogCaptureFixture
) -> None:
    fog.turn_until(lambda state: state.phase == "fill" and state.hands.round == 2)
    before, lines = fog.table.history, fog.lines
    fog.fails.add(where)
    with caplog.at_level(logging.INFO):
        fog.turn(20)
    if where not in ON_THEIR_OWN:
        assert fog.lines <= lines + (where in SHOWN)
        assert where in SHOWN or fog.table.history == before
    is_ours = where == "public_view answers nonsense"
    assert says(fog) in ([[FAILED]] if is_ours else ([SENTENCES["en"]], [NOT_SHOWN["en"]]))
    assert len(failures(caplog)) == len(set(failures(caplog)))
    assert is_ours != bool(failures(caplog))
    assert all(line.split()[1] == f"game={fog.name}" for line in failures(caplog))
    assert SECRET not in caplog.text
    fog.fails.clear()
    fog.turn_until(lambda state: state.hands.round == 4)
    assert says(fog) == []


def test_a_game_that_fails_in_another_step_does_not_end_the_program(fog: FailingTable) -> None:
    fog.others.append(lambda: fog.table.rules.describe_phase(fog.table.state))
    fog.turn_until(lambda state: state.phase == "fill")
    fog.fails.add("describe_phase")
    fog.turn()
    assert len(says(fog)) == 1


def test_the_log_names_the_line_of_the_game_whatever_raised_below_it(
    fog: FailingTable, caplog: pytest.LogCaptureFixture
) -> None:
    fog.turn_until(lambda state: state.phase == "fill")
    fog.fails.add("list_options")
    with caplog.at_level(logging.INFO):
        fog.turn(5)
    [line] = failures(caplog)
    asked = f"game={fog.name} asked=view error=ValueError at={fog.name}_game/__init__.py:"
    assert line.startswith(f"game_failed {asked}")


@pytest.mark.parametrize("where", RULES)
def test_a_game_that_fails_at_once_is_not_begun(where: str, fog: FailingTable) -> None:
    assert fog.evening.host.reset_table() is None
    fog.fails.add(where)
    refused = fog.evening.host.begin_game(NewGame(fog.name, ("Ana", "Ben", "Cleo")))
    assert isinstance(refused, Refusal)
    assert refused.code == "failed"
    assert {code: get_language(code)(refused.say) for code in SENTENCES} == SENTENCES
    assert fog.table.state is None


def test_a_game_that_cannot_be_resumed_does_not_keep_the_table_down(fog: FailingTable) -> None:
    fog.turn_until(lambda state: state.hands.round == 2)
    id, lines = fog.table.state.id, fog.lines
    fog.close()
    fog.fails.add("apply")
    fog.open()
    assert fog.table.state is None
    assert says(fog) == [SENTENCES["en"]]
    fog.close()
    fog.fails.clear()
    fog.open()
    assert (fog.table.state.id, fog.lines) == (id, lines)
