"""The diagnosis of a button or a lamp: from what was measured to the joint that is wrong. Pure."""

import msgspec

from companion.core.i18n import Message, message
from hardware.doctor.report import ReportLine
from hardware.wiring import Wiring
from hardware.wiring.joints import header_joint
from hardware.wiring.table import header_pin

PATIENCE = 15
"""Seconds that a press is waited for."""
WELL_POWERED = 2.5
"""Volts from which a wire brings what the Pi drives."""


class ButtonFacts(msgspec.Struct, frozen=True):
    """What happened when the button of a seat was to be pressed."""

    down_before: bool = False
    answered: frozenset[int] = frozenset()
    """The seats whose buttons answered."""
    goes_high: bool = False
    """Whether a press pulls the wire up when the Pi pulls it down."""
    hears_lead: bool | None = None
    """Whether the wire goes down by a lead from ground; None if none was laid."""


class LampFacts(msgspec.Struct, frozen=True):
    """What was seen of the lamps when that of one seat was switched on."""

    lit_before: bool = False
    lit: frozenset[int] = frozenset()
    volts: tuple[float, float] | None = None
    """Of a dark lamp: before its resistor, and from its long leg to its short one."""


def judge_button(wiring: Wiring, seat: int, facts: ButtonFacts) -> ReportLine:
    """Return what is wrong with the button of a seat, or that it is good."""
    what, near, far = message("seat {seat}, button", seat=seat), f"J-S{seat}-1", f"J-S{seat}-2"
    pin = header_pin(wiring.buttons[seat])
    others = sorted(facts.answered - {seat})
    if facts.down_before:
        text = "is down though no one presses it: stuck, turned by 90°, or {joint} touches GND"
        return ReportLine(what, "bad", message(text, joint=near))
    if facts.answered == {seat}:
        return ReportLine(what, "good", message("pressed, on {pin}", pin=pin))
    if others:
        joints = [near, *(f"J-S{other}-1" for other in others)]
        return ReportLine(what, "bad", _say_mixed(seat in facts.answered, others[0], joints))
    if facts.goes_high:
        text = "its far side is on 3.3 V: lead {joint} to GND instead"
        return ReportLine(what, "bad", message(text, joint=far))
    text = "no press in {seconds} s, on {pin}: check {several}"
    at_pi = header_joint(wiring.buttons[seat]).name
    joints = {None: [at_pi, near, far], True: [far], False: [at_pi, near]}[facts.hears_lead]
    said = message(text, seconds=PATIENCE, pin=pin, several=joints)
    return ReportLine(what, "bad", said)


def judge_lamp(wiring: Wiring, seat: int, facts: LampFacts) -> ReportLine:
    """Return what is wrong with the lamp of a seat, or that it is good."""
    what, pin = message("seat {seat}, lamp", seat=seat), header_pin(wiring.lamps[seat])
    near, others = f"J-RL{seat}-1", sorted(facts.lit - {seat})
    if facts.lit_before:
        text = "lit though it should be dark: {joint} is on 3.3 V; lead it to {pin}"
        return ReportLine(what, "bad", message(text, joint=near, pin=pin))
    if facts.lit == {seat}:
        return ReportLine(what, "good", message("lit, on {pin}", pin=pin))
    if others:
        joints = [near, *(f"J-RL{other}-1" for other in others)]
        return ReportLine(what, "bad", _say_mixed(seat in facts.lit, others[0], joints))
    return ReportLine(what, "bad", _say_dark(wiring, seat, facts))


def judge_shared_ground(what: Message, joint: str, dead: int, wired: int) -> list[ReportLine]:
    """Return a line about the ground of all buttons or lamps if none of several works."""
    if dead < wired or wired < 2:
        return []
    text = "none of them works: check their ground at {joint} first"
    return [ReportLine(what, "bad", message(text, joint=joint))]


def _say_mixed(own_too: bool, other: int, joints: list[str]) -> Message:
    """Explain why another seat answers, or lights up, as well or instead."""
    if own_too:
        text = "seat {seat} answered too: look for solder between {several}"
        return message(text, seat=other, several=joints)
    text = "seat {seat} answered: their wires are crossed, swap {several}"
    return message(text, seat=other, several=joints)


def _say_dark(wiring: Wiring, seat: int, facts: LampFacts) -> Message:
    at_pi, near = header_joint(wiring.lamps[seat]).name, f"J-RL{seat}-1"
    legs = [f"J-L{seat}-A", f"J-L{seat}-K"]
    if facts.volts is None:
        return message("dark: turn it round, or check {several}", several=[at_pi, near, *legs])
    before, across = facts.volts
    if before < WELL_POWERED:
        return message("dark, because its wire has no contact: check {several}",
                       several=[at_pi, near])  # fmt: skip
    if across < 0:
        return message("dark: turn it round, swap {several}", several=legs)
    return message("dark, because its ground has no contact: check {joint}", joint=legs[1])
