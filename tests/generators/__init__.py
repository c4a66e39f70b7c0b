"""Commands that write golden games, demo games, catalogues and lists of codes anew."""
