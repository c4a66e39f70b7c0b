"""The transmitter: drivers, their phase and their conductance, and the field that they give."""

import pytest

from hardware.simulator import registers as r
from hardware.simulator.field import field_strength

USUAL_N, USUAL_P = r.RESET[r.GS_N], r.RESET[r.CW_GS_P]


@pytest.mark.parametrize(
    ("tx_control", "field"),
    [
        (0x80, 0.0),  # after a reset both drivers are off
        (0x83, 1.0),  # TX2 inverted against TX1
        (0x43, 1.0),  # TX1 inverted against TX2
        (0x03, 0.0),  # in phase they cancel each other
        (0xC3, 0.0),
        (0x81, 0.5),
        (0x82, 0.5),
        (0x01, 0.5),
    ],
)
def test_the_field_follows_the_drivers(tx_control: int, field: float) -> None:
    assert field_strength(tx_control, USUAL_N, USUAL_P) == pytest.approx(field)


def test_more_conductance_gives_more_field_and_none_gives_none() -> None:
    by_p = [field_strength(0x83, USUAL_N, p) for p in range(64)]
    by_n = [field_strength(0x83, n << 4, USUAL_P) for n in range(16)]
    for fields in (by_p, by_n):
        assert fields == sorted(fields)
        assert fields[0] == 0.0
        assert len(set(fields)) == len(fields)
    assert by_p[63] == pytest.approx(1.09, abs=0.02)
    assert by_p[1] == pytest.approx(0.17, abs=0.02)
