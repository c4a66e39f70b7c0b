"""The table companion: rules, tracking and journal of a table of real cards."""

import logging

__version__ = "0.2.0"

logging.getLogger(__name__).addHandler(logging.NullHandler())  # Until the program sets it up.
