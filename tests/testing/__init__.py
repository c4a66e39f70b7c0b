"""Tests of companion/testing: the laws for any game, and the package of a new one."""
