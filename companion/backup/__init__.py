"""Backup and restore: the journal, the decks and the config as a zip.

Laws: a backup is made only of a journal whose every row is verified, in the very copy that is
packed. A restore is unpacked and verified beside the current state, which one rename then makes the
old one; the old one is kept. The identity file is in no backup; a restore frees all seats and signs
all hosts out, so that no phone returns to the wrong game. Hands that were seen are in a backup: it
has to be kept private.
"""
