"""The measures: what is wrong is one sentence that names the field."""

import re
from importlib import resources
from pathlib import Path

import pytest

from companion.core.errors import Malformed
from companion.core.i18n import LANGUAGES, get_language
from hardware.plans.measures import load_measures, parse_measures

GOOD = resources.files("hardware.plans").joinpath("default.toml").read_text("utf-8")


def changed(line: str, to: str) -> str:
    """Return the default measures with one line written otherwise."""
    text = re.sub(rf"(?m)^{re.escape(line)}.*$", to, GOOD, count=1)
    assert text != GOOD
    return text


WRONG = {
    "sticker.pitch": changed("pitch = 15.5", "pitch = 17"),
    "sticker.diameter": changed("diameter = 25.0", "diameter = -1"),
    "reader.pitch": changed("pitch = 100.0", "pitch = 80.0"),
    "reader.wood": changed("wood = 4.0", "wood = 14.0"),
    "cards.standard": changed("standard =", "standard = [40.0, 88.0]"),
    "tray.wall": changed("wall = 5.0", "wall = 'thick'"),
    "cut.kerf": changed("kerf =", "kerf = 7"),
    "sleeve": changed("thickness =", ""),
    "mine.toml": changed("[cut]", "[cut"),
}


@pytest.mark.parametrize("field", WRONG)
@pytest.mark.parametrize("code", LANGUAGES)
def test_a_wrong_measure_is_named(field: str, code: str) -> None:
    with pytest.raises(Malformed) as refused:
        parse_measures("mine.toml", WRONG[field])
    sentence = get_language(code)(refused.value.say)
    assert field in sentence
    assert "\n" not in sentence
    assert sentence.endswith(".")


def test_a_tray_that_reaches_into_the_next_place_is_refused() -> None:
    with pytest.raises(Malformed, match=r"reader\.pitch: the tray of card standard is 10[0-9]"):
        parse_measures("mine.toml", changed("standard =", "standard = [97.0, 120.0]"))


def test_measures_of_ones_own_are_a_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(changed("standard =", "standard = [59.0, 92.0]\nsmall = [56, 87]"), "utf-8")
    assert load_measures(file).cards == {"standard": (59.0, 92.0), "small": (56.0, 87.0)}
    with pytest.raises(Malformed, match=r"none\.toml cannot be read"):
        load_measures(tmp_path / "none.toml")
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(Malformed, match="not UTF-8"):
        load_measures(file)
