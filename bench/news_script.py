"""Scripts of a phone that shows news, in a real browser with its processor slowed to a sixth.

What is counted is DevTools' ScriptDuration between two requests of a game: the script that takes
the event apart, exchanges the blocks and does what each feature does after it. Requests of the
phone's own are left out, as they are signed. `python -m bench.news_script` prints the spread.
"""

import json
import socket
import statistics
import sys
import tempfile
from collections.abc import Iterator

from playwright.sync_api import Browser, CDPSession, sync_playwright

from bench.measure import Figure, python_command
from bench.speed.measure import serve_table
from bench.speed.played_game import PhoneKey, PlayedGame, write_request
from bench.speed.served_table import Order
from bench.viewers import play_game
from companion.core.events import to_json
from companion.games import game_names
from tests.browser.conftest import CALM, PHONE, find_chromium

SLOWER = 6
BAR = 6.0
EVENTS = 60
SEAT = 1
FRAME_MS = 1000 / 60
QUIET_MS = 60
"""Milliseconds after an event in which its scripts run, timers of its animations among them."""


def figures() -> Iterator[Figure]:
    """Measure each game."""
    for game, took in measure_games():
        script = statistics.median(took)
        yield Figure(f"scripts of a phone for an event of {game}, at a sixth", script, "ms", BAR,
                     False, "a frame at 60 Hz", script / FRAME_MS)  # fmt: skip


def measure_games() -> Iterator[tuple[str, list[float]]]:
    """Yield for each game the milliseconds of script for each event that the phone was told of."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=[*CALM])
        for name in game_names():
            yield name, _follow_game(browser, play_game(name, EVENTS))
        browser.close()


def _follow_game(browser: Browser, game: PlayedGame) -> list[float]:
    keys = [PhoneKey() for _ in range(game.seats)]
    with tempfile.TemporaryDirectory() as folder:
        start = json.loads(to_json(game.start))
        order = Order(folder, game.game, start, [key.public_key for key in keys])
        command = python_command("-m", "bench.speed.served_table", "ours")
        with serve_table(command, order) as table:
            address = f"http://localhost:{table.port}"
            context = browser.new_context(viewport=PHONE)  # type: ignore[arg-type]
            cookie = {"name": "companion", "value": table.cookies[SEAT - 1], "url": address}
            context.add_cookies([cookie])  # type: ignore[list-item]
            page = context.new_page()
            page.goto(f"{address}/phone/{SEAT}", wait_until="networkidle")
            line = context.new_cdp_session(page)
            line.send("Performance.enable")
            line.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
            took = []
            with socket.create_connection(("localhost", table.port)) as asking:
                for version, asked in enumerate(game.asked, 1):
                    seat = asked.seat - 1
                    request = write_request(asked, version, table.cookies[seat], keys[seat])
                    before = _script_ms(line)
                    asking.sendall(request)
                    assert b" 204 " in asking.recv(4096)
                    page.wait_for_timeout(QUIET_MS)
                    if asked.seat != SEAT and asked.is_public:
                        took.append(_script_ms(line) - before)
            context.close()
    return took


def _script_ms(line: CDPSession) -> float:
    metrics = line.send("Performance.getMetrics")["metrics"]
    return 1000 * next(float(one["value"]) for one in metrics if one["name"] == "ScriptDuration")


if __name__ == "__main__":
    for name, took in measure_games():
        tenths = statistics.quantiles(took, n=10)
        sys.stdout.write(
            f"{name:<14} p10 {tenths[0]:.1f}  p50 {statistics.median(took):.1f}  "
            f"p90 {tenths[8]:.1f} ms of script for each of {len(took)} events\n"
        )
