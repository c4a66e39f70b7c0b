"""config.txt: the lines that the wiring needs, between two marks of ours.

Law: all other lines stay as they are, to the byte; where one forbids what the wiring needs, the
run stops with one sentence, and nothing is written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .machine import InstallFailed, TargetMachine
from .pi import CONFIG_TXT
from .step import InstallStep

FIRST = "# >>> table companion: for its wiring profile; systemd/install writes this anew"
LAST = "# <<< table companion"
BLOCK = re.compile(rf"\n?{re.escape(FIRST)}\n.*?{re.escape(LAST)}\n", re.DOTALL)
OVERLAY = re.compile(r"dtoverlay=(spi\d)-")
SPI_OFF = re.compile(r"dtparam=(.*,)?spi=(off|0|false|no)\b")
I2C_ON = re.compile(r"dtparam=(.*,)?(i2c_arm|i2c|i2c1)(=(on|1|true|yes))?(,|$)")
I2C_PINS = {2, 3}


def insert_lines(text: str, lines: Sequence[str]) -> str:
    """Return config.txt with exactly these lines in our block, for every model; none, no block."""
    others = remove_block(text)
    if not lines:
        return others
    block = "\n".join((FIRST, "[all]", *lines, LAST))
    return f"{others}\n{block}\n"


def remove_block(text: str) -> str:
    """Return config.txt without our block."""
    return BLOCK.sub("", text)


def check_conflicts(text: str, lines: Sequence[str], pins: Sequence[int]) -> None:
    """Raise InstallFailed if lines outside our block contradict those that the wiring needs."""
    ours = {found[1]: line for line in lines if (found := OVERLAY.match(line))}
    for line in map(str.strip, remove_block(text).splitlines()):
        found = OVERLAY.match(line)
        needed = ours.get(found[1]) if found else None
        if (needed and line != needed) or (lines and SPI_OFF.match(line)):
            wish = needed or lines[0]
            raise InstallFailed(
                f"{CONFIG_TXT} says {line}, where the wiring needs {wish}: take that line out, "
                "then run this again."
            )
        if I2C_ON.match(line) and I2C_PINS & set(pins):
            raise InstallFailed(
                f"{CONFIG_TXT} says {line}, which takes the pins BCM 2 and 3 that the wiring uses: "
                "take that line out, then run this again."
            )


def boot_step(machine: TargetMachine, lines: Sequence[str] | None) -> InstallStep:
    """Return the step that writes our block; its lines are unknown before the first version is
    built."""

    def is_done() -> bool:
        text = machine.read_text(CONFIG_TXT)
        return lines is not None and insert_lines(text, lines) == text

    def apply() -> None:
        machine.write_file(CONFIG_TXT, insert_lines(machine.read_text(CONFIG_TXT), lines or ()))

    def can_undo() -> bool:
        return FIRST in machine.read_text(CONFIG_TXT) or machine.is_half_written(CONFIG_TXT)

    def undo() -> None:
        machine.write_file(CONFIG_TXT, remove_block(machine.read_text(CONFIG_TXT)))

    needed = "what the wiring profile needs" if lines is None else ", ".join(lines) or "nothing"
    return InstallStep(f"{needed} in {CONFIG_TXT}", is_done, apply, can_undo, undo)
