"""Lantern Night: ten lanterns, bid for in secret; the highest bid that nobody else made wins."""
