"""The config, explained key by key, and in it the wiring profile that was typed.

Laws: it is written once, and is somebody's own from then on. The profile is one line of it: nothing
else changes, to the byte; where that cannot be done, that is one sentence, and nothing is written.
"""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

from .machine import Failed, Machine
from .step import Step
from .system import CONFIG, EXAMPLE

VALUE = r"""profile[ \t]*=[ \t]*("(?:[^"\\\n]|\\.)*"|'[^'\n]*')"""
LINE = re.compile(f"^{VALUE}", re.MULTILINE)
ASLEEP = re.compile(f"^#[ \\t]*{VALUE}", re.MULTILINE)
"""The line of a config that leaves the profile to whoever sets the table up in the browser."""


def once(machine: Machine, purge: bool) -> Step:
    """The config is there; taken away if nobody but us has written into it."""
    example, path = EXAMPLE.read_text("utf-8"), machine.path(CONFIG)

    def undo() -> str | None:
        text = machine.text(CONFIG)
        if not purge and text and _but_profile(text) != _but_profile(example):
            return f"{CONFIG}: you changed it; --purge takes that away too"
        machine.forget(CONFIG)
        return None

    return Step(
        f"config {CONFIG}; once it is there it is yours",
        path.exists,
        lambda: machine.write(CONFIG, example),
        path.parent.exists,
        undo,
    )


def _but_profile(text: str) -> str:
    """A config without the one line that we write into it."""
    return (LINE if LINE.search(text) else ASLEEP).sub("", text, count=1)


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


def names(machine: Machine, profile: str) -> Step:
    """The config names this profile."""

    def done() -> bool:
        return _said(machine.text(CONFIG)).get("profile") == profile

    def do() -> None:
        machine.write(CONFIG, with_profile(machine.text(CONFIG), profile))

    return Step(f"profile {profile} in {CONFIG}", done, do, lambda: False, lambda: None)
