"""A Pi that is switched on: a systemd that starts and restarts the companion, the guard before each
start, and versions that fare badly. Time passes only when somebody waits.
"""

import re
import subprocess
from pathlib import Path

from installer.service import FOLDER
from installer.trial import ANSWERS, CURRENT, GUARD, HOME, SERVICE, TRIAL, linked
from tests.worlds.pi_folder import Workbench

REFUSES, CRASHES, HANGS, SILENT = "refuses", "crashes", "hangs", "silent"
"""It ends at once; it ends after twenty seconds; its loop hangs and the watchdog ends it; its pages
do not answer."""
UPTIME = 1000.0
PAUSE = {REFUSES: 2.0, CRASHES: 20.0, HANGS: 40.0}
"""Seconds from a start to the next one."""
NOT_ANSWERED = 24.0
"""The same for a silent one on trial: asked twice, stopped by force, started again."""


class PoweredPi(Workbench):
    """Such a Pi; `faults` says of a version's folder how it fares."""

    def __init__(self, root: Path) -> None:
        super().__init__(root, live=True)
        self.faults: dict[str, str] = {}
        self.clock, self.boot = UPTIME, 1
        self.begun = self.clock
        self.restarted, self.ends_at = 0, float("inf")
        self.switch_on()

    @property
    def runs(self) -> str:
        """The folder of the version that would run."""
        return Path(linked(self, CURRENT)).name

    @property
    def fault(self) -> str:
        return self.faults.get(self.runs, "")

    def is_dark(self) -> bool:
        """Whether there is no table to be seen."""
        return bool(self.fault)

    def switch_on(self) -> None:
        """Boot, and start what starts with the Pi."""
        self.clock, self.boot = 20.0, self.boot + 1
        (self.root / "dev").mkdir(exist_ok=True)
        (self.root / "dev/spidev0.0").touch()
        if linked(self, CURRENT):
            self._start()

    def _start(self) -> None:
        """Start the service, the guard first."""
        files = {"uptime": f"{self.clock} 1.0", "sys/kernel/random/boot_id": f"boot-{self.boot}"}
        for name, text in files.items():
            (self.root / "proc" / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / "proc" / name).write_text(f"{text}\n")
        guard = self.path_of(GUARD)
        if guard.exists():  # The unit does not mind if it is missing.
            words = [str(guard), str(self.path_of(HOME)), str(self.root / "proc")]
            subprocess.run(words, check=True, capture_output=True)
        self.begun = self.clock
        pause = PAUSE.get(self.fault, float("inf"))
        silent = self.fault == SILENT or not self.listens_at(self._asked_by_unit())
        if silent and self.has_traces(TRIAL) and self.has_traces(ANSWERS):
            pause = NOT_ANSWERED
        self.ends_at = self.clock + pause
        self.active |= {SERVICE}

    def _asked_by_unit(self) -> str:
        """The address that the unit has `answers` ask."""
        unit = self.read_text(f"{FOLDER}/{SERVICE}")
        said = re.search(rf"exec {ANSWERS} \d+ ?(\S*)'", unit)
        return (said and said[1]) or "127.0.0.1"

    def sleep(self, seconds: float) -> None:
        """Let time pass; systemd starts again what ended."""
        end = self.clock + seconds
        while self.ends_at <= end:
            self.clock = self.ends_at
            self.restarted += 1
            self._start()
        self.clock = end

    def answers(self, address: str, port: int) -> bool:
        return self.fault not in (REFUSES, HANGS, SILENT) and self.listens_at(address)

    def _systemctl(self, verb: str, *names: str) -> tuple[int, str]:
        if verb == "show" and "ActiveState" in names[0]:
            return 0, f"ActiveState=active\nNRestarts={self.restarted}\n"
        said = super()._systemctl(verb, *names)
        if verb in ("start", "restart") and SERVICE in names:
            self._start()
            if self.fault == REFUSES:
                return 1, ""
        return said
