"""Status lights: the health of a table as lights, each with a sentence and a cure.

Laws: what is unknown has no light. Green is as it should be, amber goes on and wants looking after,
red is to be put right at once; every light that is not green says in one sentence what to do. No
light depends on a game or on its players. The monitor runs on the thread of the event loop, often
enough to notice a supply that sags for a moment; asking for the lights never makes it look. The
report is built number by number, with no path, tag or name.
"""

import platform
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import PurePath

from companion import __version__
from companion.core.i18n import N_, Message, message
from companion.core.installation import RESTART, read_update_fault
from companion.games import broken_games
from companion.host.health import Colour, Health, Light, PiStatus, merge_pi_status
from companion.host.table_source import TableSource
from companion.journal import Journal

WORST_FIRST: tuple[Colour, ...] = ("red", "amber", "green")

MIB = 1024 * 1024
LITTLE, NEXT_TO_NOTHING = 500 * MIB, 50 * MIB
"""Bytes free on the disk: below 500 MB its light is amber, below 50 MB red."""
WARM, HOT = 75.0, 80.0
"""The light for heat is amber from 75 °C, red from 80 °C, where a Pi slows itself down."""
LOOSE = 3
"""Healings an hour that make a wire suspect."""
OWN = "own"
"""Name of a wiring that is a file, which may bear any name."""
MAKE_ROOM = message(
    "Make room on the disk; if the card is worn out, restore a backup on a new one."
)


def health_lights(health: Health) -> tuple[Light, ...]:
    """Return every light about which something is known, the worst first."""
    found = [light for _, shine in LIGHTS.values() if (light := shine(health)) is not None]
    return tuple(sorted(found, key=lambda light: WORST_FIRST.index(light.colour)))


def worst_colour(shining: Iterable[Light]) -> Colour:
    """Return the colour of the whole table."""
    return min((light.colour for light in shining), key=WORST_FIRST.index, default="green")


def light_colours(shining: Iterable[Light]) -> dict[str, Colour]:
    """Return the colour of each light by its name."""
    return {light.name: light.colour for light in shining}


def readers_light(health: Health) -> Light:
    readers = health.readers
    if not readers:
        return Light("readers", "green", message("There is no reader at this table."))
    silent = [reader.place for reader in readers if reader.word == "offline"]
    text = (
        "Push the plug in again. If that is no help, stop the companion and type: companion doctor"
    )
    cure = message(text)
    if len(silent) == len(readers):
        says = message("No reader answers: tap everything on the phones.")
        return Light("readers", "red", says, cure)
    if silent:
        return Light("readers", "amber", name_silent_readers(silent), cure)
    enough = LOOSE * max(1.0, health.uptime / 3600)
    loose = [reader.place for reader in readers if reader.healings >= enough]
    if loose:
        text = "Readers that keep falling silent: {numbers}."
        cure = message("Press their plugs home, keep their bus below 1.2 m, look at their 3.3 V.")
        return Light("readers", "amber", message(text, numbers=loose), cure)
    return Light("readers", "green", message("fine"))


def name_silent_readers(silent: Sequence[int]) -> Message:
    """Return the sentence that these readers do not answer."""
    if len(silent) == 1:
        return message("Reader {n} does not answer.", n=silent[0])
    return message("Readers {numbers} do not answer.", numbers=silent)


def wires_light(health: Health) -> Light:
    if health.unwired is not None:
        cure = message("Put that right, then type: {command}", command=RESTART)
        return Light("wires", "red", health.unwired, cure)
    if health.stuck:
        says = message("Seats whose button stays down: {numbers}.", numbers=health.stuck)
        cure = message("Look for a bent contact, or a wire of theirs that touches ground.")
        return Light("wires", "amber", says, cure)
    plan = message("As in the plan “{name}”", name=health.wiring)
    return Light("wires", "green", message("fine") if health.wiring == OWN else plan)


def power_light(health: Health) -> Light | None:
    board = health.board
    cure = message("Take the supply made for this Pi, and another one for the readers.")
    if board.low:
        return Light("power", "red", message("The voltage is too low."), cure)
    if board.was_low:
        return Light("power", "amber", message("The voltage is too low."), cure)
    return None if board.low is None else Light("power", "green", message("fine"))


def heat_light(health: Health) -> Light | None:
    board, degrees = health.board, health.board.celsius
    cure = message("Give the Pi air: a heat sink, a fan, no sun, no closed box.")
    is_hot = degrees is not None and degrees >= HOT
    if is_hot or (board.slowed and not board.low):
        return Light("heat", "red", message("The Pi slows itself down."), cure)
    if (board.hottest or 0.0) >= HOT or (board.was_slowed and not board.was_low):
        return Light("heat", "amber", message("The Pi was too hot for a while."), cure)
    if degrees is None:
        return None
    says = message("{n}\u00a0°C", n=round(degrees))
    return Light("heat", "amber", says, cure) if degrees >= WARM else Light("heat", "green", says)


