"""`make bench`: every promised figure, its measurement, and the ratio to a peer in this run.

`python -m bench judge viewers` measures those parts alone.
"""

import argparse

from bench import first_visit, hardware_driver, judge, viewers

PARTS = (judge, hardware_driver, viewers, first_visit)
BY_NAME = {part.__name__.removeprefix("bench."): part for part in PARTS}


def main() -> int:
    """Print every figure; return 1 if a promise is not kept on this machine."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(BY_NAME)}")
    asked = parser.parse_args().parts
    unknown = [name for name in asked if name not in BY_NAME]
    if unknown:
        parser.error(f"no such part: {', '.join(unknown)}")
    kept = True
    for part in [BY_NAME[name] for name in asked] or PARTS:
        for figure in part.figures():
            print(figure, flush=True)
            kept = kept and figure.met
    return 0 if kept else 1


raise SystemExit(main())
