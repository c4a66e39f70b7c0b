"""Lantern Night, a game from outside: nothing of the companion is changed for it."""
