"""The installed version: its installer, and what the table says of one that was left."""

from pathlib import Path

import pytest

from companion.core.errors import Malformed
from companion.core.i18n import get_language
from companion.update.installed import (
    KEPT_INSTALLER,
    find_installer,
    read_left_version,
    tell_left_version,
)


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """The folder of the version that runs."""
    folder = tmp_path / "home/versions/old"
    (folder / KEPT_INSTALLER).parent.mkdir(parents=True)
    (folder / KEPT_INSTALLER).touch()
    return folder


def test_a_version_has_the_installer_by_which_it_is_left(runs: Path, tmp_path: Path) -> None:
    assert find_installer(runs, tmp_path / "home") == runs / KEPT_INSTALLER
    with pytest.raises(Malformed, match="is no installed table"):
        find_installer(tmp_path / "clone/.venv", tmp_path / "home")
    (runs / KEPT_INSTALLER).unlink()
    with pytest.raises(Malformed, match="is no installed table"):
        find_installer(runs, tmp_path / "home")


def test_a_version_that_was_left_is_told_once_on_the_screens(runs: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    assert read_left_version(runs, home) == ""
    (home / "refused").write_text("new\n")
    assert read_left_version(runs, home) == "new"
    assert read_left_version(home / "versions/new", home) == "", "it was mended and runs now"
    assert read_left_version(tmp_path / "clone/.venv", home) == ""
    (said,) = tell_left_version(tmp_path, "new")
    assert "Das Update" in get_language("de")(said)
    assert tell_left_version(tmp_path, "new") == ()
    assert tell_left_version(tmp_path, "") == ()
    assert tell_left_version(tmp_path, "newer") != ()
