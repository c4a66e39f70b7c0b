"""The hotspot: a Wi-Fi of the table's own, as a plan of steps that are taken and undone."""
