"""The nemesis: a served table under every fault at once, and the check of all that it answered."""
