"""Seats: holders, guests who wait, and the names they may take; which browser is which."""
