"""Measures how soon a change of the table is on every page: over sockets, from outside."""
