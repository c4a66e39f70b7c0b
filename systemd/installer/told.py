"""What this installer tells the program that started it: how far it is, and how it ended.

Laws: it is told only where the variable COMPANION_TOLD names a file. An older version reads what a
newer installer tells, so no stage, no code and no field here is ever renamed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

VARIABLE = "COMPANION_TOLD"
STAGES = ("check", "build", "prove", "switch", "watch")


def tell_stage(stage: str) -> None:
    """Tell which of the stages begins."""
    _tell(stage=stage)


def tell_built(libraries: int, of: int, name: str) -> None:
    """Tell how many libraries of a list of this name, of all on it, are here to be installed."""
    _tell(libraries=libraries, of_libraries=of, list=name)


def tell_replayed(games: int, of: int) -> None:
    """Tell how many games, of all that are here, the new version has replayed, each to the same
    end or as its release says."""
    _tell(games=games, of=of)


def tell_tried() -> None:
    """Tell that the new version has started on a copy of the data and shown its pages."""
    _tell(tried=True)


def tell_versions(runs: str, before: str) -> None:
    """Tell the names of the version that runs and of the one to go back to, empty if there is
    none."""
    _tell(runs=runs, before=before)


def tell_end(
    code: str, text: str = "", cases: Sequence[str] = (), missing: Sequence[str] = ()
) -> None:
    """Tell how it ended: "done", or the code of what was wrong with its sentence, its cases, and
    the games that the new version does not bring."""
    _tell(code=code, text=text, cases=list(cases), missing=list(missing))


def _tell(**facts: object) -> None:
    place = os.environ.get(VARIABLE)
    if not place:
        return
    path = Path(place)
    aside = path.with_name(f".{path.name}.new")
    aside.write_text(json.dumps(_read(path) | facts), "utf-8")
    aside.chmod(0o644)
    aside.replace(path)


def _read(path: Path) -> dict[str, object]:
    """Return what was told before."""
    try:
        told: dict[str, object] = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return told
