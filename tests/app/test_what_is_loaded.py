"""What a real table loads: nothing of the simulator, which it would carry for the whole evening."""

import subprocess
import sys

LOADED = """
import sys
import companion.cli.run
print(*(name for name in sys.modules if name.startswith(("hardware", "companion.app"))))
"""


def test_a_real_table_loads_nothing_of_the_simulator() -> None:
    said = subprocess.run(
        [sys.executable, "-c", LOADED], capture_output=True, text=True, check=True
    )
    loaded = said.stdout.split()
    assert "companion.app.physical_table" in loaded
    assert [name for name in loaded if "simulat" in name or "rehears" in name] == []
