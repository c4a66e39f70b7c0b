"""The plug: pulled, and put in again, with the table and everyone at it as they were.

Law: nothing is closed and nothing is flushed. What the data folder does not hold is lost, as when
the power fails; what was acknowledged is there.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn


def pull(command: Sequence[str], folder: Path, port: int, ends: str) -> NoReturn:
    """Become another process: the same command on the same folder and port.

    `ends` says what becomes of the folder in the end: it is `kept`, or it was only for `passing`.
    """
    again = ["--data", str(folder.absolute()), "--port", str(port), "--plugged", ends]
    os.execv(sys.executable, [sys.executable, *command[1:], *again])
