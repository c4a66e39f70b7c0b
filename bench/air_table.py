"""Compute the table of couplings by Neumann's formula, print its figures, and store it.

`python -m bench.air_table` prints what follows from the assumptions; `--coil 50 --sticker 20 …`
changes them, and `--out FILE` stores the table, by default as the one that the simulator uses.
"""

import argparse
from pathlib import Path

import msgspec

from hardware.simulator.air.neumann import Coils
from hardware.simulator.air.table import (
    REFERENCE,
    STORED,
    compute_table,
    reader_coupling,
    sticker_coupling,
    write_table,
)

CARD = (63.0, 88.0)
INSET = 5.0
"""From the edges of a card to a sticker in its corner."""


def print_figures(coils: Coils) -> None:
    """Print the couplings that decide where a sticker belongs."""
    slot = coils.slot_pitch / 2
    corner = tuple(side / 2 - INSET - coils.sticker / 2 for side in CARD)
    for what, (x, y) in {
        **{f"{mm:g} mm aside": (mm, 0.0) for mm in (0.0, 8.0, 12.5, 20.0)},
        "in a corner of the card": (corner[0], corner[1]),
        "in one of 2×2 slots": (slot, slot),
        "there, 5 mm askew along each edge": (slot + 5, slot + 5),
        "at the next place": (coils.place_pitch, 0.0),
        "at a place 80 mm away": (80.0, 0.0),
    }.items():
        print(f"{what:<36} {reader_coupling(coils, x, y, REFERENCE):7.3f}")
    for height in (2.0, 6.0, 10.0, 15.0, 20.0, 30.0):
        print(f"{height:g} mm above the coil {reader_coupling(coils, 0, 0, height):24.2f}")
    for apart in (0.0, 4.0, 8.0, 12.0, 15.0, 16.0, 20.0):
        print(f"two stickers {apart:g} mm apart {sticker_coupling(coils, apart, 0.6):20.2f}")
    for cards in (1, 2, 4):
        above = 0.6 * (cards + 1)
        print(f"the same slot, {cards} cards between {sticker_coupling(coils, 0, above):14.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    assumed = msgspec.to_builtins(Coils())
    for name, value in assumed.items():
        option = f"--{name.replace('_', '-')}"
        parser.add_argument(option, type=type(value), default=value, metavar=f"{value:g}")
    parser.add_argument("--out", type=Path, nargs="?", const=STORED, help="store the table here")
    options = vars(parser.parse_args())
    out = options.pop("out")
    coils = Coils(**options)
    print_figures(coils)
    if out is not None:
        write_table(compute_table(coils), out)


if __name__ == "__main__":
    main()
