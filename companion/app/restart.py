"""Restart this process in place, with the table and the people at it as they were.

Law: nothing is closed and nothing is flushed. What the data folder does not hold is lost, as when
the power fails; what was acknowledged is there.
"""

import os
import sys
from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path
from typing import NoReturn

RESTARTED_OPTION = "--plugged"
"""The hidden option that says whether the folder is kept in the end."""


def restart_process(
    command: Sequence[str], folder: Path, port: int, again: Sequence[str]
) -> NoReturn:
    """Become another process: the same command on the same folder and port, with more options."""
    same = [RESTARTED_OPTION, *again, "--data", str(folder.absolute()), "--port", str(port)]
    os.execv(sys.executable, [sys.executable, *restart_arguments(command[1:], same)])


def restart_arguments(words: Sequence[str], same: Sequence[str]) -> list[str]:
    """Return the words of a command with these options in place of those of the last restart."""
    typed = list(takewhile(lambda word: word not in (RESTARTED_OPTION, "--"), words))
    return [*typed, *same, *(words[words.index("--") :] if "--" in words else ())]
