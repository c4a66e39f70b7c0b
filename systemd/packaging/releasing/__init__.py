"""Makes a release: sdist, wheel and Debian package.

Laws: everything is made from a commit, never from what lies about in a clone; the time in it is
that of the commit, so that two builds have the same bytes. Nothing is fetched but by its hash.
"""
