"""The hardware drivers: readers, buttons and lamps, real or simulated."""
