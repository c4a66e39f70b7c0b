"""The PIN on its way: what is heard opens to the PIN for one floor and one browser alone."""

from hypothesis import given
from hypothesis import strategies as st

from companion.floor.pin_seal import MOST, PinSeal
from tests.worlds.floor_browser import seal_pin

SIGNER, OTHER = "11" * 32, "22" * 32
pins = st.text(st.characters(min_codepoint=1, codec="utf-8"), min_size=1, max_size=8)


@given(pins)
def test_a_pin_is_read_by_its_floor_and_from_its_browser_alone(pin: str) -> None:
    floor, other_floor = PinSeal(), PinSeal()
    sealed = seal_pin(pin, floor.public_key, SIGNER)
    assert floor.open_pin(sealed, SIGNER) == pin
    assert floor.open_pin(sealed, OTHER) != pin
    assert other_floor.open_pin(sealed, SIGNER) != pin


def test_a_pin_is_sealed_anew_each_time_and_its_length_does_not_show() -> None:
    floor = PinSeal()
    sealed = {seal_pin("123456", floor.public_key, SIGNER) for _ in range(20)}
    assert len(sealed) == 20
    assert {len(one) for one in sealed} == {2 * 2 * MOST} == {
        len(seal_pin("1", floor.public_key, SIGNER))
    }  # fmt: skip


@given(st.text(max_size=130) | st.binary(min_size=64, max_size=64).map(bytes.hex))
def test_what_is_no_sealed_pin_is_not_taken_for_one(sent: str) -> None:
    assert PinSeal().open_pin(sent, SIGNER) != "123456"


def test_points_that_would_say_something_of_the_key_open_nothing() -> None:
    """The identity, the point of order two, zero, and one that is not on the curve."""
    floor = PinSeal()
    for point in ("01" + "00" * 31, "ec" + "ff" * 30 + "7f", "00" * 32, "02" + "00" * 31):
        assert floor.open_pin(point + "00" * 32, SIGNER) == ""
