"""Measures the speeds that the project promises, each beside a peer in the same run."""
