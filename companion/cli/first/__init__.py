"""The first start over a real table, or over a simulated one that is as good as real."""

from companion.cli.first.start import First

__all__ = ["First"]
