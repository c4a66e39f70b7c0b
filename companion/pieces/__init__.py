"""Pieces of a box as people handle them at a simulated table: piles, hands, what is seen."""
