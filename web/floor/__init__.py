"""The page of a floor: one tile a table, in one process of its own beside the tables."""
