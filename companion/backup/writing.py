"""Writing a backup: gathered in a folder beside it, packed, read back, and put in its place.

Law: under its name there is a whole backup or none; only a journal of which every line is proven
goes into one, so that no good backup makes room for a bad one.
"""

import os
import shutil
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import msgspec

from companion.backup.manifest import (
    CONFIG,
    DECKS,
    JOURNAL,
    MANIFEST,
    MEMBER,
    PIN,
    Manifest,
    manifest,
    unwritable,
)  # fmt: skip
from companion.backup.owner import as_owner
from companion.backup.reading import Backup
from companion.errors import Malformed
from companion.journal.copying import copy
from companion.journal.disk import settle
from companion.texts import N_, Say

EPOCH = (1980, 1, 1, 0, 0, 0)


def write(folder: Path, config: Path | None, to: Path, made: str) -> Manifest:
    """Back up what is in the data folder, and the config, into this file."""
    if not (folder / JOURNAL).exists():
        raise Malformed(str(folder / JOURNAL), N_("There is no journal at {field}."))
    with as_owner(folder) if to.is_relative_to(folder) else nullcontext():
        told, _ = _written(folder, config, to, made, sound=True)
    return told


def keep(folder: Path, config: Path | None, to: Path, made: str) -> list[Say]:
    """Back up what is left of it, before something else takes its place; what is lost of it."""
    _, lost = _written(folder, config, to, made, sound=False)
    return lost


def _written(
    folder: Path, config: Path | None, to: Path, made: str, sound: bool
) -> tuple[Manifest, list[Say]]:
    try:
        to.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _room(to.with_name(f".{to.name}.packing")) as beside:
            lost = (_proven if sound else _left)(folder / JOURNAL, beside / JOURNAL)
            packed = beside / "packed"
            told = manifest(made, _gathered(folder, config, beside))
            _pack(packed, told, beside)
            with packed.open("rb") as file, Backup(file, to.name) as again:
                again.check()
            packed.replace(to)
            settle(to)
    except OSError as error:
        raise unwritable(to, error) from None
    return told, lost


def _proven(journal: Path, to: Path) -> list[Say]:
    lost = copy(journal, to)
    if lost:
        text = N_("{field} is damaged: start the companion, which mends it, and try again.")
        raise Malformed(journal.name, text)
    return lost


def _left(journal: Path, to: Path) -> list[Say]:
    """What is left of it; an empty journal where it is none."""
    try:
        return copy(journal, to)
    except Malformed as nothing:
        copy(to.with_name("none"), to)
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


def _gathered(folder: Path, config: Path | None, beside: Path) -> dict[str, Path]:
    """Each member as it is now; nobody changes it while it is packed."""
    found = {PIN: folder / PIN, **({CONFIG: config} if config else {})}
    found |= {f"{DECKS}/{deck.name}": deck for deck in sorted((folder / DECKS).glob("*.json"))}
    (beside / DECKS).mkdir()
    names = [JOURNAL]
    for name, path in found.items():
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
