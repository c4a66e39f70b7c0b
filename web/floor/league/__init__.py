"""The page of a league on the floor: sheets of the round, standing, members, results."""
