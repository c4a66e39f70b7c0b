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


def tell_end(code: str, text: str = "", cases: Sequence[str] = ()) -> None:
    """Tell how it ended: "done", or the code of what was wrong with its sentence and its cases."""
    _tell(code=code, text=text, cases=list(cases))


def _tell(**facts: object) -> None:
    place = os.environ.get(VARIABLE)
    if not place:
        return
    path = Path(place)
    aside = path.with_name(f".{path.name}.new")
    aside.write_text(json.dumps(facts), "utf-8")
    aside.chmod(0o644)
    aside.replace(path)
