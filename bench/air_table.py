"""Compute the table of couplings by Neumann's formula, and store it for the simulator."""

from hardware.simulator.air.neumann import Coils
from hardware.simulator.air.table import STORED, compute_table, write_table

if __name__ == "__main__":
    write_table(compute_table(Coils()), STORED)
