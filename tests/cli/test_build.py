"""`companion build`, as it is typed."""

import csv
import io
from pathlib import Path
from xml.etree import ElementTree

import pytest

from companion.cli import main
from companion.core.i18n import LANGUAGES, get_language
from companion.games import list_games
from hardware.plans.folder import list_plans, write_plans
from hardware.plans.measures import load_measures
from hardware.plans.shopping import list_items
from hardware.wiring import load_profile, profile_names

Capture = pytest.CaptureFixture[str]
MEASURES = load_measures()


@pytest.mark.parametrize("profile", profile_names())
def test_all_plans_are_written(profile: str, tmp_path: Path, capsys: Capture) -> None:
    folder = tmp_path / "plans"
    assert main(["build", profile, "--folder", str(folder), "--lang", "de"]) == 0
    names = {path.name for path in folder.iterdir()}
    assert capsys.readouterr().out.split() == [
        str(folder / name)
        for name in list_plans(load_profile(profile), MEASURES, get_language("de"))
    ]
    kinds = {name.rpartition(".")[2] for name in names}
    assert kinds == {"md", "csv", "txt", "svg", "dxf", "stl"}
    assert ("wiring-readers.svg" in names) is bool(load_profile(profile).spi_readers())
    assert all(path.stat().st_size for path in folder.iterdir())
    for path in folder.glob("*.svg"):
        ElementTree.parse(path)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_cannot_be_built_is_one_sentence(lang: str, tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[cards]\nsmall = [10, 20]\n", "utf-8")
    words = ["build", "--folder", str(tmp_path / "plans"), "--lang", lang]
    assert main([*words, "--measures", str(file)]) == 2
    heard = capsys.readouterr()
    assert heard.out == ""
    assert heard.err.startswith("companion build: ")
    assert heard.err.count("\n") == 1
    assert not (tmp_path / "plans").exists()


def test_without_the_libraries_the_rest_is_written(tmp_path: Path) -> None:
    words = get_language("en")
    plans = write_plans(
        tmp_path, load_profile(), MEASURES, words, has_library=lambda name: name == "ezdxf"
    )
    assert {name.rpartition(".")[2] for name in plans.missing} == {"stl"}
    assert {path.name for path in tmp_path.iterdir()} == set(plans.written)
    assert not {*plans.missing} & {*plans.written}


def test_the_parts_follow_from_the_wiring() -> None:
    numbers = {
        profile: {
            item.name.text: item.number for item in list_items(load_profile(profile), MEASURES)
        }
        for profile in profile_names()
    }
    eight, five, none = (numbers[name] for name in ("eight-readers", "five-readers", "phones-only"))
    assert eight["RC522 reader module with pin strip"] == 8
    assert eight["74HC138, DIP-16 (HC, not LS)"] == 1
    assert "resistor 10 k, for SDA" not in eight
    assert five["RC522 reader module with pin strip"] == 5
    assert five["resistor 10 k, for SDA"] == 5
    assert five["resistor 33 to 100 ohms, for SCK and MOSI"] == 4
    assert not any("74HC138" in name for name in five)
    assert "RC522 reader module with pin strip" not in none
    stickers = sum(sum(game.standard_box().tagged_pieces().values()) for game in list_games())
    assert eight["NTAG213 sticker, {size} mm round, for all boxes"] >= stickers


def test_prices_are_ranges_with_their_year() -> None:
    make = list_plans(load_profile(), MEASURES, get_language("en"))["parts.csv"]
    text = make()
    assert isinstance(text, str)
    head, *rows = csv.reader(io.StringIO(text))
    assert head[-1] == "year of the prices"
    assert all(0 <= float(row[3]) <= float(row[4]) and row[5].isdigit() for row in rows)
