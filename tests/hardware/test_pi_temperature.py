"""What a Pi says of itself, read from trees of files as its kernels make them."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.host.health import PiStatus, merge_pi_status
from hardware.pi_temperature import NOT_BEFORE, read_pi_status

SOC = "sys/devices/platform/soc/soc:firmware/get_throttled"
PI = {
    "proc/device-tree/model": "Raspberry Pi 4 Model B Rev 1.4\0",
    "proc/meminfo": "MemTotal:        3884340 kB\nMemAvailable:    3200000 kB\nHugePages: 0\n",
    "sys/class/thermal/thermal_zone0/type": "cpu-thermal\n",
    "sys/class/thermal/thermal_zone0/temp": "48212\n",
    "sys/class/hwmon/hwmon0/name": "cpu_thermal\n",
    "sys/class/hwmon/hwmon1/name": "rpi_volt\n",
    "sys/class/hwmon/hwmon1/in0_lcrit_alarm": "0\n",
    "run/systemd/timesync/synchronized": "",
}


def tree(root: Path, without: tuple[str, ...] = (), **files: str) -> PiStatus:
    """A Pi whose files say this, some of them not there."""
    for name, said in (PI | files).items():
        if not name.startswith(without or "nothing"):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(said)
    return read_pi_status(root)


VOLT = ("sys/class/hwmon/hwmon1",)


def test_a_pi_that_is_well(tmp_path: Path) -> None:
    assert tree(tmp_path) == PiStatus(
        model="Raspberry Pi 4 Model B Rev 1.4",
        celsius=48.212,
        low=False,
        clock_set=True,
        memory_mib=3793,
        memory_free_mib=3125,
    )


def test_the_kernel_watches_the_supply(tmp_path: Path) -> None:
    board = tree(tmp_path, **{"sys/class/hwmon/hwmon1/in0_lcrit_alarm": "1\n"})
    assert (board.low, board.was_low, board.slowed) == (True, None, None)


@pytest.mark.parametrize(
    ("bits", "low", "was_low", "slowed", "was_slowed"),
    [
        ("0", False, False, False, False),
        ("50005", True, True, True, True),
        ("0x50000", False, True, False, True),
        ("20002", False, False, True, True),
        ("80008", False, False, False, False),  # a Pi 3B+ from 60 °C on
    ],
)
def test_an_older_kernel_tells_it_in_bits(tmp_path: Path, bits: str, low: bool, was_low: bool,
                                          slowed: bool, was_slowed: bool) -> None:  # fmt: skip
    board = tree(tmp_path, VOLT, **{SOC: f"{bits}\n"})
    assert (board.low, board.was_low) == (low, was_low)
    assert (board.slowed, board.was_slowed) == (slowed, was_slowed)


@pytest.mark.parametrize(("since", "clock_set"), [(NOT_BEFORE + 1, True), (86_400, False)])
def test_a_clock_with_a_battery_knows_the_time(tmp_path: Path, since: int, clock_set: bool) -> None:
    (tmp_path / "run/systemd/timesync").mkdir(parents=True)
    rtc = {"sys/class/rtc/rtc0/hctosys": "1\n", "sys/class/rtc/rtc0/since_epoch": f"{since}\n"}
    assert tree(tmp_path, ("run/",), **rtc).clock_set is clock_set


@given(st.binary(max_size=40))
def test_whatever_stands_in_the_files_nothing_falls_over(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    root = tmp_path_factory.mktemp("pi")
    for name in [*PI, SOC, "sys/class/rtc/rtc0/hctosys", "sys/class/rtc/rtc0/since_epoch"]:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)
    board = read_pi_status(root)
    assert board.celsius is None, "no zone of a processor is called that"
    assert board.low in (None, False, True)


def test_what_was_so_for_a_moment_is_remembered() -> None:
    board = PiStatus()
    for now in (PiStatus(celsius=83.0, low=True), PiStatus(celsius=50.0, low=False), PiStatus()):
        board = merge_pi_status(board, now)
    assert (board.low, board.was_low, board.hottest, board.was_slowed) == (None, True, 83.0, None)
    assert merge_pi_status(PiStatus(), PiStatus(celsius=50.0, low=False, slowed=False)) == PiStatus(
        celsius=50.0, hottest=50.0, low=False, was_low=False, slowed=False, was_slowed=False
    )
