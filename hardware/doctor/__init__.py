"""`companion doctor`: is everything soldered, powered, allowed and alive?"""

from hardware.doctor.examine import Workplace, examine
from hardware.doctor.person import Person, Terminal
from hardware.doctor.report import Line, Report

__all__ = ["Line", "Person", "Report", "Terminal", "Workplace", "examine"]
