"""The set-up of a physical table, or of a simulated one that behaves like it."""

from companion.app.setup.wizard import SetupWizard

__all__ = ["SetupWizard"]
