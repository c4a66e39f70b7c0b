"""`companion doctor`: is everything soldered, powered, allowed and alive?"""

from hardware.doctor.examine import Workplace, examine_table
from hardware.doctor.person import Person, TerminalPerson
from hardware.doctor.report import DoctorReport, ReportLine

__all__ = ["DoctorReport", "Person", "ReportLine", "TerminalPerson", "Workplace", "examine_table"]
