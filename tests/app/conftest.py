"""Fixtures of the programs."""

import pytest

from companion.app.floor import acting, answering, pulling, table_line

PATIENCE = 60.0


@pytest.fixture
def patient_floor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a floor wait longer for its tables: here both share one thread, and a busy machine."""
    for module in (acting, answering, pulling, table_line):
        monkeypatch.setattr(module, "TIMEOUT", PATIENCE)
