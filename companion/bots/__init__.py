"""Bots: they play the seats that nobody sits in, in all three games.

Law: a bot knows its own view and its own hand of cards, and nothing else. It acts as a person
does: what is done with cards it does with cards, what is asked on a phone it answers like one.
"""

from companion.bots.bot import Bot
from companion.bots.decisions import PieceMove

__all__ = ["Bot", "PieceMove"]
