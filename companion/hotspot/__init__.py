"""A Wi-Fi of the table's own: what is set up, in which order, and how it is undone."""
