"""Seats: holders, waiting guests and their names; and the browsers behind them."""
