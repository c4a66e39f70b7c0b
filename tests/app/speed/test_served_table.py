"""The measured tables as processes: what they are ordered, and when they end."""

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from companion.app.speed.measure import serve_table
from companion.app.speed.played_game import PhoneKey, load_tapped_games
from companion.app.speed.served_table import SCREEN_LANGUAGES, Order
from companion.core.errors import Malformed
from companion.core.events import to_json


def order_in(folder: Path) -> Order:
    game = next(load_tapped_games(1))
    keys = [PhoneKey().public_key for _ in range(game.seats)]
    return Order(str(folder), game.game, msgspec.json.decode(to_json(game.start)), keys, 100)


def command_of(who: str) -> list[str]:
    return [sys.executable, "-m", "companion.app.speed.served_table", who]


@pytest.mark.parametrize("who", ["ours", "bare"])
def test_a_table_says_its_port_and_a_cookie_for_each_viewer(who: str, tmp_path: Path) -> None:
    order = order_in(tmp_path)
    with serve_table(command_of(who), order) as table:
        assert table.port > 1024
        assert len(table.cookies) == len(order.public_keys) + len(SCREEN_LANGUAGES)


@pytest.mark.parametrize("who", ["ours", "bare"])
def test_a_table_ends_with_the_process_that_ordered_it(who: str, tmp_path: Path) -> None:
    line = msgspec.json.encode(order_in(tmp_path)) + b"\n"
    pipe = subprocess.PIPE
    with subprocess.Popen(command_of(who), stdin=pipe, stdout=pipe) as table:
        assert table.stdin is not None
        assert table.stdout is not None
        table.stdin.write(line)
        table.stdin.flush()
        assert table.stdout.readline()
        table.stdin.close()
        assert table.wait() == 0


def test_a_table_that_cannot_be_served_is_told(tmp_path: Path) -> None:
    order = order_in(tmp_path / "missing")
    with (
        pytest.raises(Malformed, match="could not be measured"),
        serve_table(command_of("bare"), order),
    ):
        pass
