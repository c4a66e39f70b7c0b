"""Judge a stream of cases: one JSON case a line in, one answer a line out.

Law: a bad line is answered with its fault, and the next line is read.
"""

import itertools
from collections.abc import Iterator
from io import BufferedReader
from typing import IO

from companion.core.errors import Malformed
from companion.core.i18n import Language
from companion.judge.decide import render_error, to_json
from companion.judge.it_depends import answer_case
from companion.judge.parse import MOST_BYTES, parse_line

CHUNK_SIZE = 65_536


def answer_lines(file: IO[bytes], words: Language) -> Iterator[list[tuple[bytes, bool]]]:
    """Yield for each batch of lines the answers, each with whether the line was a valid case."""
    count = itertools.count(1)
    for lines in _read_batches(file):
        yield [_answer_line(line, next(count), words) for line in lines]


def _answer_line(line: bytes, number: int, words: Language) -> tuple[bytes, bool]:
    try:
        return to_json(answer_case(parse_line(line, number), words)) + b"\n", True
    except Malformed as error:
        return to_json(render_error(error, words)) + b"\n", False


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
