"""The pages, one Flask blueprint each."""
