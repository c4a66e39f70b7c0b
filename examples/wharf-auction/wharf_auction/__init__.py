"""Wharf Auction: crates come off a ship one by one, and are sold to the highest open bid."""
