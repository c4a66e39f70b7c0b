"""The host of a table: new game, reset, pass, box check, demo, health and reports."""
