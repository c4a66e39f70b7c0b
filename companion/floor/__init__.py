"""The floor of many tables: the document each table publishes, and the floor's picture of them."""
