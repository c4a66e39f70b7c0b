"""The first start: walks, wires, and whole rehearsals."""
