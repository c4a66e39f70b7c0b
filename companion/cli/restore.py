"""`companion restore`: replace the current state by a backup; the old state is kept.

Law: nothing is touched until the whole backup is verified.
"""

import argparse
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

from companion.app.data_folder import MEMBER_CHECKS
from companion.app.settings import config_path, data_folder, journal_path, read_config
from companion.backup import restore
from companion.backup.archive import CONFIG, MemberCheck, Unpacked, write_backup, write_error
from companion.cli.options import add_data_option, add_json_option, print_json
from companion.core.durable_files import as_owner, write_file
from companion.core.errors import Malformed, not_read
from companion.core.i18n import N_, Language, get_language
from companion.core.installation import RESTART
from companion.journal.file import JournalBusy, JournalLock, require_own_format


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion restore`."""
    add = parser.add_argument
    add("file", type=Path, metavar="FILE",
        help="the backup, or a folder that an earlier restore kept")  # fmt: skip
    add("--dry-run", action="store_true", help="verify the backup and change nothing")
    add_data_option(parser)
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--config", type=Path, metavar="FILE",
        help="the config file to replace (default: the service's)")  # fmt: skip
    where.add_argument("--without-config", action="store_true", help="keep the current config")
    add_json_option(parser)


def run(options: argparse.Namespace) -> int:
    """Restore a backup; return the exit status."""
    words = get_language(options.lang)
    folder: Path = options.data or data_folder()
    config = None if options.without_config else options.config or config_path(folder)
    name, checks = options.file.name, dict(MEMBER_CHECKS)
    if config is not None:
        checks[CONFIG] = read_config
    with (
        tempfile.TemporaryDirectory() as room,
        _open_backup(options.file, Path(room)) as file,
    ):
        if options.dry_run:
            found = restore.prepare_restore(file, name, Path(room), checks)
            return _print_checked(found, options, words)
        try:
            found, has_new_config, kept = _restore(file, name, folder, config, checks)
        except OSError as error:
            raise write_error(folder, error) from None
        return _print_result(found, has_new_config, kept, options, words)


def _open_backup(path: Path, room: Path) -> BinaryIO:
    """Open a backup; pack the state that an earlier restore kept into one first."""
    try:
        if not path.is_dir():
            return path.open("rb")
        config = path / CONFIG
        write_backup(path, config if config.exists() else None, room / "kept.zip")
        return (room / "kept.zip").open("rb")
    except OSError as error:
        raise not_read(path, error) from None


def _restore(
    file: BinaryIO,
    name: str,
    folder: Path,
    config: Path | None,
    checks: Mapping[str, MemberCheck],
) -> tuple[Unpacked, bool, Path | None]:
    """Restore into the folder, where no companion runs; return the restored files, whether the
    config has changed, and the folder with the state before, if there was one."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        with as_owner(folder):
            lock = JournalLock(journal_path(folder))
    except JournalBusy:
        text = N_("{field} is in use by a running companion: stop it first, then restore.")
        raise Malformed(str(folder), text) from None
    try:
        with as_owner(folder):
            require_own_format(journal_path(folder))
            restore.swap_in(folder)  # A restore that was interrupted before.
            found = restore.prepare_restore(file, name, folder, checks)
            new = restore.take_config(folder)
            old = config.read_bytes() if config and config.exists() else None
            has_new_config = bool(new and config and new != old)
            if config and has_new_config:
                restore.keep_config(folder, config)
        if new and config and has_new_config:
            write_file(config, new, config.stat().st_mode & 0o777 if config.exists() else 0o644)
        with as_owner(folder):
            restore.confirm_restore(folder)
            kept = restore.swap_in(folder)
        return found, has_new_config, kept
    finally:
        restore.discard_restore(folder)
        lock.release()


def _print_checked(found: Unpacked, options: argparse.Namespace, words: Language) -> int:
    if options.json:
        print_json({"restored": False, "made": found.made, "members": found.members})
        return 0
    text = N_("This backup of {made} is sound; nothing was changed.")
    print(words.render(text, {"made": found.made}))
    print("  " + ", ".join(found.members))
    return 0


def _print_result(
    found: Unpacked,
    has_new_config: bool,
    kept: Path | None,
    options: argparse.Namespace,
    words: Language,
) -> int:
    if options.json:
        facts = {"restored": True, "made": found.made, "members": found.members}
        print_json(facts | {"kept": str(kept) if kept else "", "new_config": has_new_config})
        return 0
    print(words.render(N_("Restored. All seats are free, and the host signs in again."), {}))
    if has_new_config:
        text = N_("The config is the one of the backup; type: {command}")
        print(words.render(text, {"command": RESTART}))
    if kept:
        text = N_("What was there before is kept as {use}.")
        print(words.render(text, {"use": str(kept)}))
    return 0
