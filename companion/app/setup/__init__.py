"""The first start over a real table, or over a simulated one that is as good as real."""

from companion.app.setup.wizard import SetupWizard

__all__ = ["SetupWizard"]
