"""The steps of `systemd/install`, each of which knows whether it is done.

Laws: it runs on the Python of the system and needs nothing else. Every step may be killed and the
whole run again: what is installed works all the time, and what is done is not done twice. Nothing
that runs is touched before the new version stands whole beside it.
"""
