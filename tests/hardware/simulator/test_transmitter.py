"""The transmitter: drivers, their phase and their conductance, and the field that they give."""

import pytest

from hardware.simulator import registers as r
from hardware.simulator.field import field_strength
from hardware.simulator.world import World
from tests.hardware.simulator.probe import Probe

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


def test_only_the_conductance_without_modulation_counts() -> None:
    assert field_strength(0x83, USUAL_N | 0x0F, USUAL_P) == 1.0
    assert field_strength(0x83, USUAL_N, USUAL_P | 0xC0) == 1.0


def test_the_chip_drives_its_antenna_by_its_registers() -> None:
    world = World(1)
    host, antenna = Probe(world), world.field.antennas[0]
    for register, value, field in (
        (r.CW_GS_P, 0x01, 0.17),
        (r.CW_GS_P, 0x20, 1.0),
        (r.GS_N, 0x18, 0.49),
        (r.GS_N, 0x88, 1.0),
        (r.TX_CONTROL, 0x81, 0.5),
        (r.TX_CONTROL, 0x80, 0.0),
    ):
        host.write_register(register, value)
        assert antenna.drive == pytest.approx(field, abs=0.01)


def test_a_bare_carrier_on_tx2_fills_the_pauses() -> None:
    world = World(1)
    world.put("11223344", 0)
    host = Probe(world)
    host.write_register(r.TX_CONTROL, 0x8B)
    world.sleep(0.01)
    assert host.send_frame(b"\x26", last_bits=7).answer.length == 0
    host.write_register(r.TX_CONTROL, 0x83)
    assert host.send_frame(b"\x26", last_bits=7).answer.length == 16
