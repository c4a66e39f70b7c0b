"""What docs/api.md shows is what happens."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.worlds.paths import ROOT
from tests.worlds.served import Company

PAGE = (ROOT / "docs/api.md").read_text("utf-8")
BLOCKS = re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)
NEXT = "—next—"


@pytest.fixture
def served_table(tmp_path: Path) -> Iterator[Company]:
    company = Company(tmp_path / "journal.sqlite3", "bankueberfall")
    yield company
    company.shut()


def test_the_examples_run_as_shown(served_table, tmp_path):
    shown = re.findall(r"^\$ (.*)\n((?:[^$].*\n)*)", "".join(BLOCKS), re.MULTILINE)
    script = "".join(f"{command}\necho '{NEXT}'\n" for command, _ in shown)
    script = script.replace(" examples/", f" {ROOT}/examples/")
    script = script.replace(".venv/bin/python", sys.executable)
    ran = subprocess.run(
        ["bash", "-c", script.replace("http://localhost:8000", served_table.address)],
        cwd=tmp_path,
        env={**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=True,
    )
    said = [one.strip() for one in ran.stdout.split(NEXT)]
    assert said[:-1] == [expected.strip() for _, expected in shown]
    assert served_table.view().public.phase == "rob"
