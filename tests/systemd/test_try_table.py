"""The start on a copy of the data: what a version has to answer there."""

import subprocess
import sys
from pathlib import Path

import pytest

from installer.proof import TRY
from tests.worlds.campaign import pick

PROGRAM = """\
import sys, tomllib
from http.server import BaseHTTPRequestHandler, HTTPServer

STATUS = {status}

class Answer(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(STATUS.get(self.path, 200))
        self.end_headers()

    def log_message(self, *words):
        pass

config = sys.argv[sys.argv.index("--config") + 1]
port = tomllib.load(open(config, "rb"))["port"]
HTTPServer(("127.0.0.1", port), Answer).serve_forever()
"""
"""A version that answers every page, with these of its statuses."""


def try_version(folder: Path, status: dict[str, int]) -> str:
    """What is wrong with such a version, as the start on a copy says."""
    package = folder / "version/companion"
    (package / "journal").mkdir(parents=True)
    for name in ("__init__.py", "journal/__init__.py"):
        (package / name).touch()
    (package / "journal/copy.py").write_text("def copy_journal(old, new): pass\n")
    (package / "__main__.py").write_text(PROGRAM.format(status=status))
    (folder / "data").mkdir()
    (folder / "companion.toml").touch()
    command = [sys.executable, "-B", "-c", TRY.read_text("utf-8"), str(folder / "companion.toml")]
    done = subprocess.run(
        [*command, str(folder / "data")], capture_output=True, text=True, check=False,
        env={"PYTHONPATH": str(folder / "version"), "PATH": "/usr/bin:/bin"}, cwd="/",
    )  # fmt: skip
    return done.stderr.strip()


BROKEN = [({"/healthz": 500}, "its page /healthz cannot be shown")]
CASES = [
    *BROKEN,
    ({}, ""),
    ({"/healthz": 503}, ""),  # A red light, such as a nearly full disk, is an answer.
    ({"/table": 500}, "its page /table cannot be shown"),
]


@pytest.mark.parametrize(("status", "wrong"), pick(BROKEN, CASES, CASES))
def test_a_version_has_to_show_its_health_and_its_pages(
    status: dict[str, int], wrong: str, tmp_path: Path
) -> None:
    assert try_version(tmp_path, status) == wrong
