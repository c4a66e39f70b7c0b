"""The simulated table of `make play`: pieces, bots and faults."""
