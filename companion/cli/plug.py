"""The plug: pulled, and put in again, with the table and everyone at it as they were.

Law: nothing is closed and nothing is flushed. What the data folder does not hold is lost, as when
the power fails; what was acknowledged is there.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn


def pull(command: Sequence[str], folder: Path, port: int, again: Sequence[str]) -> NoReturn:
    """Become another process: the same command on the same folder and port, with these options
    besides."""
    same = ["--data", str(folder.absolute()), "--port", str(port), *again]
    os.execv(sys.executable, [sys.executable, *command[1:], *same])
