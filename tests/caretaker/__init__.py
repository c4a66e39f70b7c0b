"""What root does for the pages of a table."""
