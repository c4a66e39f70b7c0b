"""What a host may do with a table: new game, reset, PIN, box check, demo, health and reports."""
