"""The nouns that every package shares: events, cards, commitments, verdicts, texts. No I/O."""
