"""A Pi that is switched on: a systemd that starts and restarts the companion, the guard before each
start, and versions that fare badly. Time passes only when somebody waits.
"""

import json
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

from companion.journal.schema import APPLICATION_ID, SCHEMA_VERSION, read_head, read_version
from installer.proof import TELL, TRY
from installer.service import SERVED
from installer.system import DATA, UNIT_FOLDER
from installer.trial import ANSWERS, CURRENT, GUARD, GUARDING, SERVICE, TRIAL, WANTS, linked
from tests.worlds.pi_folder import Workbench

REFUSES, CRASHES, HANGS, SILENT = "refuses", "crashes", "hangs", "silent"
"""It ends at once; it ends after twenty seconds; its loop hangs and the watchdog ends it; its pages
do not answer."""
CONVERTS, LOGS = "converts", "converts in its log"
"""It writes the journal anew in a schema of its own, and ends after twenty seconds; in the log
beside the file alone, as it is before SQLite has moved it there."""
LATER = "converts, and is well"
WRONG, UNABLE = "judges wrongly", "cannot open the data"
"""It judges a robbery of this table differently; it does not start on a copy of the data."""
CONVERTING = (CONVERTS, LOGS, LATER)
UPTIME = 1000.0
PAUSE = {REFUSES: 2.0, CRASHES: 20.0, CONVERTS: 20.0, LOGS: 20.0, HANGS: 40.0}
"""Seconds from a start to the next one."""
NOT_ANSWERED = 24.0
"""The same for a silent one on trial: asked twice, stopped by force, started again."""
WATCHED = 74.0
"""Seconds after which the guard that systemd starts by itself goes back."""
TOO_STRICT = "InaccessiblePaths=/opt/companion"
"""A line of a unit under which no version starts."""
JOURNAL = f"{DATA}/journal.sqlite3"


TOUCHING = ("cp", "ln", "mkdir", "mv", "rm", "rmdir", "sync")
"""The commands with which the guard touches a file."""
CUT = """\
#!/bin/sh
read -r left <"${0%/*}/left"
[ "$left" -gt 0 ] || kill -KILL 0
echo $((left - 1)) >"${0%/*}/left"
exec "/bin/${0##*/}" "$@"
"""
KILLED = -9


class PowerFailed(Exception):
    """The power failed while the guard was at work."""


