"""Joins the scripts and the sheets of a page into one file each, while the companion is built.

Laws: it needs nothing but Python, and imports nothing of ours from outside this folder, as it runs
before anything is installed; what it does not understand is an error, never a guess; the same
sources give the same bytes.
"""
