"""The host of a table: new game, reset, PIN, box check, demo, health and reports."""
