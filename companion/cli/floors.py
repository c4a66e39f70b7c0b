"""`companion floors`: the floors that are paired with this table; --remove revokes one at once."""

import argparse

from companion.app.settings import require_table
from companion.backup.privileges import as_owner
from companion.cli import add_data_option
from companion.cli.output import add_json_option, print_json
from companion.core.errors import Malformed
from companion.core.i18n import N_, get_language
from companion.floor.paired_floors import PairedFloors

NONE = N_("No floor may act at this table.")
UNKNOWN = N_("This table is paired with no floor {field}.")
REMOVED = N_("The floor {use} may do nothing at this table any more.")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion floors`."""
    add_data_option(parser)
    say = N_("remove the floor of this id; it counts at once, also while the table runs")
    add_json_option(parser)
    parser.add_argument("--remove", metavar=N_("ID"), help=say)


def run(options: argparse.Namespace) -> int:
    """List the floors, or remove one; return the exit status."""
    folder, words = require_table(options.data), get_language(options.lang)
    with as_owner(folder):
        floors = PairedFloors(folder)
        if options.remove and not floors.revoke_floor(options.remove):
            raise Malformed(options.remove, UNKNOWN)
        found = floors.list_floors()
    if options.remove and not options.json:
        print(words.render(REMOVED, {"use": options.remove}))
        return 0
    if options.json:
        print_json([{"floor": floor.floor, "name": floor.name} for floor in found])
        return 0
    listed = [f"{floor.floor}  {floor.name}" for floor in found]
    print("\n".join(listed) or words.render(NONE, {}))
    return 0
