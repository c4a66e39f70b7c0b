"""Measures how soon a change of the table reaches every page, over sockets from outside."""
