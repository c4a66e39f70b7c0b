"""The config file, explained key by key, and the wiring profile in it.

Laws: it is written once, and belongs to the user from then on. The profile is one line of it:
nothing else changes, to the byte; where that cannot be done, the run stops with one sentence, and
nothing is written.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from .machine import InstallFailed, TargetMachine
from .step import InstallStep
from .system import CONFIG, EXAMPLE

VALUE = r"""profile[ \t]*=[ \t]*("(?:[^"\\\n]|\\.)*"|'[^'\n]*')"""
LINE = re.compile(f"^{VALUE}", re.MULTILINE)
ASLEEP = re.compile(f"^#[ \\t]*{VALUE}", re.MULTILINE)
"""The line of a config that leaves the choice of the profile to the set-up page."""


LOOPBACK = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""What this machine asks where the pages listen at all of its addresses."""


class Served(NamedTuple):
    """Where this machine asks for its own pages."""

    address: str
    port: int


def served_at(told: Mapping[str, Any]) -> Served:
    """Return where this machine asks for its own pages with these settings: at the fixed address if
    there is one, else at its loopback."""
    address = told.get("address", "127.0.0.1")
    return Served(LOOPBACK.get(address, address), int(told.get("port", 8000)))


def config_step(machine: TargetMachine, purge: bool) -> InstallStep:
    """Return the step that writes the config once; uninstalling keeps one that was edited."""
    example, path = EXAMPLE.read_text("utf-8"), machine.path_of(CONFIG)

    def undo() -> str | None:
        text = machine.read_text(CONFIG)
        if not purge and text and _without_profile(text) != _without_profile(example):
            return f"{CONFIG}: you changed it; --purge takes that away too"
        machine.remove_with_folder(CONFIG)
        return None

    return InstallStep(
        f"config {CONFIG}; once it is there it is yours",
        path.exists,
        lambda: machine.write_file(CONFIG, example),
        path.parent.exists,
        undo,
    )


def _without_profile(text: str) -> str:
    """Return a config without the one line that the installer writes into it."""
    return (LINE if LINE.search(text) else ASLEEP).sub("", text, count=1)


def absolute_profile(typed: str) -> str:
    """Return the whole path of a profile that is a file: the service has another working folder."""
    return str(Path(typed).absolute()) if typed.endswith(".toml") else typed


def with_profile(text: str, profile: str) -> str:
    """Return the config with this profile and no other change; raise InstallFailed if that is
    impossible."""
    line = f"profile = {json.dumps(profile, ensure_ascii=False)}"
    there = LINE.search(text) or ASLEEP.search(text)
    if there:
        changed = text[: there.start()] + line + text[there.end() :]
    else:
        changed = f"{text}\n{line}\n" if text and not text.endswith("\n") else f"{text}{line}\n"
    if parse_config(changed) != {**parse_config(text), "profile": profile}:
        raise InstallFailed(f"The profile cannot be written into {CONFIG}: write it there by hand.")
    return changed


def parse_config(text: str) -> dict[str, Any]:
    """Parse a config; return an empty dict if it is not valid TOML."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return {}


def profile_step(machine: TargetMachine, profile: str) -> InstallStep:
    """Return the step that writes this profile into the config."""

    def is_done() -> bool:
        return parse_config(machine.read_text(CONFIG)).get("profile") == profile

    def apply() -> None:
        machine.write_file(CONFIG, with_profile(machine.read_text(CONFIG), profile))

    return InstallStep(
        f"profile {profile} in {CONFIG}", is_done, apply, lambda: False, lambda: None
    )
