"""Tests of the games in examples/, each a package of its own."""
