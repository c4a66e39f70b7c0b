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
from companion.app.backup_checks import UNATTENDED_CHECKS, describe_backup
from companion.app.state_files import say_without_folder
from companion.backup import Backup, DiskFull, RestoreTarget, prepare_restore, write_backup
from companion.backup.service import BackupContents
from companion.core.errors import Malformed
from companion.core.i18n import N_, Message, message
from companion.journal import JournalFailed
from companion.records.store import require_no_open_game

DISK_FULL = N_("The disk of this table is full; nothing was changed.")
WORKER_FAILED = N_("This did not work out; nothing was changed.")
OOM_SCORE = "1000"
"""How readily the kernel ends this process where memory runs out: before the table."""
NICENESS = 10


class PackJob(msgspec.Struct, frozen=True, tag=True):
    """Pack a backup without the PIN, into this new file."""

    folder: str
    config: str | None
    to: str
    made: str

    def run(self, _file: BinaryIO) -> BackupContents | None:
        """It is there then."""
        config = Path(self.config) if self.config else None
        folder, to = Path(self.folder), Path(self.to)
        write_backup(folder, config, to, self.made, pin=False, check_journal=require_no_open_game)
        return None


class CheckJob(msgspec.Struct, frozen=True, tag=True):
    """Prove a backup in an empty room, and tell what is in it."""

    folder: str
    room: str
    name: str

    def run(self, file: BinaryIO) -> BackupContents | None:
        """What it holds."""
        with Backup(file, self.name) as backup:
            return describe_backup(
                backup, RestoreTarget(Path(self.folder), None, UNATTENDED_CHECKS), Path(self.room)
            )


class PrepareJob(msgspec.Struct, frozen=True, tag=True):
    """Have everything ready to be put back, and keep what is there."""

    folder: str
    name: str
    stamp: str

    def run(self, file: BinaryIO) -> BackupContents | None:
        """It is ready then."""
        with Backup(file, self.name) as backup:
            prepare_restore(
                backup, RestoreTarget(Path(self.folder), None, UNATTENDED_CHECKS), self.stamp
            )
        return None


Job = PackJob | CheckJob | PrepareJob


class WorkerReply(msgspec.Struct, frozen=True):
    """What came of it: what was found, or why not."""

    found: BackupContents | None = None
    wrong: Message | None = None


def start_worker(job: Job, backup: BinaryIO | None = None) -> "subprocess.Popen[bytes]":
    """The process that does this, from now on."""
    if backup is not None:
        backup.seek(0)
    command = [sys.executable, "-m", __name__, msgspec.json.encode(job).decode()]
    # From the place of the program: a data folder must not lend it modules.
    home = Path(companion.__file__).parents[1]
    return subprocess.Popen(
        command, cwd=home, stdin=backup or subprocess.DEVNULL, stdout=subprocess.PIPE
    )


def wait_for_reply(process: "subprocess.Popen[bytes]") -> WorkerReply:
    """What it found, once it has ended, however it did."""
    told, _ = process.communicate()
    with suppress(msgspec.DecodeError):
        answer = msgspec.json.decode(told, type=WorkerReply)
        return WorkerReply(answer.found, answer.wrong and revive_message(answer.wrong))
    return WorkerReply(wrong=message(WORKER_FAILED))


def revive_message(saying: Message) -> Message:
    """A saying that came as JSON; what was said within it is a saying again."""
    return Message(saying.text, {name: _revive_fact(fact) for name, fact in saying.facts.items()})


def _revive_fact(fact: Any) -> Any:
    if isinstance(fact, dict) and fact.keys() == {"text", "facts"}:
        return revive_message(Message(fact["text"], fact["facts"]))
    return fact


def run_job(job: Job, file: BinaryIO) -> WorkerReply:
    """Do it, and tell what came of it; no path leaves, for it goes to a page."""
    try:
        return WorkerReply(job.run(file))
    except DiskFull:
        return WorkerReply(wrong=message(DISK_FULL))
    except Malformed as error:
        return WorkerReply(wrong=say_without_folder(error))
    except JournalFailed as error:
        return WorkerReply(wrong=error.say)


def lower_priority() -> None:
    """Give way to the table, as far as one may."""
    with suppress(OSError):
        os.nice(NICENESS)
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(OOM_SCORE)


if __name__ == "__main__":
    lower_priority()
    job: Job = msgspec.json.decode(sys.argv[1], type=Job)
    sys.stdout.buffer.write(msgspec.json.encode(run_job(job, sys.stdin.buffer)))
