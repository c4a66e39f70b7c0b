"""Say which card comes to lie where: the shortest program that uses the readers.

python examples/reader_simpletest.py                       on a Pi, the default wiring
python examples/reader_simpletest.py sim                   on the simulated table
python examples/reader_simpletest.py pi five-readers       with another wiring profile
"""
# ruff: noqa: T201  (an example prints)

import sys
import time

from companion.core.sensor_events import Arrived, FellSilent, Left, ReaderFound, ReaderLost
from hardware.backends import connect
from hardware.errors import NotConnected, WiringError

VERBS = {Arrived: "came to", Left: "left", FellSilent: "fell silent at"}


def main(backend: str = "pi", profile: str = "eight-readers") -> None:
    senses, lamps = connect(backend, profile)
    if backend == "sim":
        senses.world.put("04a1b2c3d4e5f6", reader=2)  # type: ignore[attr-defined]  by hand
    try:
        print("Lay cards on the readers; Ctrl-C ends.")
        while True:
            for news in senses.sense():
                if isinstance(news, Arrived | Left | FellSilent):
                    verb = VERBS[type(news)]
                    card = f"the card with …{news.tag[-4:]}"
                    print(f"{news.at:8.2f} s  {card} {verb} place {news.place}")
                elif isinstance(news, ReaderLost | ReaderFound):
                    verb = "is lost" if isinstance(news, ReaderLost) else "is back"
                    print(f"{news.at:8.2f} s  the reader of place {news.place} {verb}")
            time.sleep(0.05)
    except KeyboardInterrupt:
        print()
    finally:
        senses.close()
        lamps.close()


if __name__ == "__main__":
    try:
        main(*sys.argv[1:3])
    except (NotConnected, WiringError) as trouble:
        raise SystemExit(str(trouble)) from None
