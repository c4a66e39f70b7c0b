"""The running program: start-up, event loop, settings, and the physical or simulated table."""
