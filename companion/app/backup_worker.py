"""Worker process for packing and verifying backups, so that the event loop is never blocked.

Laws: the worker runs on another core at a low priority, and the table goes on whatever becomes of
it. The job is its one argument as JSON, the backup its standard input, the reply one JSON object on
its standard output.
"""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

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
NO_MEMORY = N_("This table has too little memory for that; nothing was changed.")
WORKER_FAILED = N_("This did not work out; nothing was changed.")
OOM_SCORE = "1000"
"""The kernel ends this process before the table when memory runs out."""
NICENESS = 10


class PackJob(msgspec.Struct, frozen=True, tag=True):
    """Pack a backup into a new file."""

    folder: str
    config: str | None
    to: str
    made: str

    def run(self, _file: BinaryIO) -> BackupContents | None:
        config = Path(self.config) if self.config else None
        folder, to = Path(self.folder), Path(self.to)
        write_backup(folder, config, to, self.made, check_journal=require_no_open_game)
        return None


class CheckJob(msgspec.Struct, frozen=True, tag=True):
    """Verify a backup in an empty work folder and describe its contents."""

    folder: str
    room: str
    name: str

    def run(self, file: BinaryIO) -> BackupContents | None:
        with Backup(file, self.name) as backup:
            return describe_backup(
                backup, RestoreTarget(Path(self.folder), None, UNATTENDED_CHECKS), Path(self.room)
            )


class PrepareJob(msgspec.Struct, frozen=True, tag=True):
    """Prepare a restore, and back up the current state."""

    folder: str
    name: str
    stamp: str

    def run(self, file: BinaryIO) -> BackupContents | None:
        with Backup(file, self.name) as backup:
            prepare_restore(
                backup, RestoreTarget(Path(self.folder), None, UNATTENDED_CHECKS), self.stamp
            )
        return None


Job = PackJob | CheckJob | PrepareJob


class WorkerReply(msgspec.Struct, frozen=True):
    """The result of a job: the contents, if it checked a backup, or what is wrong."""

    contents: BackupContents | None = None
    wrong: Message | None = None


def start_worker(job: Job, backup: BinaryIO | None = None) -> "subprocess.Popen[bytes]":
    """Start a worker process for this job."""
    if backup is not None:
        backup.seek(0)
    command = [sys.executable, "-m", __name__, msgspec.json.encode(job).decode()]
    # Run from the program's folder: a data folder must not lend it modules.
    home = Path(companion.__file__).parents[1]
    return subprocess.Popen(
        command, cwd=home, stdin=backup or subprocess.DEVNULL, stdout=subprocess.PIPE
    )


def wait_for_reply(process: "subprocess.Popen[bytes]") -> WorkerReply:
    """Wait for the worker to end; return its reply, or that it failed."""
    told, _ = process.communicate()
    with suppress(msgspec.DecodeError):
        answer = msgspec.json.decode(told, type=WorkerReply)
        return WorkerReply(answer.contents, answer.wrong and revive_message(answer.wrong))
    return WorkerReply(wrong=message(WORKER_FAILED))


def revive_message(saying: Message) -> Message:
    """Rebuild a message that was decoded from JSON, with the messages among its facts."""
    return Message(saying.text, {name: _revive_fact(fact) for name, fact in saying.facts.items()})


def _revive_fact(fact: object) -> object:
    if isinstance(fact, dict) and fact.keys() == {"text", "facts"}:
        return revive_message(Message(fact["text"], fact["facts"]))
    return fact


def run_job(job: Job, file: BinaryIO) -> WorkerReply:
    """Run a job; return its reply without paths, since it goes to a page."""
    try:
        return WorkerReply(job.run(file))
    except DiskFull:
        return WorkerReply(wrong=message(DISK_FULL))
    except MemoryError:
        return WorkerReply(wrong=message(NO_MEMORY))
    except Malformed as error:
        return WorkerReply(wrong=say_without_folder(error))
    except JournalFailed as error:
        return WorkerReply(wrong=error.say)


def lower_priority() -> None:
    """Lower this process's priority for processor and memory, as far as permitted."""
    with suppress(OSError):
        os.nice(NICENESS)
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(OOM_SCORE)


if __name__ == "__main__":
    lower_priority()
    job: Job = msgspec.json.decode(sys.argv[1], type=Job)
    sys.stdout.buffer.write(msgspec.json.encode(run_job(job, sys.stdin.buffer)))