def disk_light(health: Health) -> Light | None:
    free = health.journal.free
    if free is None:
        return None
    says = message("{n}\u00a0GB free", n=free // MIB // 1024)
    if free < 4096 * MIB:
        says = message("{n}\u00a0MB free", n=free // MIB)
    if free >= LITTLE:
        return Light("disk", "green", says)
    return Light("disk", "red" if free < NEXT_TO_NOTHING else "amber", says, MAKE_ROOM)


def clock_light(health: Health) -> Light | None:
    cure = message(
        "Play on: the order of the moments does not depend on the clock. A short "
        "connection to the internet sets it."
    )
    if health.board.clock_set is False:
        text = "The clock has not been set since the Pi was switched on: dates may be wrong."
        return Light("clock", "amber", message(text), cure)
    return Light("clock", "green", message("fine")) if health.board.clock_set else None


def journal_light(health: Health) -> Light:
    journal = health.journal
    if health.unwritten is not None:
        return Light("journal", "red", health.unwritten, MAKE_ROOM)
    if journal.mended:
        cure = message("Play on, and take a backup; a card that does this again is worn out.")
        return Light("journal", "amber", message("had to be mended"), cure)
    if journal.checked is None:
        return Light("journal", "green", message("is being checked"))
    return Light("journal", "green", message("fine"))


def decks_light(health: Health) -> Light | None:
    """Light up only where there are readers; a box without stickers may not be here at all."""
    if not health.readers:
        return None
    cure = message("Between two games, say which sticker is on which card.")
    known = [box for box in health.boxes if box.stickers]
    if not known:
        says = message("No box is enrolled. Until then, tap the cards on the phones.")
        return Light("decks", "amber", says, cure)
    if lacking := [box.title for box in known if box.stickers < box.total]:
        says = message("Stickers are missing in {several}.", several=lacking)
        return Light("decks", "amber", says, cure)
    return Light("decks", "green", message("fine"))


def games_light(health: Health) -> Light:
    if not health.broken_games:
        return Light("games", "green", message("fine"))
    cure = message("Update that package or remove it, then start the companion again.")
    return Light("games", "amber", Message("{news}", {"news": health.broken_games}), cure)


def version_light(health: Health) -> Light:
    if health.update_fault is not None:
        cure = message("Why is in the log: journalctl -u companion")
        return Light("version", "amber", health.update_fault, cure)
    return Light("version", "green", Message("{version}", {"version": health.companion}))


LIGHTS: Mapping[str, tuple[str, Callable[[Health], Light | None]]] = {
    "readers": (N_("Readers"), readers_light),
    "wires": (N_("Wires"), wires_light),
    "power": (N_("Power"), power_light),
    "heat": (N_("Heat"), heat_light),
    "disk": (N_("Disk"), disk_light),
    "clock": (N_("Clock"), clock_light),
    "journal": (N_("Saved games"), journal_light),
    "decks": (N_("Stickers"), decks_light),
    "games": (N_("Games"), games_light),
    "version": (N_("Version"), version_light),
}
"""The title of every light, and the function that finds it, by its name in the API."""
NAMES = {name: title for name, (title, _) in LIGHTS.items()}


CHECK_EVERY = 2.0
NOTIFY_EVERY = 10.0
"""Seconds between two words to the pages, unless a light has changed."""


class HealthMonitor:
    """Looks after one table."""

    def __init__(
        self,
        source: TableSource,
        journal: Journal,
        clock: Callable[[], float],
        read_pi: Callable[[], PiStatus],
        profiles: Sequence[str],
    ) -> None:
        self._source, self._journal, self._clock = source, journal, clock
        self._read_pi, self._profiles = read_pi, profiles
        self._started_at = clock()
        self._board = PiStatus()
        self.lights: tuple[Light, ...] = ()
        """The lights of the last look."""
        self._checked_at = self._notified_at = float("-inf")
        self._notified: object = None
        self._colours: object = None

    def check(self) -> None:
        """Examine the machine, if it is time to, and notify the pages of changes."""
        now = self._clock()
        if now < self._checked_at + CHECK_EVERY:
            return
        self._checked_at, health = now, self.read_health()
        facts, colours = (self.lights, health.readers), light_colours(self.lights)
        # A light that has changed is told at once, all else every ten seconds.
        is_due = colours != self._colours or now >= self._notified_at + NOTIFY_EVERY
        if facts != self._notified and is_due:
            self._notified, self._colours, self._notified_at = facts, colours, now
            self._source.table.notify_watchers()

    def read_health(self) -> Health:
        """Look, and return how the table is now."""
        self._board = merge_pi_status(self._board, self._read_pi())
        source, faults = self._source, self._source.table.faults
        profile = PurePath(source.wiring).stem
        health = Health(
            companion=__version__,
            python=platform.python_version(),
            wiring=profile if profile in self._profiles else OWN,
            readers=tuple(source.wires.conditions()),
            boxes=source.read_boxes(),
            journal=self._journal.health(faults.checked_at),
            uptime=self._clock() - self._started_at,
            board=self._board,
            unwired=source.unwired,
            unwritten=faults.write_fault,
            stuck=tuple(source.wires.stuck_buttons()),
            update_fault=read_update_fault(__version__),
            broken_games=tuple(broken.say for broken in broken_games()),
        )
        self.lights = health_lights(health)
        return health
