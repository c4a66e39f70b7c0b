"""Benchmarks of the promised speeds, each beside a peer in the same run."""
