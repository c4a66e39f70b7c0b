"""The nouns that every package shares: events, cards, commitments, verdicts, texts; and the one way
in which files and databases are written."""
