"""The plug: pulled, and put in again, with the table and everyone at it as they were.

Law: nothing is closed and nothing is flushed. What the data folder does not hold is lost, as when
the power fails; what was acknowledged is there.
"""

import os
import sys
from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path
from typing import NoReturn

PLUGGED = "--plugged"
"""The option that says what becomes of the folder in the end."""


def pull(command: Sequence[str], folder: Path, port: int, again: Sequence[str]) -> NoReturn:
    """Become another process: the same command on the same folder and port, with these options
    besides."""
    same = [PLUGGED, *again, "--data", str(folder.absolute()), "--port", str(port)]
    os.execv(sys.executable, [sys.executable, *typed(command[1:], same)])


def typed(words: Sequence[str], same: Sequence[str]) -> list[str]:
    """The words of a command with these options besides: no more of them each time, and before
    whatever is no option."""
    typed = list(takewhile(lambda word: word not in (PLUGGED, "--"), words))
    return [*typed, *same, *(words[words.index("--") :] if "--" in words else ())]
