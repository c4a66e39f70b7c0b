"""`companion league`: the options of its parts, and what each of them prints."""
