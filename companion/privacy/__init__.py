"""Privacy: how long the names of players are kept, and how they are erased everywhere on this Pi.

Laws: time is counted by the table itself, and a clock that jumps erases nothing; what was begun is
written down first, and is finished by the next start if the power goes; what stays of a game says
the seats, and every record of it still verifies.
"""
