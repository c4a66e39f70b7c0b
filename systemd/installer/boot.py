"""config.txt: the lines that the wiring needs, between two marks of ours.

Law: what somebody else wrote there stays as it is, to the byte; where it forbids what the wiring
needs, that is one sentence, and nothing is written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .machine import Failed, Machine
from .pi import CONFIG_TXT
from .step import Step

FIRST = "# >>> table companion: for its wiring profile; systemd/install writes this anew"
LAST = "# <<< table companion"
BLOCK = re.compile(rf"\n?{re.escape(FIRST)}\n.*?{re.escape(LAST)}\n", re.DOTALL)
OVERLAY = re.compile(r"dtoverlay=(spi\d)-")
SPI_OFF = re.compile(r"dtparam=(.*,)?spi=(off|0|false|no)\b")
I2C_ON = re.compile(r"dtparam=(.*,)?(i2c_arm|i2c|i2c1)(=(on|1|true|yes))?(,|$)")
I2C_PINS = {2, 3}


def with_lines(text: str, lines: Sequence[str]) -> str:
    """config.txt with exactly these lines in our block, for every model; none, no block."""
    others = without(text)
    if not lines:
        return others
    block = "\n".join((FIRST, "[all]", *lines, LAST))
    return f"{others}\n{block}\n"


def without(text: str) -> str:
    """config.txt as it was before us."""
    return BLOCK.sub("", text)


def check(text: str, lines: Sequence[str], pins: Sequence[int]) -> None:
    """Whether somebody else's lines let ours be."""
    ours = {found[1]: line for line in lines if (found := OVERLAY.match(line))}
    for line in map(str.strip, without(text).splitlines()):
        found = OVERLAY.match(line)
        needed = ours.get(found[1]) if found else None
        if (needed and line != needed) or (lines and SPI_OFF.match(line)):
            wish = needed or lines[0]
            raise Failed(
                f"{CONFIG_TXT} says {line}, where the wiring needs {wish}: take that line out, "
                "then run this again."
            )
        if I2C_ON.match(line) and I2C_PINS & set(pins):
            raise Failed(
                f"{CONFIG_TXT} says {line}, which takes the pins BCM 2 and 3 that the wiring uses: "
                "take that line out, then run this again."
            )


def step(machine: Machine, lines: Sequence[str] | None) -> Step:
    """The block as a step; nobody knows its lines before the first version stands."""

    def done() -> bool:
        text = machine.text(CONFIG_TXT)
        return lines is not None and with_lines(text, lines) == text

    def do() -> None:
        machine.write(CONFIG_TXT, with_lines(machine.text(CONFIG_TXT), lines or ()))

    def there() -> bool:
        return FIRST in machine.text(CONFIG_TXT) or machine.on_its_way(CONFIG_TXT)

    def undo() -> None:
        machine.write(CONFIG_TXT, without(machine.text(CONFIG_TXT)))

    needed = "what the wiring profile needs" if lines is None else ", ".join(lines) or "nothing"
    return Step(f"{needed} in {CONFIG_TXT}", done, do, there, undo)
