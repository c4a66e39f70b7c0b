"""A press lights the lamp of its seat, the next one lets it blink, and so on round.

python examples/button_simpletest.py                       on a Pi, the default wiring
python examples/button_simpletest.py sim                   on the simulated table
"""
# ruff: noqa: T201  (an example prints)

import sys
import time
from itertools import cycle

from companion.core.sensor_events import ButtonPressed, Lamp
from hardware.backends import connect
from hardware.errors import NotConnected, WiringError

SHOWS: tuple[Lamp, ...] = ("on", "slow", "fast", "off")


def main(backend: str = "pi", profile: str = "eight-readers") -> None:
    senses, lamps = connect(backend, profile)
    if backend == "sim":
        senses.world.tap(2)  # type: ignore[attr-defined]  by hand
    shows = {seat: cycle(SHOWS) for seat in range(1, 7)}
    try:
        print("Press the buttons, shortly or for two seconds; Ctrl-C ends.")
        while True:
            for news in senses.sense():
                if isinstance(news, ButtonPressed):
                    show = next(shows[news.seat])
                    lamps.light(news.seat, show)
                    how = "held" if news.held else "pressed"
                    print(f"{news.at:8.2f} s  seat {news.seat} {how}, its lamp: {show}")
            time.sleep(0.02)
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
