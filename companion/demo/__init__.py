"""The demo: evenings that our own bots played, to be shown on a table at which nobody plays.

Laws: a record is shown as everyone at that table saw it, moment by moment: what was hidden then is
hidden here. There is no clock in it; a scene says how long it is to be looked at, and whoever shows
it keeps the time. The records beside this file are ordinary ones; `make demo` plays them again.
"""

from companion.demo.scenes import Scene, evenings, scenes

__all__ = ["Scene", "evenings", "scenes"]
