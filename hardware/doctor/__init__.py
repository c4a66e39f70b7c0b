"""`companion doctor`: is everything soldered, powered, allowed and alive?"""

from hardware.doctor.examine import Workplace, examine_table
from hardware.doctor.report import DoctorReport, Person, ReportLine, TerminalPerson

__all__ = ["DoctorReport", "Person", "ReportLine", "TerminalPerson", "Workplace", "examine_table"]
