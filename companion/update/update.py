"""`companion update`: install another version, from a release, a USB stick or a clone."""

import argparse
import sys
from functools import partial
from pathlib import Path

from companion.core.i18n import get_language
from companion.core.installation import PACKAGED, installed_by
from companion.update.commands import require_root, switch_package, update
from companion.update.installed import KEPT_INSTALLER, find_installer
from companion.update.outcome import UpdateOutcome, print_outcome, run_aloud, run_aside
from companion.update.packages import choose_files, is_unpacked
from companion.update.releases import NoRelease
from companion.update.repository import configured_address


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion update`."""
    add = parser.add_argument
    add("place", type=parse_place, nargs="?", metavar="PLACE",
        help="a release: its file or folder, a device, a clone, an https:// address "
        "(default: a stick, else the address in the config)",
    )  # fmt: skip
    add("--now", action="store_true", help="also while a game is under way; it goes on")
    add(
        "--agree",
        action="store_true",
        help="also if it judges games otherwise, as its release says",
    )
    add("--older", action="store_true", help="also if it is older than the version that runs")
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")


def run(options: argparse.Namespace) -> int:
    """Install it; return the exit status."""
    find_installer()
    require_root()
    outcome = install_release(options)
    if options.json:
        print_outcome(outcome)
    return outcome.status


def install_release(options: argparse.Namespace) -> UpdateOutcome:
    """Install the release that is meant, or switch to the version that apt has unpacked and that
    does not run yet; return how that ended."""
    chosen = [f"--{name}" for name in ("now", "agree") if getattr(options, name)]
    run = run_aside if options.json else run_aloud
    is_packaged = installed_by() == "apt"
    if is_packaged and options.place is None and is_unpacked():
        return switch_package(PACKAGED / KEPT_INSTALLER, chosen, run)
    say = partial(print, flush=True, file=sys.stderr if options.json else sys.stdout)
    more = (chosen, get_language(options.lang), say, run, options.older, choose_files())
    try:
        return update(options.place, *more)
    except NoRelease:
        if options.place is not None:
            raise
        if address := configured_address():
            return update(address, *more)
        if is_packaged:
            return switch_package(PACKAGED / KEPT_INSTALLER, chosen, run)
        raise


def parse_place(text: str) -> str | Path:
    """Return an address as it is typed, and everything else as a path."""
    return text if "://" in text else Path(text)
