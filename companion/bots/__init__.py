"""Bots: they play the seats without a person, in all three games.

Law: a bot knows its own view and its own hand of cards, and nothing else. It acts as a person
does: with cards where a person uses cards, and like a phone where a phone is asked.
"""

from companion.bots.bot import Bot
from companion.bots.decisions import PieceMove

__all__ = ["Bot", "PieceMove"]
