"""Which of the readers that are plugged in a profile means, and what it may not mean."""

import pytest

from hardware.errors import WiringError
from hardware.pcsc.reader import find_reader
from hardware.wiring import format_profile, load_profile, parse_profile

ONE, TWO = "ACS ACR122U PICC Interface 00 00", "ACS ACR122U PICC Interface 01 00"
DUAL = "ACS ACR1252 Dual Reader [ACR1252 Dual Reader {}] 00 00"
CL = "HID OMNIKEY 5022 CL 01 00"
PROFILE = 'title = "Two"\n[readers]\n1 = "pcsc:{}"\n2 = "pcsc:{}"\n[modes]\n1 = "tap"\n2 = "tap"\n'


@pytest.mark.parametrize(
    ("part", "names", "found"),
    [
        ("*", [], "none"),
        ("*", [ONE, TWO], ONE),
        ("*", ["Yubico YubiKey OTP+FIDO+CCID 00 00", TWO], TWO),
        ("*", [DUAL.format("SAM"), DUAL.format("PICC")], DUAL.format("PICC")),
        ("*", ["Alcor Micro AU9540 00 00", CL], CL),
        ("*", ["Some reader of an unknown make"], "Some reader of an unknown make"),
        ("acr122u", [ONE], ONE),
        ("ACR122U", [ONE, TWO], "several"),
        ("01 00", [ONE, TWO], TWO),
        (ONE, [ONE, ONE + " longer"], ONE),
        ("Omnikey", [ONE, TWO], "none"),
    ],
)
def test_a_reader_is_found_by_a_part_of_its_name(part: str, names: list[str], found: str) -> None:
    assert find_reader(part, names) == found


def test_the_profile_that_comes_along_has_one_reader_and_no_wire() -> None:
    wiring = load_profile("usb")
    assert [str(address) for address in wiring.readers.values()] == ["pcsc:*"]
    assert wiring.by_turns
    assert parse_profile("usb", format_profile(wiring)) == wiring
    assert not list(wiring.pin_uses())
    assert not wiring.config_lines()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (PROFILE.format("*", "01 00"), "places 1 and 2 have the same address pcsc:[*]"),
        (PROFILE.format("01 00", "01 00"), "places 1 and 2 have the same address"),
        (PROFILE.format("00 00", " "), "readers.2 is pcsc: ;"),
    ],
)
def test_what_is_unclear_is_refused_in_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(WiringError, match=sentence):
        parse_profile("two", text)
