"""Which wirings one may choose, and how another one comes to the table.

Law: a wiring that config or command line name is not for the browser to change; what keeps another
one from being opened is said in one sentence, and the one before stays.
"""

from collections.abc import Iterable
from pathlib import Path
from shlex import quote

from companion.app.physical_table import Real
from companion.app.wired import keep_wiring, profile_of, unlearnt
from companion.core.errors import Refusal, refusal
from companion.core.i18n import Say
from companion.setup import Offer, Step
from hardware.advice import CONFIG_FILE
from hardware.rc522.stock import NO_DEVICE
from hardware.wiring import Wiring, load, profiles
from hardware.wiring.profile import TITLES


def offers(said: str | None) -> tuple[Offer, ...]:
    """Every wiring that one may have; the one that is said, where one is."""
    found = [load(name) for name in ([said] if said else profiles())]
    return tuple(
        Offer(
            wiring.name,
            Say(wiring.title) if wiring.title in TITLES else wiring.title,
            len(wiring.readers),
            len(wiring.buttons),
            fixed=said is not None,
        )
        for wiring in found
    )


def spared(wiring: Wiring) -> frozenset[Step]:
    """The steps for which a wiring has nothing."""
    none: dict[Step, bool] = {
        "banks": not wiring.readers,
        "buttons": not wiring.buttons,
        "lamps": not wiring.lamps,
        "stickers": not wiring.readers,
        "check": not wiring.readers,
    }
    return frozenset(step for step, nothing in none.items() if nothing)


def rewired(real: Real, profile: str, offered: Iterable[Offer]) -> Refusal | None:
    """Have this wiring at the table; what was learnt of it stays, if it is the one already."""
    if profile not in [offer.profile for offer in offered]:
        if profile not in profiles():
            return refusal("no_wiring", "T.host", "There is no such wiring.")
        text = "The wiring is said in the config of this table, and can be changed there only."
        return refusal("fixed_wiring", "T.host", text)
    wires = real.wires
    same = Path(profile_of(wires.wiring)).stem == profile
    if same and wires.trouble is None:
        return None
    wiring = wires.wiring if same else unlearnt(profile)
    refused = real.rewire(wiring)
    if refused is None:
        keep_wiring(real.folder, wiring)
        return None
    if refused.say.text not in NO_DEVICE:
        return refused
    text = "{file} lacks what this wiring needs; type: {command}, then restart the Pi."
    command = f"sudo systemd/install --profile {quote(profile_of(wiring))}"
    return refusal("no_wires", "T.host", text, file=CONFIG_FILE, command=command)
