"""Advice that fits the way of installation, wherever it is given."""

from pathlib import Path

from companion.core.i18n import get_language
from companion.core.installation import PACKAGED, PREVIOUS, installed_by, read_update_fault

EN = get_language("en")


def test_a_debian_package_is_known_by_its_folder() -> None:
    assert [installed_by(here) for here in (PACKAGED, PREVIOUS, Path("/home/ana/clone"))] == [
        "apt", "apt", "hand",
    ]  # fmt: skip


def test_the_version_before_says_why_it_runs(tmp_path: Path) -> None:
    failed, tree = tmp_path / "failed", tmp_path / "tree"
    assert read_update_fault("1.0", PACKAGED, failed, tree) is None
    cut_off = read_update_fault("1.0", tree, failed, tree)
    assert cut_off is not None
    assert EN(cut_off).startswith("The update was cut off, so version 1.0 runs. Type: sudo apt")
    failed.write_text("2.0\n")
    fault = read_update_fault("1.0", tree, failed, tree)
    assert fault is not None
    assert EN(fault).startswith("Version 2.0 did not stay up, so version 1.0 runs")
