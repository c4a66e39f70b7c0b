"""Draws one SVG as PNG, in a process of its own: the SVG comes in by standard input, the PNG goes
out by standard output, and the arguments are the font files.

Laws: it knows no fonts but those, so that a picture is the same on every machine; only for letters
that they lack, in the name of a guest, it asks those of the machine. It is run as a file and
imports nothing of ours: it starts in a hundredth of a second, at a low priority, and the kernel
ends it before the table when memory runs out.
"""

import os
import sys
from contextlib import suppress
from pathlib import Path

LATIN, SIGNS = range(0x250), range(0x2000, 0x2700)
"""What our fonts have, with some signs that they lack and that no name is made of."""
NICENESS = 10
OOM_SCORE = "1000"


def main(fonts: list[str]) -> None:
    """Draw what comes in; raise ValueError for what is no SVG."""
    import resvg_py  # noqa: PLC0415 – only this process needs it.

    with suppress(OSError):
        os.nice(NICENESS)
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(OOM_SCORE, "ascii")
    svg = sys.stdin.buffer.read().decode()
    is_ours = all(ord(letter) in LATIN or ord(letter) in SIGNS for letter in svg)
    drawn = resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=is_ours, font_files=fonts)
    sys.stdout.buffer.write(drawn)


if __name__ == "__main__":
    main(sys.argv[1:])
