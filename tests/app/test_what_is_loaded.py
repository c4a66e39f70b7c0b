"""What a real table loads: nothing that it would carry for the whole evening without using it."""

import subprocess
import sys

LOADED = """
import sys
import companion.cli.run
print(*sys.modules)
"""


def test_a_real_table_loads_no_simulator_and_without_a_floor_no_broker() -> None:
    said = subprocess.run(
        [sys.executable, "-c", LOADED], capture_output=True, text=True, check=True
    )
    loaded = said.stdout.split()
    assert "companion.app.physical_table" in loaded
    ours = [name for name in loaded if name.startswith(("hardware", "companion.app"))]
    assert [name for name in ours if "simulat" in name or "rehears" in name] == []
    assert [name for name in loaded if name.startswith("paho")] == []
