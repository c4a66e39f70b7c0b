"""`companion doctor`: is everything soldered, powered, allowed and alive?"""

from hardware.doctor.examine import Workplace, examine_table
from hardware.doctor.person import Person, TerminalPerson
from hardware.doctor.report import ReportLine, DoctorReport

__all__ = ["ReportLine", "Person", "DoctorReport", "TerminalPerson", "Workplace", "examine_table"]
