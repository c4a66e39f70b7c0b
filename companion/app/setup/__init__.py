"""The set-up of a physical table, or of a simulated one that behaves like it."""
