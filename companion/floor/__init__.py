"""The floor of many tables: what a table tells of itself, and what the floor knows of each."""
