"""What a command loads: nothing that it would carry without using it."""

import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli import main

RUN = "import sys, companion.cli.run; print(*sys.modules)"
WIRED = "import sys, hardware.rc522.driver, hardware.simulated_table; print(*sys.modules)"
JUDGE = """
import sys
from companion.cli import main
status = main(["judge", sys.argv[1]])
print(*sys.modules)
sys.exit(status)
"""
OF_THE_SERVER = {"flask", "jinja2", "nacl", "sqlite3", "tornado", "web", "werkzeug"}


def loaded_by(program: str, *words: str) -> set[str]:
    """Return the modules that a program lists in its last line."""
    said = subprocess.run(
        [sys.executable, "-c", program, *words], capture_output=True, text=True, check=True
    )
    return set(said.stdout.splitlines()[-1].split())


def test_a_table_loads_no_simulator_broker_or_doctor_that_it_does_not_use() -> None:
    loaded = loaded_by(RUN)
    assert "companion.app.physical_table" in loaded
    ours = [name for name in loaded if name.startswith(("hardware", "companion.app"))]
    assert [name for name in ours if "simulat" in name] == []
    assert [name for name in loaded if name.startswith("paho")] == []
    assert "hardware.rc522.reader" in loaded_by(WIRED)
    assert loaded_by(WIRED) & {"hardware.doctor.examine", "hardware.rc522.doctor"} == set()


def test_the_judge_of_one_case_loads_no_server(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["judge", "--example", "bankueberfall"]) == 0
    case = tmp_path / "case.json"
    case.write_text(capsys.readouterr().out, "utf-8")
    loaded = loaded_by(JUDGE, str(case))
    assert "companion.judge.decide" in loaded
    assert loaded & OF_THE_SERVER == set()
    assert [name for name in loaded if name.startswith(("companion.app", "hardware"))] == []
