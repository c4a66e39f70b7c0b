"""The set-up wizard as pure state machines: from new wires to the first game, in the browser.

Laws: no I/O. The view names places, seats and things, never a tag, a pin or a path. Every step can
be left out, repeated, and returned to while no game is under way.
"""

from companion.setup.reader_search import ReaderSearch
from companion.setup.seat_search import ButtonSearch, LampSearch
from companion.setup.steps import (
    STEPS,
    SavedSetup,
    SetupService,
    SetupView,
    StepState,
    WiringOffer,
    WizardAction,
    WizardStep,
    describe_left_out,
    describe_news,
)

__all__ = [
    "STEPS",
    "ButtonSearch",
    "LampSearch",
    "ReaderSearch",
    "SavedSetup",
    "SetupService",
    "SetupView",
    "StepState",
    "WiringOffer",
    "WizardAction",
    "WizardStep",
    "describe_left_out",
    "describe_news",
]
