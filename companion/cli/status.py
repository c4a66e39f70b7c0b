"""`companion status`: whether the table runs, where its pages are, what is played and how it is.

Law: it is asked of the running companion; status 1 means that none runs, or that a light is red.
"""

import argparse
from pathlib import Path

from companion.app.service_unit import read_state
from companion.app.table_status import TableReport, read_status
from companion.cli import add_data_option, exit_codes
from companion.cli.colours import paint
from companion.cli.output import add_json_option, print_json
from companion.cli.progress import waiting
from companion.core.i18n import N_, Language, get_language
from companion.host.health import Light
from companion.host.status import NAMES

RUNS = N_("Version {name} has been running for {minutes}.")
SIMULATED = N_("The table is simulated.")
STOPPED = N_("The companion is not running.")
SERVICE = N_("The service is {name}; its lines: companion logs")
NO_GAME = N_("No game is under way.")
GAME = N_("{title}, {n} players.")
FOLDER = N_("Data folder: {use}")
COLOURS = {"red": N_("needs you now"), "amber": N_("worth a look"), "green": N_("in order")}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion status`."""
    add_data_option(parser)
    add_json_option(parser)


def run(options: argparse.Namespace) -> int:
    """Print how the table is; return the exit status."""
    named: Path | None = options.data
    words = get_language(options.lang)
    with waiting(words):
        report = read_status(named, options.lang, "" if named else read_state())
    if options.json:
        print_json(report)
    else:
        print("\n".join(describe_report(report, words)))
    return exit_codes.DONE if report.is_well else exit_codes.AMISS


def describe_report(report: TableReport, words: Language) -> list[str]:
    """Return the lines for a person."""
    table = report.table
    if table is None:
        lines = [words.render(STOPPED, {})]
        if report.service:
            lines.append(words.render(SERVICE, {"name": report.service}))
        return [*lines, words.render(FOLDER, {"use": report.folder})]
    lines = [words.render(RUNS, {"name": table.companion, "minutes": table.minutes})]
    lines += [words.render(SIMULATED, {})] if table.simulated else []
    lines += [f"  {address}" for address in table.addresses]
    game = words.render(GAME, {"title": table.game, "n": table.players})
    lines.append(game if table.game else words.render(NO_GAME, {}))
    lines += [_describe_light(light, words) for light in table.lights]
    return [*lines, words.render(FOLDER, {"use": report.folder})]


def _describe_light(light: Light, words: Language) -> str:
    colour, name = words.render(COLOURS[light.colour], {}), words.render(NAMES[light.name], {})
    cure = "" if light.cure is None else f" {words(light.cure)}"
    return f"  {paint(colour, light.colour)}  {name}: {words(light.says)}{cure}"
