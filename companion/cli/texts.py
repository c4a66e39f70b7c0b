"""`companion texts GAME`: collect the texts of a game into its catalogues, and compile them.

Laws: the texts are those in the folder of the game; one that the companion says as well is
translated by the companion. A package ships the compiled files, because only they are read.
"""

import argparse
from pathlib import Path

from companion.cli.options import add_game_option
from companion.cli.output import add_json_option, print_json
from companion.cli.progress import waiting
from companion.core.durable_files import not_written
from companion.core.errors import Malformed
from companion.core.i18n import N_, get_language, message
from companion.core.installation import pip_command
from companion.games import find_game


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion texts`."""
    add_game_option(parser)
    add_json_option(parser)


def run(options: argparse.Namespace) -> int:
    """Write the catalogues of the game; print how many texts wait for a translation."""
    try:
        from companion.core import text_collection as collection  # It needs Babel.
    except ImportError as error:
        text = N_("{field} needs Babel; install it with: {command}")
        raise Malformed("companion texts", text, command=pip_command("babel")) from error
    game, words = find_game(options.game), get_language(options.lang)
    own = collection.own_texts(game.folder)
    for code in collection.TRANSLATED:
        file, n = str(game.catalogue.find_file(code)), len(own)
        try:
            with waiting(words):
                left = collection.write_catalogue(game.catalogue, code, own)
        except OSError as error:
            raise not_written(Path(file), error) from None
        if options.json:
            print_json({"language": code, "file": file, "texts": n, "to_translate": left})
            continue
        text = "{file}: {n} texts, {most} to translate"
        print(words(message(text, file=file, n=n, most=left)))
    return 0
