"""Privacy: the one table of names, and the time that a table counts."""
