"""Temperature and health of a Raspberry Pi, read from files: heat, supply, clock, memory.

Laws: files are read, none is written and nothing is started, so the sandbox of the service allows
it; a file that is missing or cannot be parsed means unknown. Where the kernel watches the supply
itself (`rpi_volt`) the older `get_throttled` is not read: reading it makes the kernel complain in
its log, and kernels since the spring of 2025 no longer have it.
"""

from pathlib import Path

from companion.host.health import PiStatus

MODEL = "proc/device-tree/model"
MEMORY = "proc/meminfo"
SENSORS, ZONES = "sys/class/hwmon", "sys/class/thermal"
VOLTAGE, ALARM = "rpi_volt", "in0_lcrit_alarm"
THROTTLED = "sys/devices/platform/soc/soc:firmware/get_throttled"
LOW, CAPPED, THROTTLING = 1 << 0, 1 << 1, 1 << 2
"""Of `get_throttled`; a soft limit of the heat (bit 3) is how a Pi 3B+ always works."""
SINCE_BOOT = 16
"""This many bits further up says whether it has been so since the start."""
KEEPS_TIME = "run/systemd/timesync"
SET = f"{KEEPS_TIME}/synchronized"
CLOCK, CLOCK_SET_FROM = "sys/class/rtc/rtc0/since_epoch", "sys/class/rtc/rtc0/hctosys"
NOT_BEFORE = 1_760_000_000
"""A clock with a battery that shows a day before October 2025 had none."""
LONGEST = 8192


def read_pi_status(root: Path = Path("/")) -> PiStatus:
    """Return the state of the machine at this moment."""
    low, was_low, slowed, was_slowed = _read_supply_flags(root)
    memory = _read_memory(root)
    return PiStatus(
        model=(_read_text(root / MODEL) or "").rstrip("\0 \n"),
        celsius=_read_temperature(root),
        low=low,
        was_low=was_low,
        slowed=slowed,
        was_slowed=was_slowed,
        clock_set=_is_clock_set(root),
        memory_mib=memory.get("MemTotal"),
        memory_free_mib=memory.get("MemAvailable"),
    )


def _read_temperature(root: Path) -> float | None:
    """Return the processor's temperature in °C; a Pi has one such zone."""
    for zone in sorted((root / ZONES).glob("thermal_zone*")):
        if (_read_text(zone / "type") or "").startswith("cpu"):
            thousandths = _parse_number(_read_text(zone / "temp"))
            return None if thousandths is None else thousandths / 1000
    return None


def _read_supply_flags(root: Path) -> tuple[bool | None, bool | None, bool | None, bool | None]:
    """Return supply low now and since boot, then throttled now and since boot."""
    for sensor in sorted((root / SENSORS).glob("hwmon*")):
        if _read_text(sensor / "name") == VOLTAGE:
            alarm = _parse_number(_read_text(sensor / ALARM))
            return None if alarm is None else alarm > 0, None, None, None
    try:
        bits = int(_read_text(root / THROTTLED) or "", 16)
    except ValueError:
        return None, None, None, None
    before, slow = bits >> SINCE_BOOT, CAPPED | THROTTLING
    return bool(bits & LOW), bool(before & LOW), bool(bits & slow), bool(before & slow)


def _is_clock_set(root: Path) -> bool | None:
    """Return whether a time server or a battery-backed clock has set the time."""
    own = (
        _read_text(root / CLOCK_SET_FROM) == "1"
        and (_parse_number(_read_text(root / CLOCK)) or 0) >= NOT_BEFORE
    )
    if own or (root / SET).exists():
        return True
    return False if (root / KEEPS_TIME).is_dir() else None


def _read_memory(root: Path) -> dict[str, int]:
    """Return the memory figures in MiB, by the kernel's names."""
    found = {}
    for line in (_read_text(root / MEMORY) or "").splitlines():
        name, _, amount = line.partition(":")
        if amount.endswith(" kB") and amount[:-3].strip().isdecimal():
            found[name] = int(amount[:-3]) // 1024
    return found


def _read_text(file: Path) -> str | None:
    """Return the text of a file; None if it cannot be read."""
    try:
        with file.open("rb") as opened:
            return opened.read(LONGEST).decode().strip()
    except (OSError, ValueError):
        return None


def _parse_number(text: str | None) -> float | None:
    try:
        found = float(text or "")
    except ValueError:
        return None
    return found if abs(found) < 1e12 else None
