"""Try a version before it is switched to, as the service's user: `trial.py WORD …`

`under-way DATA`: end with status 4 if a game is under way.
`fold DATA`: print what this version makes of each game of a journal, a line of JSON each.
`prove OLD DATA CONFIG COPY`: on a copy of the data, this version has to fold the games as the
version in OLD does, and to start and show its pages; on failure it ends with one sentence.

Laws: what proves imports nothing of a version, so that one that cannot be imported is found out;
the copy alone is written, no wire is touched, and only this machine reaches the pages.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import tomllib
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from itertools import zip_longest
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve()
JOURNAL = "journal.sqlite3"
UNDER_WAY = 4
MOST_GAMES = 300
"""Number of the newest games that both versions fold."""
LONGEST = 90.0
"""Seconds for the first answer; a Zero 2 verifies a long journal first."""
ANSWERED = (200, 503)
"""Status codes of /healthz; a red light is an answer."""
PAGES = ("/", "/table", "/judge")
OURS = {"profile": "phones-only", "address": "127.0.0.1"}
APART = ("mqtt", "mqtt_login", "mqtt_ca")
"""Keys of the config that stay behind: a copy tells no broker."""


def is_under_way(data: Path) -> bool:
    """Return whether a game of this data can still be played."""
    from companion.journal import Journal

    if not (data / JOURNAL).exists():
        return False
    with closing(Journal(data / JOURNAL, read_only=True)) as journal:
        return any(journal.is_open_game(game.id) for game in journal.list_games())


def fold_games(data: Path) -> Iterator[dict[str, object]]:
    """Yield the final state of each of the newest games, and its verdicts on the way."""
    from companion.games import game_names, make_rulebook
    from companion.journal import Journal
    from companion.records.store import decode_events
    from companion.table.history import History, apply_event

    with closing(Journal(data / JOURNAL, read_only=True)) as journal:
        for game in list(journal.list_games())[-MOST_GAMES:]:
            if game.game not in game_names():
                continue
            rules, lines = make_rulebook(game.game), journal.read_lines(game.id)
            history, verdicts = History(rules), list[object]()
            for event, line in zip(decode_events(rules, lines), lines, strict=True):
                history = apply_event(history, event, line.via, line.at)
                verdict = getattr(history.state, "verdict", None)
                if verdict is not None and (not verdicts or verdict is not verdicts[-1]):
                    verdicts.append(verdict)
            yield {"id": game.id, "game": game.game, "ends": history.state, "verdicts": verdicts}


def tells_the_same(old: Any, new: Any) -> bool:
    """Return whether the new version's report includes all of the old one's."""
    if isinstance(old, dict) and isinstance(new, dict):
        return all(name in new and tells_the_same(old[name], new[name]) for name in old)
    if isinstance(old, list) and isinstance(new, list):
        pairs = zip(old, new, strict=False)
        return len(old) == len(new) and all(tells_the_same(*pair) for pair in pairs)
    return bool(old == new)


def compare_games(old: Path, copy: Path) -> str:
    """Return the name of a game that the new version folds otherwise; empty if none."""
    before, after = (_start_folding(tree, copy) for tree in (old / "systemd/trial.py", HERE))
    with before, after:
        assert before.stdout is not None
        assert after.stdout is not None
        for was, now in zip_longest(before.stdout, after.stdout):
            if was is None:  # The old version does not fold this one; the new one may be its cure.
                continue
            game = json.loads(was)
            if now is None or not tells_the_same(game, json.loads(now)):
                return f"it sees the game {game['id']} of {game['game']} otherwise"
    return "it does not fold the games of this table" if after.returncode else ""


def _start_folding(program: Path, copy: Path) -> "subprocess.Popen[str]":
    command = [sys.executable, "-IB", str(program), "fold", str(copy)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def start_table(copy: Path, config: Path) -> str:
    """Start this version on the copy; return its fault, empty if there is none."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = int(free.getsockname()[1])
    said = tomllib.loads(config.read_text("utf-8")) if config.exists() else {}
    told = {name: value for name, value in said.items() if name not in APART} | OURS
    lines = [f"{name} = {json.dumps(value, ensure_ascii=False)}\n" for name, value in told.items()]
    (copy / "config.toml").write_text("".join(lines) + f"port = {port}\n" * ("port" not in told))
    command = [sys.executable, "-IB", str(HERE.parents[1] / "start"), "run", "--log-level=error"]
    command += ["--config", str(copy / "config.toml"), "--data", str(copy), f"--port={port}"]
    with (
        (copy / "said").open("w+b") as log,
        subprocess.Popen(command, cwd=copy, stdout=log, stderr=log) as table,
    ):
        try:
            end = time.monotonic() + LONGEST
            while not (health := ask(port, "/healthz")):
                if table.poll() is not None or time.monotonic() > end:
                    log.seek(0)
                    last = log.read().decode(errors="replace").strip().rpartition("\n")[2]
                    ended = "ends" if table.poll() is not None else "hangs"
                    return f"it {ended}: {last or 'it says nothing'}"
                time.sleep(0.2)
            bad = [] if health in ANSWERED else ["/healthz"]
            bad += [path for path in PAGES if ask(port, path) != 200]
            return f"its page {bad[0]} cannot be shown" if bad else ""
        finally:
            table.kill()


def ask(port: int, path: str) -> int:
    """Return the status of a page, 0 if nothing answers."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as page:
            return int(page.status)
    except urllib.error.HTTPError as said:
        return said.code
    except OSError:
        return 0


def prove(old: Path, data: Path, config: Path, copy: Path) -> str:
    """Try this version on a copy of the data; return why it may not run, empty if it may."""
    shutil.rmtree(copy, ignore_errors=True)
    try:
        shutil.copytree(data, copy, ignore=shutil.ignore_patterns("backups", "*.lock"))
        wrong = compare_games(old, copy) if (copy / JOURNAL).exists() else ""
        return wrong or start_table(copy, config)
    except OSError as error:
        return f"it cannot be tried: {os.strerror(error.errno or 0)}"
    finally:
        shutil.rmtree(copy, ignore_errors=True)


def main(word: str, *paths: str) -> int | str:
    """Run the errand; return the exit status, or the sentence that goes with status 1."""
    if word == "prove":
        return prove(*map(Path, paths)) or 0  # An empty sentence, too, would be status 1.
    sys.path.insert(0, str(HERE.parents[1]))
    if word == "under-way":
        return UNDER_WAY * is_under_way(Path(paths[0]))
    import msgspec

    for told in fold_games(Path(paths[0])):
        print(msgspec.json.encode(told, enc_hook=str, order="sorted").decode())
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
