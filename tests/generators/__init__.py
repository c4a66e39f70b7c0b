"""Commands that write golden games, demo games and catalogues anew."""
