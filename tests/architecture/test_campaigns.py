"""The wider campaigns hold every test that asks for their size, and not the rest; all of them but
the largest take the same samples on every run."""

import re
import sys
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.worlds.campaign import IS_LARGE
from tests.worlds.paths import ROOT
from tests.worlds.wider_tests import growing_names

ASKING = [
    path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".")
    for path in sorted((ROOT / "tests").rglob("test_*.py"))
    if re.search(r"^from tests\.worlds\.campaign import", path.read_text("utf-8"), re.MULTILINE)
]


@pytest.mark.parametrize("module", ASKING)
def test_a_module_that_asks_for_the_size_has_a_test_that_depends_on_it(module: str) -> None:
    growing = growing_names(module)
    assert any(name.lower().startswith("test") for name in growing), growing


def draw_whole_numbers() -> list[int]:
    """Return the samples of one test."""
    drawn: list[int] = []

    @settings(max_examples=200)
    @given(st.integers())
    def draw(number: int) -> None:
        drawn.append(number)

    draw()
    return drawn


@pytest.mark.skipif(IS_LARGE, reason="The largest campaign draws new samples.")
def test_samples_do_not_depend_on_what_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = draw_whole_numbers()
    source = tmp_path / "loaded_since.py"
    source.write_text(f"NUMBERS = {[*range(1_000_000, 1_001_000)]}\n", "utf-8")
    loaded = ModuleType("loaded_since")
    loaded.__file__ = str(source)
    monkeypatch.setitem(sys.modules, "loaded_since", loaded)
    assert draw_whole_numbers() == before


def test_names_are_followed_through_the_code_of_a_module() -> None:
    growing = growing_names("tests.laws.test_table_machine")
    assert "HYPOTHESIS" in growing
    assert "test_a_table_in_any_order" in growing
    assert "no_card_is_lost" not in growing


def test_names_are_followed_into_other_modules() -> None:
    assert "test_the_judge_fits_every_screen" in growing_names("tests.browser.test_judge")


def test_what_asks_for_no_size_does_not_grow() -> None:
    assert not growing_names("tests.judge.test_contract")
    assert not growing_names("companion.judge.parse")
