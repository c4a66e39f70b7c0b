"""The games and the table: no wire, no screen, no clock, no dice."""

__version__ = "0.1.0"
