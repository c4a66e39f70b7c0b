"""`companion restore`: replace the current state by a backup; the old state is kept as a backup.

Law: nothing is touched until the whole backup is verified.
"""

import argparse
import tempfile
from datetime import datetime
from pathlib import Path

from companion.app.backup_checks import MEMBER_CHECKS
from companion.app.settings import config_path, data_folder
from companion.backup import (
    Manifest,
    RestoreResult,
    RestoreTarget,
    open_backup,
    restore_backup,
    try_restore,
)
from companion.cli import add_data_option
from companion.cli.output import add_json_option, print_json
from companion.cli.progress import waiting
from companion.core.i18n import N_, Language, get_language
from companion.core.installation import RESTART


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion restore`."""
    add = parser.add_argument
    add("file", type=Path, metavar="FILE", help="the backup")
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
    folder = options.data or data_folder()
    place = None if options.without_config else options.config or config_path(folder)
    target = RestoreTarget(folder, place, MEMBER_CHECKS)
    with open_backup(options.file) as backup:
        if options.dry_run:
            with tempfile.TemporaryDirectory() as room, waiting(words):
                try_restore(backup, target, Path(room))
            return _print_checked(backup.manifest, words, as_json=options.json)
        stamp = f"{datetime.now():%Y-%m-%d-%H%M%S}"
        with waiting(words):
            restored = restore_backup(backup, target, stamp)
        if options.json:
            return _print_facts(backup.manifest, restored)
        return _print_result(restored, words)


def _print_facts(manifest: Manifest, restored: RestoreResult | None) -> int:
    """Print of a backup what it is, and of one that was restored what became of the old state."""
    facts = {
        "restored": restored is not None, "made": manifest.made, "version": manifest.companion,
        "members": list(manifest.members),
    }  # fmt: skip
    if restored is not None:
        kept = restored.old_state
        facts |= {"kept": str(kept) if kept else "", "new_config": restored.has_new_config}
    print_json(facts)
    return 0


def _print_checked(manifest: Manifest, words: Language, *, as_json: bool) -> int:
    if as_json:
        return _print_facts(manifest, None)
    text = N_(
        "This backup of {made} is sound, written by companion {version}; nothing was changed."
    )
    print(words.render(text, {"made": manifest.made, "version": manifest.companion}))
    print("  " + ", ".join(manifest.members))
    return 0


def _print_result(result: RestoreResult, words: Language) -> int:
    print(words.render(N_("Restored. All seats are free, and the host signs in again."), {}))
    if result.has_new_config:
        text = N_("The config is the one of the backup; type: {command}")
        print(words.render(text, {"command": RESTART}))
    if result.old_state:
        text = N_("What was there before is kept as {use}.")
        print(words.render(text, {"use": str(result.old_state)}))
    return 0
