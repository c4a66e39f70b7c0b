"""Bots: they play the seats without a person, whichever game is on the table.

Law: a bot knows its own view and its own hand of cards, and nothing else. It acts as a person
does: with cards where a person uses cards, and like a phone where a phone is asked.
"""