class PoweredPi(Workbench):
    """Such a Pi; `faults` says of a version's folder how it fares."""

    def __init__(self, root: Path, on: bool = True) -> None:
        super().__init__(root, live=True)
        self.faults: dict[str, str] = {}
        self.clock, self.boot = UPTIME, 1
        self.begun = self.clock
        self.restarted, self.ends_at = 0, float("inf")
        self.watch_at = float("inf")
        self.loaded = ""
        """The unit of the service, as systemd has read it."""
        self.fault = ""
        """How what was started last fares."""
        self.is_full = False
        """Whether the disk has no room for a copy of anything."""
        self.guard_is_cut_at: int | None = None
        """Before which of all its commands that touch a file the power fails, if it is to."""
        if on:
            self.switch_on()

    @property
    def runs(self) -> str:
        """The folder of the version that would run."""
        return Path(linked(self, CURRENT)).name

    def _find_fault(self) -> str:
        """Return how what is linked fares, with this unit and this data."""
        fault = self.faults.get(self.runs, "")
        if TOO_STRICT in self.loaded:
            return REFUSES
        if fault not in CONVERTING and self.has_newer_data():
            return REFUSES
        return "" if fault == LATER else fault

    def has_newer_data(self) -> bool:
        """Whether a version before the one of the journal would refuse it."""
        journal = self.path_of(JOURNAL)
        if read_version(read_head(journal))[1] > SCHEMA_VERSION:
            return True
        if not journal.with_name(f"{journal.name}-wal").exists():
            return False
        with closing(sqlite3.connect(f"file:{journal}?mode=ro", uri=True)) as disk:
            return bool(disk.execute("PRAGMA user_version").fetchone()[0] > SCHEMA_VERSION)

    def is_loaded(self) -> bool:
        """Whether systemd can start the service at all."""
        return "\nExecStart=" in self.loaded

    def is_dark(self) -> bool:
        """Whether there is no table to be seen."""
        return bool(self.fault)

    def switch_on(self) -> None:
        """Boot, and start what starts with the Pi."""
        self.clock, self.boot = 20.0, self.boot + 1
        (self.root / "dev").mkdir(exist_ok=True)
        (self.root / "dev/spidev0.0").touch()
        self._load()
        self.watch_at = float("inf")
        if self.path_of(f"{WANTS}/{GUARDING}").is_symlink():
            self._begin_watching()
        if linked(self, CURRENT):
            self._start()

    def _load(self) -> None:
        self.loaded = self.read_text(f"{UNIT_FOLDER}/{SERVICE}")

    def _lay_out_tools(self) -> Path:
        tools = super()._lay_out_tools()
        for name in TOUCHING:
            (tools / name).unlink(missing_ok=True)
            if self.is_full and name in ("cp", "sync"):
                (tools / name).symlink_to("/bin/false")
            elif self.guard_is_cut_at is not None:
                (tools / name).write_text(CUT)
                (tools / name).chmod(0o755)
        if self.guard_is_cut_at is not None and not (tools / "left").exists():
            (tools / "left").write_text(f"{self.guard_is_cut_at}\n")
        return tools

    def run_guard(self, verb: str) -> "subprocess.CompletedProcess[str]":
        if self.guard_is_cut_at is not None:
            self.guard_ends = (0, 1, KILLED)
        done = super().run_guard(verb)
        if done.returncode == KILLED:
            raise PowerFailed
        return done

    def _begin_watching(self) -> None:
        if self.has_traces(TRIAL) and self.has_traces(f"{UNIT_FOLDER}/{GUARDING}"):
            self.watch_at = self.clock + WATCHED

    def _start(self) -> None:
        """Start the service, the guard first."""
        self.ends_at = float("inf")
        if not self.is_loaded():
            self.active.discard(SERVICE)
            self.fault = REFUSES
            return
        self._note_time()
        if f"ExecStartPre=-+{GUARD}" in self.loaded:
            self.run_guard("start")
        self.begun, self.fault = self.clock, self._find_fault()
        if TOO_STRICT not in self.loaded and self.faults.get(self.runs) in CONVERTING:
            self._convert()
        pause = PAUSE.get(self.fault, float("inf"))
        silent = self.fault == SILENT or not self.listens_at(self._asked_by_unit())
        if silent and self.has_traces(TRIAL) and self.has_traces(ANSWERS):
            pause = NOT_ANSWERED
        self.ends_at = self.clock + pause
        self.active |= {SERVICE}

    def _note_time(self) -> None:
        files = {"uptime": f"{self.clock} 1.0", "sys/kernel/random/boot_id": f"boot-{self.boot}"}
        for name, text in files.items():
            (self.root / "proc" / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / "proc" / name).write_text(f"{text}\n")

    def _convert(self) -> None:
        """Write the journal as a later version would, and end without closing it."""
        journal = self.path_of(JOURNAL)
        if not journal.exists() or self.has_newer_data():
            return
        with closing(sqlite3.connect(journal, isolation_level=None)) as disk:
            disk.execute("PRAGMA journal_mode=WAL")
            disk.execute("BEGIN")
            disk.execute("CREATE TABLE later (n INTEGER PRIMARY KEY, text TEXT) STRICT")
            disk.execute("DELETE FROM line")
            disk.execute(f"PRAGMA application_id={APPLICATION_ID + SCHEMA_VERSION + 1}")
            disk.execute(f"PRAGMA user_version={SCHEMA_VERSION + 1}")
            disk.execute("COMMIT")
            if self.fault == LOGS:  # What it had in memory is gone; both files stay.
                self._copy_as_they_are(journal)
        if self.fault == LOGS:
            for name in (journal.name, f"{journal.name}-wal"):
                (self.root / f"proc/{name}").replace(journal.with_name(name))

    def _copy_as_they_are(self, journal: Path) -> None:
        for name in (journal.name, f"{journal.name}-wal"):
            (self.root / f"proc/{name}").write_bytes(journal.with_name(name).read_bytes())

    def _asked_by_unit(self) -> str:
        """The address that the unit has `answers` ask."""
        _, _, address = self.read_text(SERVED).strip().partition(" ")
        return address or "127.0.0.1"

    def sleep(self, seconds: float) -> None:
        """Let time pass; systemd starts again what ended."""
        end = self.clock + seconds
        while (soon := min(self.ends_at, self.watch_at)) <= end:
            self.clock = soon
            if soon == self.watch_at:
                self._watch()
            else:
                self.restarted += 1
                self._start()
        self.clock = end

    def _watch(self) -> None:
        """What the guard that systemd started does in the end, if the service never stayed up."""
        self.watch_at = float("inf")
        if self.has_traces(TRIAL) and self.fault == REFUSES:
            self.run_guard("back")
            self._start()

    def answers(self, address: str, port: int) -> bool:
        if self.fault in (REFUSES, HANGS, SILENT):
            return False
        return self.listens_at(address)

    def _prove(self, words: tuple[str, ...]) -> "subprocess.CompletedProcess[str]":
        """One game, with one robbery; and a start on a copy."""
        fault = self.faults.get(Path(words[0]).parents[1].name, "")
        if words[3] == TRY.read_text("utf-8") and fault == UNABLE:
            return subprocess.CompletedProcess(words, 1, "", "it ended: no such column: own\n")
        if words[3] != TELL.read_text("utf-8"):
            return subprocess.CompletedProcess(words, 0, "", "")
        of = {"outcome": "stolen" if fault == WRONG else "shared", "steps": []}
        game = {"id": "g", "lines": 9, "verdicts": [{"at": 3, "of": of}]}
        listed = [{"knows": ["bankueberfall"]}, {"id": "g", "game": "bankueberfall"}]
        told = [game] if words[5:] else listed
        return subprocess.CompletedProcess(words, 0, "\n".join(map(json.dumps, told)), "")

    def _systemctl(self, verb: str, *names: str) -> tuple[int, str]:
        if verb == "show" and "ActiveState" in names[0]:
            state = "active" if self.is_loaded() else "inactive"
            return 0, f"ActiveState={state}\nNRestarts={self.restarted}\n"
        said = super()._systemctl(verb, *names)
        if verb == "daemon-reload":
            self._load()
        if verb == "stop" and SERVICE in names:
            self.ends_at = float("inf")
        if verb == "start" and GUARDING in names:
            self._begin_watching()
        elif verb in ("start", "restart") and SERVICE in names:
            self._start()
            if self.fault == REFUSES:
                return 1, ""
        return said
