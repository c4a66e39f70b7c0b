"""Updates of an installed table: find a release, hand it to its installer, go back, tell the table.

Laws: nothing is switched from here: the installer of the new version proves it, switches and goes
back (`systemd/installer`). A release is compared with its checksums before anything of it is run,
by the system's own Python.
"""
