"""Pieces of a box in people's hands at a simulated table: piles, hands, visible faces."""
