"""Writing a backup: gathered in a folder beside it, packed, read back, and put in its place.

Law: under its name there is a whole backup or none; only a journal of which every line is proven
goes into one, so that no good backup makes room for a bad one.
"""

import os
import shutil
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import msgspec

from companion.backup.format import (
    CHOSEN,
    CONFIG,
    DECKS,
    JOURNAL,
    MANIFEST,
    MEMBER,
    PIN,
    WIRING,
    Manifest,
    manifest,
    unwritable,
)  # fmt: skip
from companion.backup.privileges import as_owner
from companion.backup.read import Backup
from companion.core.errors import Malformed
from companion.core.i18n import N_, Message
from companion.journal.copy import copy_journal
from companion.journal.schema import sync_to_disk

EPOCH = (1980, 1, 1, 0, 0, 0)

May = Callable[[Path], None]
"""Malformed where this journal may not go out."""


def any_may(_journal: Path) -> None:
    """Every journal may: the backup stays with those who can read the journal as well."""


def write(
    folder: Path, config: Path | None, to: Path, made: str, *, pin: bool = True, may: May = any_may
) -> Manifest:
    """Back up what is in the data folder, and the config, into this file.

    Without the `pin` nobody who has the file can try digits against its hash. Whether its journal
    `may` go out is asked of the very copy that would.
    """
    if not (folder / JOURNAL).exists():
        raise Malformed(str(folder / JOURNAL), N_("There is no journal at {field}."))
    with as_owner(folder) if to.is_relative_to(folder) else nullcontext():
        told, _ = _written(_members(folder, config, pin), folder, to, made, sound=True, may=may)
    return told


def keep(folder: Path, config: Path | None, to: Path, made: str) -> list[Message]:
    """Back up what is left of it, before something else takes its place; what is lost of it."""
    _, lost = _written(_members(folder, config), folder, to, made, sound=False, may=any_may)
    return lost


def _written(
    found: dict[str, Path], folder: Path, to: Path, made: str, sound: bool, may: May
) -> tuple[Manifest, list[Message]]:
    try:
        to.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _room(to.with_name(f".{to.name}.packing")) as beside:
            lost = (_proven if sound else _left)(folder / JOURNAL, beside / JOURNAL)
            may(beside / JOURNAL)
            packed = beside / "packed"
            told = manifest(made, _gathered(found, beside))
            _pack(packed, told, beside)
            with packed.open("rb") as file, Backup(file, to.name) as again:
                again.check()
            packed.replace(to)
            sync_to_disk(to)
    except OSError as error:
        raise unwritable(to, error) from None
    return told, lost


def _proven(journal: Path, to: Path) -> list[Message]:
    lost = copy_journal(journal, to)
    if lost:
        text = N_("{field} is damaged: start the companion, which mends it, and try again.")
        raise Malformed(journal.name, text)
    return lost


def _left(journal: Path, to: Path) -> list[Message]:
    """What is left of it; an empty journal where it is none."""
    try:
        return copy_journal(journal, to)
    except Malformed as nothing:
        copy_journal(to.with_name("none"), to)
        return [nothing.say]


@contextmanager
def _room(beside: Path) -> Iterator[Path]:
    """A folder for our eyes only, which is gone in the end."""
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir(mode=0o700)
    try:
        yield beside
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _members(folder: Path, config: Path | None, pin: bool = True) -> dict[str, Path]:
    """What may go into a backup besides the journal, and where it is if it is there."""
    found = {name: folder / name for name in (*((PIN,) if pin else ()), WIRING, CHOSEN)}
    found |= {CONFIG: config} if config else {}
    return found | {f"{DECKS}/{path.name}": path for path in (folder / DECKS).glob("*.json")}


def _gathered(found: dict[str, Path], beside: Path) -> dict[str, Path]:
    """Each member as it is now; nobody changes it while it is packed."""
    (beside / DECKS).mkdir()
    names = [JOURNAL]
    for name, path in sorted(found.items()):
        if path.is_file() and MEMBER.fullmatch(name):
            (beside / name).write_bytes(path.read_bytes())
            names.append(name)
    return {name: beside / name for name in names}


def _pack(packed: Path, told: Manifest, beside: Path) -> None:
    descriptor = os.open(packed, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as zipped:
            zipped.writestr(zipfile.ZipInfo(MANIFEST, EPOCH), msgspec.json.encode(told))
            for name in told.members:
                info = zipfile.ZipInfo(name, EPOCH)
                info.compress_type = zipfile.ZIP_DEFLATED
                with zipped.open(info, "w") as into, (beside / name).open("rb") as member:
                    shutil.copyfileobj(member, into)
        file.flush()
        os.fsync(file.fileno())
