"""The wiring profile that was typed, as a line in the config; that file is somebody's own.

Law: the one line changes, and nothing else in the file, to the byte; where that cannot be done,
that is one sentence, and nothing is written.
"""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

from .machine import Failed, Machine
from .step import Step
from .system import CONFIG

LINE = re.compile(r"""^profile[ \t]*=[ \t]*("[^"\n]*"|'[^'\n]*')""", re.MULTILINE)
ASLEEP = re.compile(r"""^#[ \t]*profile[ \t]*=[ \t]*("[^"\n]*"|'[^'\n]*')""", re.MULTILINE)
"""The line of a config that leaves the profile to whoever sets the table up in the browser."""


def meant(typed: str) -> str:
    """A file by its whole path: the service does not stand where somebody typed its name."""
    return str(Path(typed).absolute()) if typed.endswith(".toml") else typed


def with_profile(text: str, profile: str) -> str:
    """The config with this profile, and else as it was."""
    line = f"profile = {json.dumps(profile, ensure_ascii=False)}"
    there = LINE.search(text) or ASLEEP.search(text)
    if there:
        changed = text[: there.start()] + line + text[there.end() :]
    else:
        changed = f"{text}\n{line}\n" if text and not text.endswith("\n") else f"{text}{line}\n"
    if _said(changed) != {**_said(text), "profile": profile}:
        raise Failed(f"The profile cannot be written into {CONFIG}: write it there by hand.")
    return changed


def _said(text: str) -> dict[str, Any]:
    """What a config says; nothing at all if it cannot be understood."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return {}


def step(machine: Machine, profile: str) -> Step:
    """The config names this profile."""

    def done() -> bool:
        return _said(machine.text(CONFIG)).get("profile") == profile

    def do() -> None:
        machine.write(CONFIG, with_profile(machine.text(CONFIG), profile))

    return Step(f"profile {profile} in {CONFIG}", done, do, lambda: False, lambda: None)
