"""The support bundle: what somebody far away has to know to help with this table.

Laws: it is built from reports and from nothing else, so there is in it no name of a person, no
bid, no seal, no tag, no cookie, no PIN, no path and no line of the journal; the same facts are the
same bytes; and it is small enough for a letter. The host's page and the command line make it alike.
"""

import io
import zipfile

import msgspec

from companion.host.report import Machine, Played, Report

LONGEST = 16 * 1024
"""So many bytes of one part; a table has never that much to say."""
EPOCH = (1980, 1, 1, 0, 0, 0)
READ_ME = """\
How this table was when somebody asked for help.

health.json   the companion, its readers, boxes, journal, clock, disk, board and lights
game.json     what is played: the box, its house rules, the phase, how many moments
trouble.txt   what the table itself says is wrong

If it was asked for at the command line, health.json is what the disk tells, without the readers;
the readers are in

last.json     the last report of the companion that runs here, or ran here
machine.json  the system, whether a companion runs, the keys of its config

There are no names, bids, seals, stickers, cookies, PINs or paths in here, and no line of the
journal: it may be handed on.
"""


def bundle(
    health: Report,
    game: Played | None = None,
    machine: Machine | None = None,
    last: Report | None = None,
) -> bytes:
    """The bundle as a zip file."""
    parts = {
        "README.txt": READ_ME.encode(),
        "health.json": _json(health),
        "game.json": _json(game),
        "trouble.txt": "".join(f"{line}\n" for line in health.trouble).encode(),
    }
    if machine is not None:
        parts |= {"last.json": _json(last), "machine.json": _json(machine)}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for name, part in parts.items():
            file.writestr(zipfile.ZipInfo(name, EPOCH), part[:LONGEST], zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _json(what: Report | Played | Machine | None) -> bytes:
    return msgspec.json.format(msgspec.json.encode(what), indent=2) + b"\n"
