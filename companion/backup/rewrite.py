"""Rewrite backups on this Pi whose journal holds names that are to be erased.

Laws: a backup is replaced by its rewritten self or stays as it was; what it was made, and all else
in it, stays. One that is damaged could not be restored, and goes; one of a later companion holds no
names, and stays.
"""

import zipfile
from collections.abc import Mapping
from pathlib import Path

from companion.backup.format import ERASED, FOLDER, JOURNAL, Manifest, NewerBackup, make_manifest
from companion.backup.read import Backup, open_backup
from companion.backup.write import work_folder, write_zip
from companion.core.durable_files import remove_file
from companion.core.errors import Malformed
from companion.journal.copy import adopt_sound_journal, read_identity, rewrite_copy
from companion.journal.rewriting import ChangeLine, RewrittenGame, note_rewritten
from companion.journal.schema import sync_to_disk


def rewrite_backups(folder: Path, change: ChangeLine, games: Mapping[str, RewrittenGame]) -> None:
    """Rewrite every backup in this data folder that holds one of these games.

    Raise OSError or Malformed where one cannot be rewritten now.
    """
    for path in sorted((folder / FOLDER).glob("*.zip")):
        try:
            with open_backup(path) as backup:
                is_sound = _rewrite_backup(backup, path, change, games)
        except NewerBackup:
            continue
        except Malformed:
            is_sound = False
        if not is_sound:
            remove_file(path)


def _rewrite_backup(
    backup: Backup, path: Path, change: ChangeLine, games: Mapping[str, RewrittenGame]
) -> bool:
    """Rewrite one backup if it holds one of the games; return False if it is damaged."""
    with work_folder(path.with_name(f".{path.name}.packing")) as beside:
        try:
            files = _unpack(backup, beside)
        except Malformed:
            return False
        ids, _ = read_identity(files[JOURNAL])
        found = {id: game for id, game in games.items() if id in ids}
        if not found:
            return True
        rewrite_copy(files[JOURNAL], beside / "rewritten", change)
        (beside / "rewritten").replace(files[JOURNAL])
        note_rewritten(files[JOURNAL], found)
        _pack(make_manifest(backup.manifest.made, files | {ERASED: beside / ERASED}), beside, path)
    return True


def _unpack(backup: Backup, beside: Path) -> dict[str, Path]:
    """Unpack every member, the journal as one of this version; Malformed if one is damaged."""
    (beside / "decks").mkdir()
    files = {name: beside / name for name in backup.manifest.members}
    for name, path in files.items():
        backup.unpack_member(name, beside / "packed" if name == JOURNAL else path)
    adopt_sound_journal(beside / "packed", files[JOURNAL])
    return files


def _pack(manifest: Manifest, beside: Path, path: Path) -> None:
    packed = write_zip(manifest, beside, zipfile.ZIP_DEFLATED)
    with packed.open("rb") as file, Backup(file, path.name) as again:
        again.verify()
    packed.replace(path)
    sync_to_disk(path)
