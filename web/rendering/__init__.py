"""Screens, templates, hints and drawings: from a view to HTML."""
