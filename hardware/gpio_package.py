"""Which package reaches the pins on which Pi: the judgement of the doctor.

The extra `pi` names RPi.GPIO; where that fails, rpi-lgpio takes its place under the same module
name.
"""

import re

OLD, NEW = "RPi.GPIO", "rpi-lgpio"
NEW_MODELS = re.compile(r"Raspberry Pi (5|500|Compute Module 5)\b")
NEW_KERNEL = (6, 6)
"""From here on the kernel numbers its pins otherwise, and RPi.GPIO no longer finds them."""


def choose_gpio_package(model: str, kernel: tuple[int, ...]) -> str:
    """Return the package for the pins that works on this board and kernel."""
    return NEW if NEW_MODELS.match(model) or kernel >= NEW_KERNEL else OLD


def parse_kernel(release: str) -> tuple[int, ...]:
    """Return the first two numbers of a kernel's release; none if it has none."""
    found = re.match(r"(\d+)\.(\d+)", release)
    return tuple(map(int, found.groups())) if found else ()
