"""The demo: its recorded evenings, how they are played again, and that they can be followed."""
