"""Goofspiel, also called GOPS: bid with every card of a suit once for the cards of another."""
