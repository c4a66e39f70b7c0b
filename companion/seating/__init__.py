"""Who sits where, who waits for a seat, and which names are allowed."""
