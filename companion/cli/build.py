"""`companion build [PROFILE]`: write the plans for building a table into a folder.

Law: plans that need a missing library are named, and status 1.
"""

import argparse
import sys
from pathlib import Path

from companion.app.wires import profile_or_learnt
from companion.cli.output import add_json_option, print_json
from companion.cli.progress import waiting
from companion.cli.wiring import add_profile_option
from companion.core.i18n import Language, Message, get_language, message
from companion.core.installation import pip_command
from hardware.advice import BUILD_LIBRARIES
from hardware.plans.folder import WrittenPlans, write_plans
from hardware.plans.measures import load_measures
from hardware.wiring import load_profile


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion build`."""
    add_profile_option(parser)
    parser.add_argument(
        "--folder", type=Path, default=Path("plans"), metavar="FOLDER",
        help="write into this folder (default: plans)",
    )  # fmt: skip
    parser.add_argument(
        "--measures", type=Path, metavar="FILE",
        help="measures of cards, stickers, wood and laser; hardware/plans/default.toml shows all",
    )  # fmt: skip
    add_json_option(parser)


def run(options: argparse.Namespace) -> int:
    """Write the plans and print their names."""
    words = get_language(options.lang)
    measures = load_measures(options.measures)
    wiring = load_profile(profile_or_learnt(options.profile))
    with waiting(words):
        plans = write_plans(options.folder, wiring, measures, words)
    if options.json:
        print_json({
            "folder": str(options.folder), "written": plans.written, "missing": plans.missing,
        })  # fmt: skip
    else:
        print("\n".join(str(options.folder / name) for name in plans.written))
    return _report_missing(plans, words)


def _report_missing(plans: WrittenPlans, words: Language) -> int:
    if not plans.missing:
        return 0
    text = "Not written for want of a library: {names}; type: {command}"
    facts = {"names": ", ".join(plans.missing), "command": pip_command(BUILD_LIBRARIES)}
    said: Message = message(text, **facts)
    print(f"companion build: {words(said)}", file=sys.stderr)
    return 1
