"""Wiring profiles: what loads can be soldered, what cannot is refused in one sentence."""

from pathlib import Path

import pytest

from companion.core.i18n import LANGUAGES, get_language
from hardware.errors import WiringError
from hardware.wiring import load_profile, parse_profile, profile_names
from hardware.wiring.profile import TITLES
from hardware.wiring.table import format_table

GOOD = """
title = "A table"
reset = 25
[readers]
1 = "spidev:0.0"
[buttons]
1 = 4
[lamps]
1 = 18
"""


def changed(old: str, new: str) -> str:
    assert old in GOOD
    return GOOD.replace(old, new)


@pytest.mark.parametrize("profile", ["eight-readers", "five-readers"])
def test_the_profiles_that_come_along_load(profile: str) -> None:
    wiring = load_profile(profile)
    assert profile in profile_names()
    assert len(wiring.buttons) == len(wiring.lamps) == 6
    pins = [pin for pin, _ in wiring.pin_uses()]
    assert len(pins) == len(set(pins))


def test_config_txt_gets_the_lines_the_devices_need() -> None:
    assert load_profile("eight-readers").config_lines() == ["dtparam=spi=on", "dtoverlay=spi0-1cs"]
    assert load_profile("five-readers").config_lines() == ["dtparam=spi=on", "dtoverlay=spi1-3cs"]
    alone = parse_profile("one", changed("spidev:0.0", "spidev:1.0").replace("= 18", "= 23"))
    assert alone.config_lines() == ["dtoverlay=spi1-1cs"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (changed("1 = 18", "1 = 4"), "BCM 4 .* two uses, button of seat 1 and lamp of seat 1"),
        (changed("1 = 18", "1 = 9"), "two uses, SPI0 MISO and lamp of seat 1"),
        (changed("1 = 18", "1 = 25"), "reset line of the readers and lamp of seat 1"),
        (changed("1 = 18", "1 = 8"), "SPI0 CE0 and lamp of seat 1"),
        (changed("0.0", "1.2").replace("= 18", "= 17"), "SPI1 CE1 and lamp of seat 1"),
        (changed("1 = 18", "1 = 28"), r"BCM 28 \(lamp of seat 1\) is not on the header"),
        (changed("1 = 18", "1 = -1"), r"BCM -1 \(lamp of seat 1\) is not on the header"),
        (changed("1 = 18", "1 = 0"), "EEPROM of a HAT and lamp of seat 1"),
        (changed("1 = 18", "7 = 18"), "unknown key, lamps.7; write one of 1, 2"),
        (changed('1 = "spi', '9 = "spi'), "unknown key, readers.9; write one of 1, 2"),
        (changed("spidev:0.0", "usb:1"), "readers.1 is usb:1; write one of mux:"),
        (changed("spidev:0.0", "spidev:0.2"), "readers.1 is spidev:0.2; write one of 0.0"),
        (changed("spidev:0.0", "mux:0.0/8"), "readers.1 is mux:0.0/8"),
        (changed("spidev:0.0", "mux:0.0/7"), "0 address_lines where the readers need 3"),
        (changed("reset = 25", ""), "no reset line; write reset = 25"),
        (changed("reset = 25", "reset = 25\nhertz = 7"), "hertz is 7; write one of 1000000"),
        (changed("reset = 25", "reset = 25\ngain = 40"), "gain is 40; write one of 18"),
        (
            changed("reset = 25", "reset = 25\ncolour = 1"),
            "unknown key, colour; write one of title, readers, ",
        ),
        (changed("reset = 25", "reset = 'x'"), "Expected `int"),
        (changed('title = "A table"', ""), "missing required field `title`"),
        (changed("1 = 18", "1 = 18\n1 = 19"), "cannot be understood: Cannot overwrite"),
        (GOOD.replace("[buttons]", '2 = "spidev:0.0"\n[buttons]'), "places 1 and 2 have the same"),
        (changed("= 18", "= 0x" + "f" * 5000), "BCM 0xfff.*… .lamp of seat 1. is not on"),
        (changed("= 18", "= 1" + "0" * 5000), "cannot be understood: Exceeds the limit"),
        (changed("[lamps]", "[lamps]\n'\u00ad\\n' = 1"), r"lamps\..*xad"),
        (GOOD + '[modes]\n1 = "tapped"\n', "modes.1 is tapped; write one of "),
        (GOOD + '[modes]\n2 = "tap"\n', "place 2 has a mode and no reader"),
        (GOOD + '[modes]\n9 = "tap"\n', "unknown key, modes.9; write one of 1, 2"),
        (GOOD + "[modes]\n1 = 1\n", "Expected `str`"),
        (
            changed("reset = 25", "reset = 25\nby_turns = true") + '[modes]\n1 = "presence"\n',
            "place 1 has a mode and no reader of its own",
        ),
        ("a = " + "[" * 5000, "cannot be understood"),
        (
            GOOD.replace("[buttons]", '2 = "mux:0.0/1"\n[buttons]').replace(
                "reset = 25", "reset = 25\naddress_lines = [22, 27, 17]"
            ),
            "place 1 uses spidev:0.0 without the 74HC138 .* write mux:0.0/CHANNEL",
        ),
    ],
)
def test_what_cannot_be_built_is_refused_in_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(WiringError, match=sentence) as refused:
        parse_profile("mine", text)
    assert "mine" in str(refused.value)
    for code in LANGUAGES:
        assert "mine" in get_language(code)(refused.value.say)
    assert "\n" not in str(refused.value)


def test_an_unknown_profile_says_what_to_type(tmp_path: Path) -> None:
    with pytest.raises(WiringError, match="no wiring profile 'nine'; type one of eight-readers"):
        load_profile("nine")
    with pytest.raises(WiringError, match="cannot be read"):
        load_profile(str(tmp_path / "none.toml"))


def test_a_profile_of_ones_own_is_a_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(GOOD, encoding="utf-8")
    assert load_profile(str(file)).name == "mine"


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("profile", ["eight-readers", "five-readers"])
def test_the_table_names_every_wire(profile: str, code: str) -> None:
    wiring, words = load_profile(profile), get_language(code)
    text = format_table(wiring, words)
    for pin, use in wiring.pin_uses():
        assert any(words(use.say) in line and f"BCM {pin} (" in line for line in text.splitlines())
    for line in wiring.config_lines():
        assert line in text


@pytest.mark.parametrize("profile", profile_names())
def test_a_profile_that_comes_along_has_its_title_in_every_language(profile: str) -> None:
    assert load_profile(profile).title in TITLES
    heads = {
        format_table(load_profile(profile), get_language(code)).splitlines()[0]
        for code in LANGUAGES
    }
    assert len(heads) == len(LANGUAGES)
