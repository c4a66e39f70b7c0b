"""A Pi whose versions are whole programs: each runs its own copy of the clone, broken or not."""

import shutil
import subprocess
import sys
from pathlib import Path

from installer.system import CONFIG, DATA
from installer.version import PAPERS
from tests.worlds.paths import ROOT
from tests.worlds.pi_folder import copy_units
from tests.worlds.powered_pi import PoweredPi

ROOMS = ("companion", "hardware", "web")
LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.mo", "compiled_templates")
LIB = "lib"


def whole_clone(folder: Path) -> Path:
    """A clone with everything that is installed."""
    for room in ROOMS:
        shutil.copytree(ROOT / room, folder / room, ignore=LEFT_OUT)
    copy_units(folder)
    for paper in PAPERS:
        (folder / paper).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / paper, folder / paper)
    return folder


def edit(clone: Path, file: str, old: str, new: str) -> None:
    """Change a file of a clone."""
    text = (clone / file).read_text("utf-8")
    assert old in text, f"{file} has changed"
    (clone / file).write_text(text.replace(old, new, 1), "utf-8")


class RealVersions(PoweredPi):
    """Such a Pi, switched on."""

    def _pip(self, words: tuple[str, ...]) -> None:
        super()._pip(words)
        if words[-1].endswith("/source"):
            version = self.path_of(words[-1]).parent
            for room in ROOMS:
                shutil.copytree(version / "source" / room, version / LIB / room)
            for compiled in ROOT.glob("companion/**/*.mo"):  # As the build makes them.
                shutil.copyfile(compiled, version / LIB / compiled.relative_to(ROOT))

    def _prove(self, words: tuple[str, ...]) -> "subprocess.CompletedProcess[str]":
        """Ask the version whose Python it is, by the code of that version."""
        lib = self.path_of(words[0]).parents[1] / LIB
        places = [str(self.path_of(w)) if w.startswith("/") else w for w in words[4:]]
        return subprocess.run(
            [sys.executable, "-B", "-c", words[3], *places], capture_output=True, text=True,
            check=False, env={"PYTHONPATH": str(lib), "PATH": "/usr/bin:/bin"}, cwd="/",
        )  # fmt: skip

    def files_of_table(self) -> dict[str, bytes]:
        """Config and data, to the byte."""
        found = [self.path_of(CONFIG), *self.path_of(DATA).rglob("*")]
        return {str(path): path.read_bytes() for path in found if path.is_file()}
