"""Apart: packing and proving in a process of its own, so that no table waits for it.

Laws: a journal of any size is proven there, on another core, and gives way to the table; whatever
becomes of that process, the table goes on. What it is to do comes as its one argument, the backup
as its standard input, and what it found goes out as one line of JSON.
"""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

import companion
from companion.app.backup_checks import STARTS, contents
from companion.app.state_files import say_without_folder
from companion.backup import Backup, Full, Target, prepare, write
from companion.backup.service import Found
from companion.core.errors import Malformed
from companion.core.i18n import N_, Message, message
from companion.journal import JournalFailed
from companion.records.store import require_no_open_game

FULL = N_("The disk of this table is full; nothing was changed.")
ENDED = N_("This did not work out; nothing was changed.")
FIRST_TO_GO = "1000"
"""How readily the kernel ends this process where memory runs out: before the table."""
GENTLY = 10


class Pack(msgspec.Struct, frozen=True, tag=True):
    """Pack a backup without the PIN, into this new file."""

    folder: str
    config: str | None
    to: str
    made: str

    def do(self, _file: BinaryIO) -> Found | None:
        """It is there then."""
        config = Path(self.config) if self.config else None
        folder, to = Path(self.folder), Path(self.to)
        write(folder, config, to, self.made, pin=False, may=require_no_open_game)
        return None


class Prove(msgspec.Struct, frozen=True, tag=True):
    """Prove a backup in an empty room, and tell what is in it."""

    folder: str
    room: str
    name: str

    def do(self, file: BinaryIO) -> Found | None:
        """What it holds."""
        with Backup(file, self.name) as backup:
            return contents(backup, Target(Path(self.folder), None, STARTS), Path(self.room))


class Prepare(msgspec.Struct, frozen=True, tag=True):
    """Have everything ready to be put back, and keep what is there."""

    folder: str
    name: str
    stamp: str

    def do(self, file: BinaryIO) -> Found | None:
        """It is ready then."""
        with Backup(file, self.name) as backup:
            prepare(backup, Target(Path(self.folder), None, STARTS), self.stamp)
        return None


Job = Pack | Prove | Prepare


class Answer(msgspec.Struct, frozen=True):
    """What came of it: what was found, or why not."""

    found: Found | None = None
    wrong: Message | None = None


def begun(job: Job, backup: BinaryIO | None = None) -> "subprocess.Popen[bytes]":
    """The process that does this, from now on."""
    if backup is not None:
        backup.seek(0)
    command = [sys.executable, "-m", __name__, msgspec.json.encode(job).decode()]
    # From the place of the program: a data folder must not lend it modules.
    home = Path(companion.__file__).parents[1]
    return subprocess.Popen(
        command, cwd=home, stdin=backup or subprocess.DEVNULL, stdout=subprocess.PIPE
    )


def ended(process: "subprocess.Popen[bytes]") -> Answer:
    """What it found, once it has ended, however it did."""
    told, _ = process.communicate()
    with suppress(msgspec.DecodeError):
        answer = msgspec.json.decode(told, type=Answer)
        return Answer(answer.found, answer.wrong and revived(answer.wrong))
    return Answer(wrong=message(ENDED))


def revived(saying: Message) -> Message:
    """A saying that came as JSON; what was said within it is a saying again."""
    return Message(saying.text, {name: _fact(fact) for name, fact in saying.facts.items()})


def _fact(fact: Any) -> Any:
    if isinstance(fact, dict) and fact.keys() == {"text", "facts"}:
        return revived(Message(fact["text"], fact["facts"]))
    return fact


def answered(job: Job, file: BinaryIO) -> Answer:
    """Do it, and tell what came of it; no path leaves, for it goes to a page."""
    try:
        return Answer(job.do(file))
    except Full:
        return Answer(wrong=message(FULL))
    except Malformed as error:
        return Answer(wrong=say_without_folder(error))
    except JournalFailed as error:
        return Answer(wrong=error.say)


def gently() -> None:
    """Give way to the table, as far as one may."""
    with suppress(OSError):
        os.nice(GENTLY)
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(FIRST_TO_GO)


if __name__ == "__main__":
    gently()
    job: Job = msgspec.json.decode(sys.argv[1], type=Job)
    sys.stdout.buffer.write(msgspec.json.encode(answered(job, sys.stdin.buffer)))
