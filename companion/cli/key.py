"""`companion key new NAME`: a key for a program that asks the table, listed and revoked by name.

Laws: a key is printed once and stored as a hash; who may not write into the data folder cannot make
one. It counts at once, also while the companion runs, until it is revoked.
"""

import argparse
import sys
from typing import get_args

from companion.app.settings import data_folder
from companion.app.whereabouts import require_table
from companion.backup.privileges import as_owner
from companion.cli import add_data_option, exit_codes
from companion.cli.output import add_json_option, print_json
from companion.core.errors import Malformed
from companion.core.i18n import N_, get_language
from companion.identity.api_keys import ApiKeys, KeyRight

ONCE = N_("This key is shown only now; the program sends it as: {use}")
HEADER = "Authorization: Bearer KEY"
GONE = N_("The key {name} counts no longer.")
NONE = N_("There are no keys.")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `companion key`."""
    add = parser.add_argument
    add("act", choices=("new", "list", "revoke"), help="make, list or revoke keys")
    add("name", nargs="?", metavar="NAME", help="what the key is called")
    add("--may", choices=get_args(KeyRight), default="read",
        help="read: what the host reads; host: what the host does (default: read)")  # fmt: skip
    add_data_option(parser)
    add_json_option(parser)


def run(options: argparse.Namespace) -> int:
    """Make, list or revoke; return the exit status."""
    folder = require_table(options.data or data_folder())
    if (options.name is None) != (options.act == "list"):
        raise Malformed("NAME", N_("{field} goes with new and revoke, and only there."))
    with as_owner(folder):
        keys = ApiKeys(folder)
        if options.act == "list":
            return _list(keys, options)
        if options.act == "revoke":
            keys.revoke_key(options.name)
            if options.json:
                print_json({"revoked": options.name})
            else:
                print(get_language(options.lang).render(GONE, {"name": options.name}))
            return exit_codes.DONE
        return _make(keys, options)


def _make(keys: ApiKeys, options: argparse.Namespace) -> int:
    written = keys.make_key(options.name, options.may)
    if options.json:
        print_json({"name": options.name, "may": options.may, "key": written})
        return exit_codes.DONE
    print(get_language(options.lang).render(ONCE, {"use": HEADER}), file=sys.stderr)
    print(written)
    return exit_codes.DONE


def _list(keys: ApiKeys, options: argparse.Namespace) -> int:
    found = keys.list_keys()
    if options.json:
        print_json([{"name": key.name, "may": key.may} for key in found])
    elif not found:
        print(get_language(options.lang).render(NONE, {}))
    for key in [] if options.json else found:
        print(f"{key.name}  {key.may}")
    return exit_codes.DONE
