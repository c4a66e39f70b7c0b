"""The air over the readers: which tag is powered and heard, from geometry or by decree.

Laws: the *physics* air couples each sticker by the geometry of its card (`neumann.py`, computed
once into `air.json`), lets the stickers of a pile detune each other, and sets limits to power and
to hearing. Nothing in it knows a driver. The *ideal* air couples a tag by a number that a test
names. A simulated table has the physics air; a bare world of chips the ideal one. What the
physics air assumes stands in the head of `air.json` and in `HearingLimits`.

    World(air=PhysicsAir())                   # or IdealAir(), the default of a bare world
    python -m bench.air_table                 # computes air.json again
"""
