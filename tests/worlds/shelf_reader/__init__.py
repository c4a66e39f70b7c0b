"""A made-up reader, the third kind: a shelf on which a tag lies or does not.

It is written as `hardware/rc522` is, as a folder with a driver in it. What it takes beside this
folder is one line in `hardware.drivers.DRIVERS`.
"""
