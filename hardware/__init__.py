"""The wires: readers, buttons and lamps, real or simulated."""
