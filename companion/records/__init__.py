"""One game as a file: written, parsed, and verified."""
