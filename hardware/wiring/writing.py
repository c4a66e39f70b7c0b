"""A wiring formatted as the text of a profile, like one written by hand.

Law: what is written here is read again as the very same wiring.
"""

import json
from collections.abc import Iterator, Mapping

from hardware.wiring.wires import Wiring

TOP = """\
# Which wire goes where, as it was learnt at this table: at the first start, in the browser.
# Its wires are those of the profile {base}; `companion wiring FILE` prints them.
"""


def format_profile(wiring: Wiring) -> str:
    """Return the TOML text of the profile."""
    return (
        "\n".join([TOP.format(base=json.dumps(wiring.learnt_from)), *_profile_lines(wiring)]) + "\n"
    )


def _profile_lines(wiring: Wiring) -> Iterator[str]:
    yield f"title = {_toml_string(wiring.title)}"
    yield f"learnt_from = {_toml_string(wiring.learnt_from)}"
    if wiring.reset is not None:
        yield f"reset = {wiring.reset}"
    if wiring.address_lines:
        yield f"address_lines = {list(wiring.address_lines)}"
    yield f"hertz = {wiring.hertz}"
    yield f"gain = {wiring.gain}"
    for name, is_so in (("gates", wiring.gates), ("by_turns", wiring.by_turns)):
        if is_so:
            yield f"{name} = true"
    addresses = {place: _toml_string(str(address)) for place, address in wiring.readers.items()}
    for name, wires in (
        ("readers", addresses), ("buttons", wiring.buttons), ("lamps", wiring.lamps),
        ("modes", {place: _toml_string(mode) for place, mode in wiring.modes.items()}),
    ):  # fmt: skip
        yield from _section_lines(name, wires)


def _section_lines(name: str, wires: Mapping[int, object]) -> Iterator[str]:
    if wires:
        yield f"\n[{name}]"
        yield from (f"{number} = {wires[number]}" for number in sorted(wires))


def _toml_string(text: str) -> str:
    """Return a TOML string: as in JSON, except DEL."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
