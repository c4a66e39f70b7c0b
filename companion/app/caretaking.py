"""Carry out the errand that waits: what `companion-caretaker.service` runs, as root."""

from companion.caretaker.work import Caretaker
from web.captive_portal import PROBE_HOSTS

if __name__ == "__main__":
    Caretaker(probe_names=PROBE_HOSTS).work()
