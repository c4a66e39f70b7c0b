"""A bench with a new Pi on it, and a clone to install from."""

from pathlib import Path

import pytest

from tests.worlds.pi_folder import Workbench, clone, pi


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    return Workbench(pi(tmp_path / "pi"))


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return clone(tmp_path / "clone")
