"""The first start: from solder to the first game, step by step in the browser.

Laws: pure. What a page shows of it names places, seats and things, never a tag, a pin or a path.
Every step can be left out, done again, and come back to while no game is under way; what was learnt
is kept before it is said.
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
