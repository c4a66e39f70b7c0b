"""Start this version on a copy of the data, at a port of its own, and ask for its pages.

It is run by the new version's own Python, as the user of the service, while the other version runs:
so it takes no wires, and only this machine reaches it. On failure it ends with one sentence.
"""

import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import tomllib
import urllib.error
import urllib.request
from contextlib import closing, suppress
from pathlib import Path

from companion.journal.copy import copy_journal

JOURNAL = "journal.sqlite3"
LEFT_OUT = ("backups", "sent.update", "*.lock", "*-wal", "*-shm", f"{JOURNAL}*")
KEPT = ("game", "lang", "demo")
"""The keys of the config that go along."""
HEALTH = "/healthz"
ANSWERED = (200, 503)
"""What it says; a red light is an answer."""
PAGES = ("/", "/table", "/judge")
SCRATCH = Path("/var/tmp")
PREFIX = "companion-try-"
LONGEST = 90
"""Seconds for the first answer; a Zero 2 verifies a long journal first."""


def copy_data(data: Path, copy: Path) -> None:
    """Copy what a table is made of, while another one writes it."""
    shutil.copytree(data, copy, ignore=shutil.ignore_patterns(*LEFT_OUT))
    for path in copy.glob("*.sqlite3"):
        path.unlink()
        with (
            closing(sqlite3.connect(f"file:{data / path.name}?mode=ro", uri=True)) as source,
            closing(sqlite3.connect(path)) as target,
        ):
            source.backup(target)
    if (data / JOURNAL).exists():
        copy_journal(data / JOURNAL, copy / JOURNAL)


def write_config(config: Path, into: Path) -> int:
    """Write a config without wires, for this machine alone; return its port."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = int(free.getsockname()[1])
    said = tomllib.loads(config.read_text("utf-8"))
    told = {name: said[name] for name in KEPT if name in said}
    told |= {"profile": "phones-only", "address": "127.0.0.1", "port": port}
    lines = [f"{name} = {json.dumps(value, ensure_ascii=False)}\n" for name, value in told.items()]
    into.write_text("".join(lines), "utf-8")
    return port


def ask(port: int, path: str) -> int:
    """Return the status of a page, 0 if nothing answers."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as page:
            return int(page.status)
    except urllib.error.HTTPError as said:
        return said.code
    except OSError:
        return 0


def try_table(work: Path, port: int) -> str:
    """Start it; return what is wrong, empty if nothing is."""
    command = [sys.executable, "-m", "companion", "run", "--log-level=error"]
    folders = ["--config", str(work / "config.toml"), "--data", str(work / "data")]
    with (
        (work / "said").open("w+b") as said,
        subprocess.Popen([*command, *folders], cwd=work, stdout=said, stderr=said) as table,
    ):
        try:
            end = time.monotonic() + LONGEST
            while not (health := ask(port, HEALTH)):
                if table.poll() is not None or time.monotonic() > end:
                    said.seek(0)
                    words = said.read().decode(errors="replace").strip()
                    last = words.rpartition("\n")[2] or "it says nothing"
                    return f"it {'ended' if table.poll() is not None else 'hangs'}: {last}"
                time.sleep(0.2)
            bad = [] if health in ANSWERED else [HEALTH]
            bad += [path for path in PAGES if ask(port, path) != 200]
            return f"its page {bad[0]} cannot be shown" if bad else ""
        finally:
            table.kill()


def clear_leftovers(scratch: Path) -> None:
    """Remove the copies of runs that were cut off, whose process is gone."""
    for left in scratch.glob(f"{PREFIX}*-*"):
        runner = left.name.split("-")[2]
        with suppress(FileNotFoundError):  # Another run has just removed its own.
            if left.lstat().st_uid == os.geteuid() and not Path(f"/proc/{runner}").exists():
                shutil.rmtree(left, ignore_errors=True)


clear_leftovers(SCRATCH)
with tempfile.TemporaryDirectory(prefix=f"{PREFIX}{os.getpid()}-", dir=SCRATCH) as scratch:
    folder = Path(scratch)
    copy_data(Path(sys.argv[2]), folder / "data")
    wrong = try_table(folder, write_config(Path(sys.argv[1]), folder / "config.toml"))
sys.exit(wrong or 0)
