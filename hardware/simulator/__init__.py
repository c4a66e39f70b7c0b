"""The simulated table: the same ports, no wires."""
