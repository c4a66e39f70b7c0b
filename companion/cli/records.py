"""`companion records`: the games in the journal; a game goes out as a record, or comes in.

Laws: listing writes nothing and folds nothing, and a journal is made only for a game that comes in;
`--check` verifies every line. An exported record can be verified by its receiver; a game that can
still be played is not exported, because its record tells what lies face down.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from companion.app.settings import journal_path, prepare_folder, require_table
from companion.backup.restore import finish_restore
from companion.cli.options import GOES_WITH, add_data_option, add_json_option, print_json
from companion.core.durable_files import write_new_file
from companion.core.errors import Malformed
from companion.core.i18n import N_, Language, get_language, message
from companion.journal import Journal, JournalFailed
from companion.records import store
from companion.records.format import Record, read_record
from companion.seating.identity import IDENTITY_FILE
from companion.seating.names import read_names


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion records`."""
    add = parser.add_argument
    add_data_option(parser, "use the journal in this folder")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--export", metavar="ID", help="write the record of this game")
    what.add_argument("--import", dest="bring", type=Path, metavar="FILE", help="add this record")
    what.add_argument("--check", action="store_true", help="verify every line of the journal")
    add("--names", action="store_true", help="with --export: write the names of players too")
    add("--to", type=Path, metavar="FILE", help="with --export: write to this file")
    add_json_option(parser)


def run(options: argparse.Namespace) -> int:
    """List, export, import or check; return the exit status."""
    words = get_language(options.lang)
    if options.to and not options.export:
        raise Malformed("--to", GOES_WITH, other="--export")
    if options.names and not options.export:
        raise Malformed("--names", GOES_WITH, other="--export")
    if not (options.check or options.bring):
        require_table(options.data)
    path = journal_path(options.data)
    record = read_record(options.bring) if options.bring else None
    with _open_journal(path, words, writes=record is not None) as journal:
        if record is not None:
            return _import_game(journal, record, options, words)
        names = read_names(path.with_name(IDENTITY_FILE))
        if options.export:
            named = names.get(options.export, ()) if options.names else ()
            return _write_record(store.export_record(journal, options.export, named), options)
        if options.check:
            return _check_journal(journal, options, words)
        return _print_games(store.list_past_games(journal, names), options, words)


@contextmanager
def _open_journal(path: Path, words: Language, *, writes: bool) -> Iterator[Journal]:
    """Open the journal; when it is closed, print its warnings, even if the command failed."""
    if writes:
        prepare_folder(path.parent)
        finish_restore(path.parent)
    elif not path.exists():
        raise Malformed(str(path), N_("There is no journal at {field}."))
    journal = Journal(path, read_only=not writes)
    try:
        yield journal
    finally:
        for notice in journal.notices:
            print(words(notice), file=sys.stderr)
        journal.close()


def _import_game(
    journal: Journal, record: Record, options: argparse.Namespace, words: Language
) -> int:
    is_new, id = store.import_record(journal, record), record.header.id
    if options.json:
        print_json({"id": id, "new": is_new})
        return 0
    print(words.render(N_("Game {id} is in the journal."), {"id": id}))
    return 0


def _write_record(data: bytes, options: argparse.Namespace) -> int:
    if not options.to:
        sys.stdout.buffer.write(data)
        return 0
    write_new_file(options.to, data)
    if options.json:
        print_json({"file": str(options.to), "bytes": len(data)})
    return 0


def _check_journal(journal: Journal, options: argparse.Namespace, words: Language) -> int:
    """Verify every line; print how many are proven, and which games are damaged, if any are."""
    n, lost = 0, []
    for game in journal.list_games():
        try:
            n += len(journal.read_lines(game.id))
        except JournalFailed:
            lost.append(game.id)
    if options.json:
        print_json({"lines": n, "lost": lost, "sound": not lost})
        return int(bool(lost))
    print(words(message("Verified journal lines: {n}.", n=n)))
    if lost:
        print(words(message("These games are damaged: {several}.", several=lost)))
    return int(bool(lost))


def _print_games(
    games: Iterable[store.ListedGame], options: argparse.Namespace, words: Language
) -> int:
    if options.json:
        print_json(tuple(games))
        return 0
    game = None
    for game in games:
        when = datetime.fromtimestamp(game.at).isoformat(" ", "minutes")
        print("  ".join(store.describe_columns(game, when, words)))
    if game is None:
        print(words(message("There is no game in this journal yet.")))
    return 0
