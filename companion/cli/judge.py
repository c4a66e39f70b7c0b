"""`companion judge`: one case in, one verdict out; or a stream of them, line by line.

Law: a bad line of a stream is answered with its fault, and the next line is read.
"""

import argparse
import itertools
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import IO

from msgspec.json import encode

from companion.cli.options import EXCLUDES, GOES_WITH, add_json_option, parse_game, print_json
from companion.core.durable_files import write_new_file
from companion.core.errors import JsonObject, Malformed, not_read
from companion.core.i18n import Language, get_language
from companion.judge.better import find_better, render_better, say_better
from companion.judge.decide import find_example, judged_games, render_error, write_contract
from companion.judge.it_depends import answer_case, answer_case_in_words
from companion.judge.parse import MOST_BYTES, parse_case, parse_line

CHUNK_SIZE = 65_536


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion judge`."""
    parser.add_argument("file", nargs="?", metavar="FILE", help="a JSON or TOML case; - for stdin")
    how = parser.add_mutually_exclusive_group()
    how.add_argument(
        "--stream", action="store_true", help="read a JSON case per line, answer each with one line"
    )
    how.add_argument(
        "--better", metavar="PLAYER", help="say what this player could have decided to get more"
    )
    how.add_argument("--example", type=parse_game, metavar="GAME",
                     help=f"print an example case: {', '.join(judged_games())}")  # fmt: skip
    how.add_argument("--schema", action="store_true", help="print a JSON Schema of all cases")
    how.add_argument("--html", type=Path, metavar="TO",
                     help="write the judge as one page for any browser into this file")  # fmt: skip
    add_json_option(parser)
    parser.add_argument("--kind", metavar="KIND", help="with --example: the kind of case")


def run(options: argparse.Namespace) -> int:
    """Judge a case or a stream; return the exit status."""
    words = get_language(options.lang)
    if options.kind and not options.example:
        raise Malformed("--kind", GOES_WITH, other="--example")
    if options.json and options.stream:
        raise Malformed("--json", EXCLUDES, other="--stream")
    if options.example or options.schema:
        found = write_contract() if options.schema else find_example(options.example, options.kind)
        print(json.dumps(found, indent=2, ensure_ascii=False))
        return 0
    if options.html:
        from web.export.judge_page import make_judge_page

        write_new_file(options.html, make_judge_page().encode())
        return 0
    if options.stream:
        return _judge_stream(options.file or "-", words)
    return _judge_one(options, words)


def _judge_one(options: argparse.Namespace, words: Language) -> int:
    name = options.file or "-"
    with _open_input(name) as file:
        data = file.read(MOST_BYTES + 1)
    case = parse_case(data, name)
    if options.better:
        _print_better(case, options.better, words, as_json=options.json)
    elif options.json:
        print_json(answer_case(case, words))
    else:
        print(answer_case_in_words(case, words))
    return 0


def _print_better(case: JsonObject, name: str, words: Language, *, as_json: bool) -> None:
    """Print the decisions that would have brought this player more."""
    found = find_better(case, name, "--better")
    if as_json:
        print_json({"better": render_better(found, words)})
        return
    for said in say_better(found, name):
        print(words(said))


@contextmanager
def _open_input(name: str) -> Iterator[IO[bytes]]:
    """Open a file or standard input; an error while it is read becomes a Malformed."""
    try:
        if name != "-":
            with Path(name).open("rb") as file:
                yield file
        else:
            yield sys.stdin.buffer
    except OSError as error:
        raise not_read("stdin" if name == "-" else name, error) from None


def _judge_stream(name: str, words: Language) -> int:
    """Answer every line; return status 1 if any was bad."""
    bad = False
    for batch in _read_answers(name, words):
        for reply, valid in batch:
            sys.stdout.buffer.write(reply)
            bad = bad or not valid
        sys.stdout.buffer.flush()
    return int(bad)


def _read_answers(name: str, words: Language) -> Iterator[list[tuple[bytes, bool]]]:
    with _open_input(name) as file:
        yield from answer_lines(file, words)


def answer_lines(file: IO[bytes], words: Language) -> Iterator[list[tuple[bytes, bool]]]:
    """Yield for each batch of lines the answers, each with whether the line was a valid case."""
    count = itertools.count(1)
    for lines in _read_batches(file):
        yield [_answer_line(line, next(count), words) for line in lines]


def _answer_line(line: bytes, number: int, words: Language) -> tuple[bytes, bool]:
    try:
        return encode(answer_case(parse_line(line, number), words)) + b"\n", True
    except Malformed as error:
        return encode(render_error(error, words)) + b"\n", False


def _read_batches(file: IO[bytes]) -> Iterator[list[bytes]]:
    """Yield the complete lines as they come, so that an interactive writer is answered at once.

    A line that is too long is cut just behind the limit, so that its parser refuses it.
    """
    rest = b""
    while chunk := _read_available(file):
        *lines, rest = (rest + chunk).split(b"\n")
        rest = rest[: MOST_BYTES + 1]
        yield lines
    if rest:
        yield [rest]


def _read_available(file: IO[bytes]) -> bytes:
    """Read the available bytes; wait only if there are none."""
    if isinstance(file, BufferedReader):
        return file.read1(CHUNK_SIZE)
    return file.read(CHUNK_SIZE)
