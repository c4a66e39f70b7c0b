"""The set-up wizard over a physical table, or over a simulated one that behaves like it."""

from companion.app.setup.wizard import SetupWizard

__all__ = ["SetupWizard"]
