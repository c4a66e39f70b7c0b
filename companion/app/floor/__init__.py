"""A table on the floor as a running program: what it publishes, and who is told."""
